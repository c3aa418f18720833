/* rt/ghost.c -- strands as contexts on one kernel thread.
 *
 * A new thread is made by libc as always: it has a stack, thread-local memory and a struct pthread.  The system call that would
 * make its kernel thread is not made (ghost_make, called by dispatch.c): its creator's kernel thread goes on as the new one, on
 * its stack, until that comes to rest in steer_begin.  Where the call cannot be had, or libc's creator and new thread would wait for
 * each other meanwhile, the kernel thread is made and vanishes there (context_vanish).  Whoever passes on swaps stack and
 * thread pointer (context_swap), which takes some ten nanoseconds.  libc does not notice: thread-local variables, pthread_self, errno, keys,
 * cleanup handlers and pthread_exit work on what the thread pointer points to.
 *   (1) the process has one kernel thread, so its memory is the whole state;
 *   (2) a strand never runs libc's last steps of a thread, which would end the kernel thread: steer_end swaps away for
 *       good.  What they would have done for others is done here: marks robust mutexes, says "ended" to a joiner. */
#include <linux/futex.h>
#include <sched.h>
#include <sys/auxv.h>

#include "rt/ghost.h"
#include "rt/strands.h"
#include "rt/sys.h"

#define HWCAP2_FSGSBASE_BIT 2u
#define FIRST_TID (1 << 22)             /* above all numbers the kernel gives */
#define PTHREAD_WORDS 640u              /* of struct pthread that are searched for the thread id */


void context_vanish(void **save, int32_t *alive);
void context_start(void **save, const greg_t *registers, uint64_t stack, uint64_t thread_pointer);

static uint32_t tid_word;               /* where struct pthread has the thread id, in words */

static struct {                         /* a thread is being made, on its creator's kernel thread */
	bool going;
	void *rests_at;                 /* the creator */
	uint64_t thread_pointer;
	struct robust_list_head *robust;        /* what the kernel knew before the new one told it its own */
	int32_t tids;                   /* numbers given */
} making;

static uint64_t thread_pointer(void)
{
	uint64_t value;
	__asm__ volatile("mov %%fs:0, %0" : "=r"(value));       /* its first word points to itself */
	return value;
}

/* The word of struct pthread that is the thread id: the only one with that number, in this thread and (asked again by every
 * new one) in all others. */
static bool find_tid_word(int32_t tid)
{
	const int32_t *self = (const int32_t *)thread_pointer();
	uint32_t found = 0;
	for (uint32_t i = 16; i < PTHREAD_WORDS; i++)
		if (self[i] == tid) {
			if (found)
				return false;
			found = i;
		}
	tid_word = found;
	return found != 0;
}

int32_t *first_tid_word(void)
{
	bool known = tid_word || find_tid_word((int32_t)sys3(SYS_gettid, 0, 0, 0));
	return known ? (int32_t *)strands[0].thread_pointer + tid_word : NULL;
}

bool ghost_is_possible(void)
{
	return (getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE_BIT) && find_tid_word((int32_t)sys3(SYS_gettid, 0, 0, 0));
}

static void ghost_first(struct strand *s)
{
	s->thread_pointer = thread_pointer();
}

/* libc asks the kernel about the thread, whom the kernel knows by its creator's number. */
static void find_own_memory(int32_t *tid)
{
	int32_t own = *tid;
	*tid = (int32_t)sys3(SYS_gettid, 0, 0, 0);
	rt_find_own_memory();
	*tid = own;
}

/* It has come as far as a thread nobody has chosen: its creator goes on. */
static void rest(struct strand *s)
{
	size_t length;
	s->thread_pointer = thread_pointer();
	s->tid = ((const int32_t *)s->thread_pointer)[tid_word];
	sys3(SYS_get_robust_list, 0, (long)&s->robust, (long)&length);
	sys3(SYS_set_robust_list, (long)making.robust, (long)length, 0);
	s->alive = 0;
	making.going = false;
	context_swap(&s->rests_at, making.rests_at, making.thread_pointer);
}

int32_t ghost_numbers_keep(void)
{
	return making.tids;
}

void ghost_numbers_back(int32_t numbers)
{
	making.tids = numbers;
}

int32_t ghost_number(const struct strand *s)
{
	return ((int32_t *)s->thread_pointer)[tid_word] = FIRST_TID + making.tids++;
}

bool ghost_is_made(void)
{
	return making.going;
}

long ghost_make(const struct clone_args *how, const greg_t *registers)
{
	int32_t tid = FIRST_TID + making.tids++;        /* the same in every run; the kernel never hears of it */
	size_t length;
	making.going = true;
	sys3(SYS_get_robust_list, 0, (long)&making.robust, (long)&length);
	making.thread_pointer = thread_pointer();
	if (how->flags & CLONE_PARENT_SETTID)
		*(int32_t *)how->parent_tid = tid;
	context_start(&making.rests_at, registers, how->stack + how->stack_size, how->tls);
	return tid;
}

/* The kernel has its creator's sequence area and never fills this one: libc asks it instead.  What else the new thread and then
 * its creator ask for in libc (masks, the list of robust locks) is between them and the kernel, and to trap it is dear. */
bool ghost_registers(const struct world_call *c)
{
	if (c->number != SYS_rseq)
		return false;
	dispatch_lets_pass(true);
	return true;
}

static void ghost_await(struct strand *s)
{
	size_t length;
	if (making.going) {
		find_own_memory((int32_t *)thread_pointer() + tid_word);
		rest(s);
		return;
	}
	rt_find_own_memory();                           /* libc asks the kernel about the thread: while there is one */
	s->tid = (int32_t)sys3(SYS_gettid, 0, 0, 0);
	s->thread_pointer = thread_pointer();
	if (((const int32_t *)s->thread_pointer)[tid_word] != s->tid)
		rt_fatal("this C library keeps thread ids where raddle did not expect them; run with --switch=baton");
	sys3(SYS_get_robust_list, 0, (long)&s->robust, (long)&length);
	context_vanish(&s->rests_at, &s->alive);
}

static void ghost_created(struct strand *s)
{
	int32_t seen;
	while ((seen = __atomic_load_n(&s->alive, __ATOMIC_ACQUIRE)) != 0)
		sys6(SYS_futex, (long)&s->alive, FUTEX_WAIT, seen, 0, 0, 0);
}

static void ghost_pass(struct strand *from, struct strand *to)
{
	static void *nowhere;
	context_swap(from ? &from->rests_at : &nowhere, to->rests_at, to->thread_pointer);
}

/* The lowest bit says: with priority inheritance. */
static struct robust_list *untagged(struct robust_list *at)
{
	return (struct robust_list *)((uint64_t)at & ~1ull);
}

/* What the kernel does for the robust mutexes a thread holds when it ends. */
static void mark_robust(struct strand *s)
{
	struct robust_list_head *head = s->robust;
	if (!head)
		return;
	struct robust_list *at = untagged(head->list.next);
	for (unsigned i = 0; i < 4096 && at != &head->list; i++, at = untagged(at->next)) {
		uint32_t *word = (uint32_t *)((char *)at + head->futex_offset);
		if ((*word & FUTEX_TID_MASK) == (uint32_t)s->tid)
			*word = (*word & FUTEX_WAITERS) | FUTEX_OWNER_DIED;
	}
}

static void ghost_ended(struct strand *s)
{
	mark_robust(s);
}

/* libc's join waits for the kernel to clear the thread id; there is no kernel thread. */
static void ghost_joined(struct strand *s)
{
	((int32_t *)s->thread_pointer)[tid_word] = 0;
}

const struct switching ghost_switching = { .name = SWITCH_GHOST, .first = ghost_first, .created = ghost_created,
	.await = ghost_await, .pass = ghost_pass, .ended = ghost_ended, .joined = ghost_joined };
