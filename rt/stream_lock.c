/* rt/stream_lock.c -- the lock every stream has, where a program takes it by itself (flockfile).  Recursive; what libc takes inside of
 * printf and its like is no event: nothing of the program lies between that and giving it back. */
#include <stdio.h>

#include "rt/buffer.h"
#include "rt/steer.h"
#include "rt/sync.h"

#define ARG ((uint64_t)LOCK_USER << 8 | LOCK_FOR_WRITING)

struct stream_lock { int taken, depth; const void *owner; };     /* glibc's _IO_lock_t */

static int taken_once = 1;      /* what libc counts then: 1, and 0 since 2.37 */

/* again: the thread had it before. */
static void note_taken(FILE *stream, uint64_t tried, bool again, uint64_t pc)
{
	if (rt_steered() && !again && stream->_lock)
		taken_once = ((const struct stream_lock *)stream->_lock)->depth;
	rt_event(EV_LOCK, AS_OBJECT(stream), ARG | tried, rt_version(AS_OBJECT(stream)), 0, pc);
	rt_held_push(AS_OBJECT(stream));
}

/* It is only counted then, and stores stay in the buffer. */
static bool is_mine(const FILE *stream)
{
	const struct stream_lock *l = (const void *)stream->_lock;
	return rt_steered() && l && l->owner == (const void *)pthread_self();
}

/* Others may be inside of printf, and have it. */
static uint32_t ways_to_lock(const struct strand *s)
{
	const struct stream_lock *l = s->ask.first;
	return l->taken == 0 || l->owner == s->ask.second ? WAY_GO : 0;
}

INTERPOSE(void, flockfile, (FILE *stream))
{
	if (!rt_on()) {
		REAL(flockfile)(stream);
		return;
	}
	bool again = is_mine(stream);
	struct steer_ask ask = { .kind = EV_LOCK, .object = AS_OBJECT(stream), .place = RT_PC, .ways = stream->_lock ? ways_to_lock : NULL,
		.first = stream->_lock, .second = (const void *)pthread_self(), .keeps = again };
	steer_point_until(&ask);
	if (REAL(ftrylockfile)(stream) != 0) {
		rt_wait_begin(EV_LOCK, AS_OBJECT(stream), RT_PC);
		REAL(flockfile)(stream);
		rt_wait_end();
	}
	note_taken(stream, 0, again, RT_PC);
}

INTERPOSE(int, ftrylockfile, (FILE *stream))
{
	if (!rt_on())
		return REAL(ftrylockfile)(stream);
	bool again = is_mine(stream);
	steer_point_keeps(EV_LOCK, AS_OBJECT(stream), RT_PC, true);
	int result = REAL(ftrylockfile)(stream);
	if (result == 0 && !again)              /* else it counted, or only looked */
		buffer_drain();
	if (result == 0)
		note_taken(stream, LOCK_TRIED, again, RT_PC);
	else
		rt_event(EV_TRYFAIL, AS_OBJECT(stream), ARG, 0, EBUSY, RT_PC);
	return result;
}

INTERPOSE(void, funlockfile, (FILE *stream))
{
	if (rt_on()) {
		steer_point_keeps(EV_UNLOCK, AS_OBJECT(stream), RT_PC, is_mine(stream) && ((const struct stream_lock *)stream->_lock)->depth > taken_once);
		rt_held_pop(AS_OBJECT(stream));
		rt_event(EV_UNLOCK, AS_OBJECT(stream), ARG, rt_version(AS_OBJECT(stream)), 0, RT_PC);
	}
	REAL(funlockfile)(stream);
}
