/* rt/pool.c -- threads made in advance: libc makes them before the first run, at rest in front of their beginning (ghost.c), and
 * pthread_create only has to hand one out.  To make one takes system calls, pages and symbols to be found; to hand one out takes none.
 *   (1) a thread handed out is the one libc would have made there: the stacks come in the order libc would have mapped them, in a
 *       range of their own (addresses.c), its number is the next one, and what libc asks of the heap meanwhile is asked when it is
 *       handed out, by the same callers: same events, same addresses;
 *   (2) libc makes the next thread on the stack of one that was joined, as long as it keeps that: then libc makes it.  So stacks it
 *       keeps are counted: a join leaves one, a thread takes one, and it gives some back when there are too many.  Threads of other
 *       attributes take and leave them too: behind the first of those libc makes all, and only the stacks not handed out lie in the way;
 *   (3) libc believes, and tells (__libc_single_threaded), that there is one thread until one was handed out. */
#include "rt/pool.h"

#include <stdlib.h>

#include "rt/alloc.h"
#include "rt/behind.h"
#include "rt/ghost.h"
#include "rt/world.h"

#define POOL   64u
#define ASKED  4u
#define LIST_HEAD 16u                   /* bytes: libc's dtv_t */
#define ROOM_LEFT 4096u                 /* of the memory apart from the program's heap (alloc.c), which others need too */

struct pooled {
	struct strand rest;             /* where it rests */
	pthread_t thread;
	void *(*run)(void *);
	void *arg;
	uint32_t asked_count;
	struct { uint64_t pc; size_t count, size; char *got; } asked[ASKED];
};

bool pool_fills;
static struct pooled pool[POOL];
static uint32_t made, given;
static int32_t left_over;               /* stacks libc keeps of threads that were joined */
static bool closed;
static bool asked_else;                 /* for memory in another way than foreseen */

extern char __libc_single_threaded __attribute__((weak));

void pool_asked(size_t count, size_t size, bool zeroed, void *got, uint64_t pc)
{
	struct pooled *p = &pool[made];
	asked_else = asked_else || !zeroed || p->asked_count == ASKED;
	if (asked_else)
		return;
	p->asked[p->asked_count].pc = pc;
	p->asked[p->asked_count].count = count;
	p->asked[p->asked_count].got = got;
	p->asked[p->asked_count++].size = size;
}

static void *rest(void *data)
{
	struct pooled *p = data;
	ghost_switching.await(&p->rest);
	return p->run(p->arg);
}

/* For one more, if it asks for as much as the last one did. */
static bool has_room(void)
{
	const struct pooled *last = made ? &pool[made - 1] : &pool[0];
	size_t bytes = ROOM_LEFT;
	for (uint32_t i = 0; i < last->asked_count; i++)
		bytes += last->asked[i].count * last->asked[i].size + 64;
	return alloc_room_apart() > bytes;
}

void pool_fill(uint32_t count)
{
	if (made >= count || steer->switched_by != SWITCH_GHOST || !dispatch_is_on())
		return;                         /* threads of the kernel cannot be made in advance: nobody would wake them */
	int32_t numbers = ghost_numbers_keep();
	char alone = &__libc_single_threaded ? __libc_single_threaded : 0;
	uint32_t inside = raddle_tls.inside;
	uint64_t mask = own_strand->mask;
	raddle_tls.inside = 0;                   /* libc is to be answered as when the program makes one */
	pool_fills = true;
	while (made < count && made < POOL && !asked_else && has_room()) {
		struct pooled *p = &pool[made];
		p->rest.alive = 1;
		own_strand->makes_thread = own_strand->makes_ghost = own_strand->makes_default = true;
		int failed = behind_make_thread(&p->thread, NULL, rest, p);
		dispatch_lets_pass(false);
		own_strand->mask = mask;                 /* libc has put it back, in the kernel alone */
		if (failed)
			break;
		ghost_switching.created(&p->rest);
		if (!asked_else)
			made++;
	}
	own_strand->makes_thread = own_strand->makes_ghost = own_strand->makes_default = pool_fills = false;
	ghost_numbers_back(numbers);
	raddle_tls.inside = inside;
	if (&__libc_single_threaded)
		__libc_single_threaded = alone;
}

/* libc has in the second word of a thread where its list of thread-local blocks begins, behind the first entry; it gives it back with the
 * stack.  It is that block from now on. */
static void move_list(const struct strand *s, const char *from, char *to, size_t bytes)
{
	char **begins = (char **)s->thread_pointer + 1;
	if (!to || *begins != from + LIST_HEAD)
		return;
	copy_bytes(to, from, bytes);
	*begins = to + LIST_HEAD;
}

int pool_give(pthread_t *thread, struct strand *strand, void *(*run)(void *), void *arg)
{
	if (left_over > 0) {
		left_over--;
		return -1;
	}
	steer->new_threads++;
	if (closed || given == made)
		return -1;
	struct pooled *p = &pool[given++];
	if (&__libc_single_threaded)
		__libc_single_threaded = 0;
	for (uint32_t i = 0; i < p->asked_count; i++) {
		alloc_caller = p->asked[i].pc;
		char *volatile block = calloc(p->asked[i].count, p->asked[i].size);
		move_list(&p->rest, p->asked[i].got, block, p->asked[i].count * p->asked[i].size);
	}
	alloc_caller = 0;
	p->run = run;
	p->arg = arg;
	strand->tid = ghost_number(&p->rest);
	strand->rests_at = p->rest.rests_at;
	strand->thread_pointer = p->rest.thread_pointer;
	strand->robust = p->rest.robust;
	strand->alive = 0;
	*thread = p->thread;
	return 0;
}

void pool_joined(void)
{
	left_over++;
}

void pool_stack_gone(void)
{
	left_over--;
}

void pool_close(void)
{
	closed = true;
}
