/* rt/effect.h -- what a library or system call did to the program's memory, noted at level access.
 *   effect_read, effect_write  bytes [at, at + bytes), as they stand now;  effect_copy  the same bytes at two places
 * Nothing is written for zero bytes or a null pointer.  The first EFFECT_LIMIT bytes are kept, the rest is only counted. */
#ifndef RADDLE_RT_EFFECT_H
#define RADDLE_RT_EFFECT_H

#include "rt/buffer.h"
#include "rt/left.h"
#include "rt/rt.h"
#include "rt/sys.h"

#define EFFECT_LIMIT 256        /* bytes of contents kept of one library call */
#define INPUT_LIMIT  4096       /* bytes kept of what came from outside */

/* Does the program's memory matter now: level access, and not the runtime itself that calls? */
static inline bool effects_on(void)
{
	return raddle_tls.mode >= MODE_ACCESS && raddle_tls.inside == 0;
}

static inline void effect_read(const void *at, uint64_t bytes, uint64_t pc)
{
	if (bytes && memory_is_watched(at))
		memory_check_range(at, bytes, false);
	if (at && bytes)
		rt_event_bytes(EV_LIBREAD, (uint64_t)at, bytes, 0, at, bytes, EFFECT_LIMIT, pc);
}

static inline void effect_write(const void *at, uint64_t bytes, uint64_t pc)
{
	if (bytes && memory_is_watched(at))
		memory_check_range(at, bytes, true);
	buffer_after(at, bytes);
	if (at && bytes)
		rt_event_bytes(EV_LIBWRITE, (uint64_t)at, bytes, 0, at, bytes, EFFECT_LIMIT, pc);
}

void effect_copy(const void *to, const void *from, uint64_t bytes, uint64_t pc);

/* The same for interposed functions, which run at level sync too. */
static inline void effect_result(const void *at, uint64_t bytes, uint64_t pc)
{
	buffer_before(NULL, 0);                 /* written without the buffer */
	if (raddle_tls.mode >= MODE_ACCESS)
		effect_write(at, bytes, pc);
}

/* ---- the outside (outside.c); all of them for a thread that is on ---- */
#define NO_FD (-1)

/* `got` bytes came in to `to` (got < 0: the call failed with errno).  Both the input and, at level access, the write. */
void note_input(int fd, const void *to, int64_t got, uint64_t pc);
/* Bytes about to go out; note_sent corrects it afterwards when fewer went, or the call failed. */
void note_output(int fd, const void *from, uint64_t bytes, uint64_t pc);
void note_sent(int fd, const void *from, int64_t sent, uint64_t asked, uint64_t pc);
/* A named source of nondeterminism gave `result`. */
void note_outcall(const char *name, int64_t result, uint64_t pc);

#endif
