/* certify/own.h -- memory that goes with a function or a thread, in one run: may others have to do with it?
 * A piece of it has a beginning and an end among its thread's own events.  A thread that touches it has to begin after that beginning and to be over, joined,
 * before that end: by what threads create and join themselves, so in whatever order they run.
 * Its own thread may not read it after that end, unless it has written there since: another local lies there then. */
#ifndef RADDLE_CERTIFY_OWN_H
#define RADDLE_CERTIFY_OWN_H

#include "certify/certificate.h"
#include "trace/event.h"

enum own_touch { OWN_READ, OWN_WRITE, OWN_USE };        /* use: as a lock or the like */
struct piece { uint64_t low, high, since; uint32_t thread; bool with_thread, until_exit, always; bool by[MOST_THREADS]; };

struct own {                            /* all zero at first */
	VEC(struct piece) here, memory; /* pieces that are there; stacks and blocks of threads, the last one counts */
	struct map had;                 /* byte that was touched -> thread it was of then + 1 */
	struct map past;                /* byte of a piece that has ended -> 1, until it is written */
	uint64_t events;
	uint32_t maker[MOST_THREADS], joiner[MOST_THREADS];     /* + 1 */
	uint64_t made[MOST_THREADS];    /* `events` then */
	bool bad;                       /* somebody may come too late or too early */
};

void own_event(struct own *o, uint32_t thread, const struct event *ev);
void own_made(struct own *o, uint32_t maker, uint32_t thread);
void own_joined(struct own *o, uint32_t joiner, uint32_t thread);
void own_touched(struct own *o, uint32_t thread, uint64_t at, uint64_t bytes, enum own_touch how);
void own_run_over(struct own *o);
void own_release(struct own *o);

#endif
