/* analyses/check/scopes.h -- memory of a thread's own, stack and thread-local block, that other threads have to do with in one run.
 * It goes: a local when its block or function is left, all of it when the thread has ended.  Nobody comes to it too late, or too early, in any order of the
 * same class, if everybody that does was created after it was there and had been joined before it went, by its own thread or by others of whom the same
 * holds: that is in the order of the threads' own events.  Anything else is doubted.
 * So is its own thread that reads what it has left, unless something was written there since: other locals lie there then. */
#ifndef RADDLE_ANALYSES_CHECK_SCOPES_H
#define RADDLE_ANALYSES_CHECK_SCOPES_H

#include "analyses/check/threads.h"
#include "trace/event.h"

enum stays { STAYS_NOT, STAYS_IN_MAIN, STAYS_FOR_EVER };        /* in main: until the first thread leaves main, or ends the program */
enum touch { TOUCH_READS, TOUCH_WRITES, TOUCH_LOCK };

struct scope {
	uint64_t at, bytes, born;       /* born: number of the event */
	uint32_t owner;
	uint8_t stays;
	bool is_block;                  /* thread-local, goes with its thread */
	bool has_lock;                  /* a lock or condition was used there by another thread */
	uint64_t users[MAX_THREADS / 64];       /* other threads */
};

struct scopes {                         /* of one run; all zero at first */
	VEC(struct scope) open;
	VEC(struct scope) stacks;       /* where each thread's is; whose it was last */
	struct map whose;               /* byte of a stack that was touched -> thread that had it then + 1: libc gives stacks to others when threads have ended */
	struct map gone;                /* byte of a local that was left, and not written since */
	uint64_t clock;
	uint64_t created_at[MAX_THREADS];
	uint32_t creator[MAX_THREADS], joiner[MAX_THREADS];     /* + 1 */
};

void scopes_release(struct scopes *s);
/* What the event says of whose memory lies where, of threads that come and go, of locals. */
void scopes_note(struct scopes *s, struct threads *t, uint32_t thread, const struct event *ev);
void scopes_created(struct scopes *s, uint32_t thread, uint32_t other);
void scopes_joined(struct scopes *s, uint32_t thread, uint32_t other);
void scopes_touch(struct scopes *s, struct threads *t, uint32_t thread, uint64_t at, uint64_t bytes, enum touch how);
void scopes_finish(struct scopes *s, struct threads *t);        /* the run is over */

#endif
