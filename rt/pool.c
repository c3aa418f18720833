/* rt/pool.c -- threads made in advance: libc makes them before the first run, at rest in front of their beginning (ghost.c), and
 * pthread_create only has to hand one out.  To make one takes system calls; to hand one out takes none.
 *   (1) a thread handed out is the one libc would have made there: the stacks come in the order libc would have mapped them, and
 *       what libc asks of the heap meanwhile is asked when it is handed out, by the same callers: same events, same addresses;
 *   (2) once a thread was joined libc makes the next one on its stack: from then on libc makes them;
 *   (3) libc believes, and tells (__libc_single_threaded), that there is one thread until one was handed out. */
#include "rt/pool.h"

#include <stdlib.h>

#include "rt/alloc.h"
#include "rt/world.h"

#define POOL   8u
#define ASKED  4u
#ifdef RADDLE_STATIC
#define ARENA_THERE false               /* memory apart from the program's heap (alloc.c) */
#else
#define ARENA_THERE true
#endif

struct pooled {
	struct strand rest;             /* where it rests */
	pthread_t thread;
	void *(*run)(void *);
	void *arg;
	uint32_t asked_count;
	struct { uint64_t pc; size_t count, size; } asked[ASKED];
};

bool pool_fills;
static struct pooled pool[POOL];
static uint32_t made, given;
static bool asked_else;                 /* for memory in another way than foreseen */

extern char __libc_single_threaded __attribute__((weak));

void pool_asked(size_t count, size_t size, bool zeroed, uint64_t pc)
{
	struct pooled *p = &pool[made];
	asked_else = asked_else || !zeroed || p->asked_count == ASKED;
	if (asked_else)
		return;
	p->asked[p->asked_count].pc = pc;
	p->asked[p->asked_count].count = count;
	p->asked[p->asked_count++].size = size;
}

static void *rest(void *data)
{
	struct pooled *p = data;
	ghost_switching.await(&p->rest);
	return p->run(p->arg);
}

void pool_fill(void)
{
	char alone = &__libc_single_threaded ? __libc_single_threaded : 0;
	uint32_t inside = raddle_tls.inside;
	uint64_t mask = own_strand->mask;
	raddle_tls.inside = 0;                   /* libc is to be answered as when the program makes one */
	pool_fills = true;
	while (made < POOL && !asked_else && ARENA_THERE) {
		struct pooled *p = &pool[made];
		p->rest.alive = 1;
		own_strand->makes_thread = own_strand->makes_ghost = true;
		int failed = REAL(pthread_create)(&p->thread, NULL, rest, p);
		dispatch_lets_pass(false);
		own_strand->mask = mask;                 /* libc has put it back, in the kernel alone */
		if (failed)
			break;
		ghost_switching.created(&p->rest);
		if (!asked_else)
			made++;
	}
	own_strand->makes_thread = own_strand->makes_ghost = pool_fills = false;
	raddle_tls.inside = inside;
	if (&__libc_single_threaded)
		__libc_single_threaded = alone;
}

int pool_give(pthread_t *thread, struct strand *strand, void *(*run)(void *), void *arg)
{
	if (given == made)
		return -1;
	struct pooled *p = &pool[given++];
	if (&__libc_single_threaded)
		__libc_single_threaded = 0;
	for (uint32_t i = 0; i < p->asked_count; i++) {
		alloc_caller = p->asked[i].pc;
		void *volatile block = calloc(p->asked[i].count, p->asked[i].size);
		(void)block;
	}
	alloc_caller = 0;
	p->run = run;
	p->arg = arg;
	strand->tid = p->rest.tid;
	strand->rests_at = p->rest.rests_at;
	strand->thread_pointer = p->rest.thread_pointer;
	strand->robust = p->rest.robust;
	strand->alive = 0;
	*thread = p->thread;
	return 0;
}

void pool_close(void)
{
	given = made;
}
