/* drive/waits.h -- who waits for whom, read from the ring of a program that is still running or just died. */
#ifndef RADDLE_DRIVE_WAITS_H
#define RADDLE_DRIVE_WAITS_H

#include "drive/ring.h"

/* Gives the variable at an address, or NULL. */
typedef const char *(*name_at)(void *who, uint64_t address, uint64_t *offset);

/* One line a waiting thread of this process, to standard error. */
void waits_print(const struct ring *r, uint32_t process, name_at name, void *who);

#endif
