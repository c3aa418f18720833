/* certify/buffer.h -- stores of a state that wait, TSO and PSO. */
#ifndef RADDLE_CERTIFY_BUFFER_H
#define RADDLE_CERTIFY_BUFFER_H

#include "certify/machine.h"

#define BUFFER_FENCE (NOWHERE - 1)      /* stands between stores: no later one leaves before an earlier one */

uint32_t buffer_count(const struct machine *m, const words *state, uint32_t thread);
uint32_t buffer_spot(const struct machine *m, const words *state, uint32_t thread, uint32_t i);
void buffer_push(const struct machine *m, words *state, uint32_t thread, uint32_t spot);
bool buffer_may_leave(const struct machine *m, const words *state, uint32_t thread, uint32_t i);
uint32_t buffer_pull(const struct machine *m, words *state, uint32_t thread, uint32_t i);       /* its place */
/* The newest byte of its own at this cell; 256: none. */
uint32_t buffer_byte(const struct machine *m, const words *state, uint32_t thread, uint32_t cell);

#endif
