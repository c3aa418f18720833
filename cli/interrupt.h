/* cli/interrupt.h -- Ctrl-C while a command works through many runs: it stops, and says what it knows so far. */
#ifndef RADDLE_CLI_INTERRUPT_H
#define RADDLE_CLI_INTERRUPT_H

#include <stdbool.h>
#include <stdint.h>

void interrupt_watch(void);             /* from here on Ctrl-C (and TERM) is only noted */
bool interrupt_came(void);
bool interrupt_waits(void);             /* or would have, were it not held back, or taken by what waits for runs */
void interrupt_after(uint64_t seconds); /* ends a run that is under way then, as Ctrl-C does; 0: never */
void interrupt_leave(void);             /* as it was */

#endif
