/* base/unpack.h -- how much a compressed file may become in memory.
 *
 * A block says its size before it is unpacked.  Nothing is allocated for it unless
 *   (1) it becomes at most UNPACK_RATIO times as large as it is in the file, and
 *   (2) all that is unpacked at the time stays within the limit of --max-memory.
 * Writers keep (1) by unpack_pad(): what shrinks further than that is followed by a frame readers skip. */
#ifndef RADDLE_BASE_UNPACK_H
#define RADDLE_BASE_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define UNPACK_RATIO 1000u

void unpack_set_limit(uint64_t bytes);          /* --max-memory; 0: a quarter of the machine's memory */
bool unpack_ratio_fits(uint64_t packed, uint64_t unpacked);
/* Takes so many bytes of the limit, before they are allocated.  0; or -1 and why (code 3): "the trace" needs more. */
int  unpack_take(uint64_t bytes, const char *what, struct err *why);
void unpack_give(uint64_t bytes);               /* they are free again */

/* Behind `packed` bytes of whole zstd frames: as many as (1) asks for of something that unpacks to `unpacked`.
 * `room` bytes are there.  How many they are then; `packed` if they were enough, or if there is not the room. */
size_t unpack_pad(uint8_t *frames, size_t packed, size_t room, uint64_t unpacked);

#endif
