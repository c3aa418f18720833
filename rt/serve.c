/* rt/serve.c -- the program is started once and makes many runs: loading, relocating, looking functions up and whatever else
 * comes before its first visible event is done once.
 *
 *   start --> first point --> server: waits for an order --> copy of the process --> goes on as the run
 *                                ^                               |
 *                                +------- waits for its end <----+
 *
 *   (1) at the server's point there is one strand, nothing was decided, recorded or sent: the copy is the process steer_run()
 *       would have there, but for its number.  The program knows itself by the server's (tasks.c);
 *   (2) the copy is made by a system call of our own: libc's fork would run handlers and clean up threads;
 *   (3) what the kernel does not hand down is asked for again: system calls handed over, the list of robust locks, the
 *       word that says the thread has ended;
 *   (4) the server waits on a stack of its own, and leaves nothing of what it did on the program's;
 *   (5) a run cannot outlive its server, nor a process the run made its run: the server ends whatever is left. */
#include "rt/serve.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "rt/context.h"
#include "rt/fork.h"
#include "rt/heap.h"
#include "rt/keep.h"
#include "rt/memories.h"
#include "rt/offsets.h"
#include "rt/reopen.h"
#include "rt/pool.h"
#include "rt/private.h"
#include "rt/restart.h"
#include "rt/segment.h"
#include "rt/strands.h"
#include "rt/sys.h"
#include "rt/warm.h"
#include "rt/world.h"
#include "wire/fault.h"
#include "wire/serve.h"

#define WATCH_MS 10                     /* a run that takes longer is looked at this often */
#define PAGE     4096u
#define WARM_AT    3u                   /* the run that looks which pages runs write to: threads are made in advance by then */
#define POOL_USUAL 8u                   /* threads made in advance for runs in one process; for others as many as the last one made */

bool serve_waits;

static int channel;
static struct robust_list_head *robust;
static int32_t *tid;                    /* the kernel clears it when the first thread ends: who joins it waits for that */
static long told_pid, told_parent;      /* the first server's: what its runs and theirs know themselves by */
static long run_pid;                    /* of this process, if it is a run */
static uint32_t level;                  /* servers above this one */
static uint32_t made;                   /* runs */
static uint64_t where[CONTEXT_WORDS];   /* it serves */
static char own_stack[64 << 10] __attribute__((aligned(64)));

/* ---- in the run ---- */

/* A process of its own, as the kernel sees it. */
static void become_process(void)
{
	long pid = run_pid = sys3(SYS_getpid, 0, 0, 0);
	if (steer->keep_at == UINT64_MAX && !steer->stays)
		sys3(SYS_close, channel, 0, 0);
	sys3(SYS_setpgid, 0, 0, 0);
	sys3(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0);
	sys3(SYS_set_robust_list, (long)robust, sizeof *robust, 0);
	sys3(SYS_set_tid_address, (long)tid, 0, 0);
	process_is(pid);
	ring_process(process_index)->pid = (int32_t)pid;
	__atomic_store_n(&steer->pid, (int32_t)pid, __ATOMIC_RELEASE);
	dispatch_thread();
}

static void begin_first(void)
{
	tasks_told_in_advance((int32_t)told_pid, (int32_t)told_parent);
	offsets_begin();
	if (steer->runs > 1 || steer->stays) {
		rt_find_own_memory();                    /* libc reads a file for that */
		heap_grow();                             /* no run could do it and be undone */
		pool_fill(POOL_USUAL);
		restart_here();
	}
	steer_ordered();
	rt_thread_announce();
}

/* The next run of the same process: the shared memories as they were when the first one began. */
void serve_again(void)
{
	memories_restore();
	ring_process(process_index)->pid = (int32_t)run_pid;
	__atomic_store_n(&steer->pid, (int32_t)run_pid, __ATOMIC_RELEASE);
}

/* ---- in the server ---- */

static _Noreturn void leave(int code)
{
	for (;;)
		sys3(SYS_exit_group, code, 0, 0);
}

static void report(const struct serve_report *r)
{
	while (sys3(SYS_write, channel, (long)r, sizeof *r) == -EINTR)
		;
}

static unsigned put_number(char *to, uint64_t number)
{
	char digits[24];
	unsigned count = 0, at = 0;
	do digits[count++] = (char)('0' + number % 10); while (number /= 10);
	while (count)
		to[at++] = digits[--count];
	return at;
}

/* Bytes of memory a process has; 0: it is gone. */
static uint64_t memory_of(long pid)
{
	char path[48] = "/proc/", text[128] = "";
	unsigned at = 6 + put_number(path + 6, (uint64_t)pid);
	copy_bytes(path + at, "/statm", 7);
	long fd = sys6(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0, 0, 0);
	if (fd < 0)
		return 0;
	sys3(SYS_read, fd, (long)text, sizeof text - 1);
	sys3(SYS_close, fd, 0, 0);
	const char *c = text;
	uint64_t pages = 0;
	while (*c && *c != ' ')
		c++;
	for (c += *c == ' '; *c >= '0' && *c <= '9'; c++)
		pages = pages * 10 + (uint64_t)(*c - '0');
	return pages * PAGE;
}

static void end_run(long pid)
{
	sys3(SYS_kill, -pid, SIGKILL, 0);
	sys3(SYS_kill, pid, SIGKILL, 0);
}

/* Until the run has ended; why, if it was us. */
static enum serve_ended await_run(long pid, int handle, uint64_t most_memory)
{
	enum serve_ended ended = ENDED_ITSELF;
	for (unsigned fds_of = 2;;) {
		struct timespec nap = { .tv_nsec = WATCH_MS * 1000000 };
		struct pollfd fds[2] = { { .fd = handle, .events = POLLIN }, { .fd = channel, .events = POLLIN } };
		long n = sys6(SYS_ppoll, (long)fds, fds_of, most_memory && !ended ? (long)&nap : 0, 0, 8, 0);
		if (n > 0 && fds[0].revents)
			return ended;
		if (n > 0 && fds_of == 2 && fds[1].revents && __atomic_load_n(&steer->kept, __ATOMIC_ACQUIRE) > level) {
			fds_of = 1;                     /* the run is a server: what is said is said to it */
		} else if (n > 0 && fds_of == 2 && fds[1].revents) {
			struct serve_command c = { .word = 0 };
			long got = sys3(SYS_read, channel, (long)&c, sizeof c);
			if (got == sizeof c && c.word != SERVE_STOP)
				continue;
			end_run(pid);
			if (got != sizeof c && got != -EINTR)
				leave(0);
			ended = ENDED_STOPPED;
		}
		if (n == 0 && memory_of(pid) > most_memory) {
			end_run(pid);
			ended = ENDED_MEMORY;
		}
	}
}

/* Children of ours that are no run: what a run left behind comes to us when its parent is gone. */
static void end_children(void)
{
	static char text[4096];
	long fd = sys6(SYS_openat, AT_FDCWD, (long)"/proc/thread-self/children", O_RDONLY | O_CLOEXEC, 0, 0, 0);
	long got = fd < 0 ? 0 : sys3(SYS_read, fd, (long)text, sizeof text - 1);
	if (fd >= 0)
		sys3(SYS_close, fd, 0, 0);
	for (long i = 0, pid = 0; i < got; i++) {
		if (text[i] >= '0' && text[i] <= '9')
			pid = pid * 10 + (text[i] - '0');
		else if (pid)
			sys3(SYS_kill, pid, SIGKILL, 0), pid = 0;
	}
}

/* The run is gone, and what it left behind is ours by now: if there is no child, nothing is left. */
static uint64_t end_leftovers(long run)
{
	uint64_t count = 0;
	for (;;) {
		long pid = sys6(SYS_wait4, -1, 0, WNOHANG | __WALL, 0, 0, 0);
		if (pid < 0 && pid != -EINTR)
			return count;
		count += pid > 0;
		sys3(SYS_kill, -run, SIGKILL, 0);
		if (pid == 0) {
			struct timespec nap = { .tv_nsec = 100000 };
			end_children();
			sys3(SYS_nanosleep, (long)&nap, 0, 0);
		}
	}
}

static uint64_t nanoseconds(void)
{
	struct timespec t;
	sys3(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&t, 0);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* true: this is the run. */
static bool make_run(const struct serve_command *order)
{
	int handle = -1;
	if (!level)
		pool_fill(__atomic_load_n(&steer->new_threads, __ATOMIC_RELAXED));
	memories_restore();
	warm_looks = !level && ++made == WARM_AT;
	uint64_t before = nanoseconds();
	long pid = sys6(SYS_clone, CLONE_PIDFD | SIGCHLD, 0, (long)&handle, 0, 0, 0);
	if (pid == 0) {
		become_process();
		return true;
	}
	struct serve_report done = { .what = REPORT_DONE, .pid = (int32_t)pid, .status = -1, .copying = nanoseconds() - before };
	if (pid > 0) {
		struct rusage used;
		done.ended = await_run(pid, handle, order->most_memory);
		sys6(SYS_wait4, pid, (long)&done.status, __WALL, (long)&used, 0, 0);
		sys3(SYS_close, handle, 0, 0);
		done.nanoseconds = (uint64_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000000u +
			(uint64_t)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000u;
		done.leftovers = end_leftovers(pid);
		if (warm_looks)
			warm_keep();
	}
	report(&done);
	return false;
}

void serve_stays(int32_t code)
{
	uint32_t seen = __atomic_load_n(&steer->orders, __ATOMIC_ACQUIRE);
	report(&(struct serve_report){ .what = REPORT_STAYS, .pid = (int32_t)run_pid, .status = code << 8 });
	while (__atomic_load_n(&steer->orders, __ATOMIC_ACQUIRE) == seen)
		sys_futex_wait(&steer->orders, seen, NULL);
	if (!steer->stays)
		leave(code);
}

/* Returns in a run. */
static void take_orders(void)
{
	struct serve_command c;
	for (;;) {
		long got = sys3(SYS_read, channel, (long)&c, sizeof c);
		if (got == -EINTR)
			continue;
		if (got != sizeof c || (c.word == SERVE_LEAVE && level))
			leave(0);
		if (c.word == SERVE_RUN && make_run(&c))
			return;
	}
}

static void serve_apart(void)
{
	take_orders();
	context_back(where);
}

/* On a stack of its own: the program's is to have the same below in every run, for those who read what they never wrote. */
static void make_runs(void)
{
	if (steer->switched_by != SWITCH_GHOST)         /* the processor may not let us */
		take_orders();
	else if (!context_mark(where))
		context_on(own_stack + sizeof own_stack, serve_apart);
}

void serve(void)
{
	uint64_t mask;
	size_t length;
	struct serve_report ready = { .what = REPORT_READY, .pid = (int32_t)sys3(SYS_getpid, 0, 0, 0) };
	serve_waits = false;
	rt_enter();
	channel = steer->serve_fd;
	told_pid = ready.pid;
	told_parent = sys3(SYS_getppid, 0, 0, 0);
	sys_block_signals(&mask);
	sys3(SYS_prctl, PR_SET_CHILD_SUBREAPER, 1, 0);
	sys3(SYS_get_robust_list, 0, (long)&robust, (long)&length);
	rt_find_own_memory();                   /* libc reads a file for that: once is enough */
	tid = first_tid_word();
	private_start();
	offsets_start();
	memories_save();
	report(&ready);
	make_runs();
	begin_first();
	if (!restart_mask_is(mask))
		sys_set_signals(&mask);
	rt_leave();
}

/* ---- a run that becomes a server ---- */

void serve_keep(void)
{
	uint64_t mask;
	struct serve_report kept = { .what = REPORT_KEPT, .pid = (int32_t)sys3(SYS_getpid, 0, 0, 0) };
	steer->keep_at = UINT64_MAX;
	if (!keep_possible())
		return;
	rt_enter();
	sys_block_signals(&mask);
	__atomic_store_n(&steer->kept, ++level, __ATOMIC_RELEASE);      /* whoever made this run leaves the orders to it */
	if (memories_save()) {
		sys3(SYS_prctl, PR_SET_CHILD_SUBREAPER, 1, 0);
		report(&kept);
		make_runs();
	} else {
		steer->kept = --level;
		steer->keep_refused = KEEP_MEMORY;
	}
	if (!restart_mask_is(mask))
		sys_set_signals(&mask);
	signals_kernel_told(mask);
	rt_leave();
}

/* ---- a run that others part from ---- */

static bool is_part, is_saved;

/* Every strand gives up what it has written: raddle empties the ring before a copy is made, and after it. */
static bool hand_over(void)
{
	for (uint32_t i = 0; i < strand_count; i++) {
		const struct strand *s = &strands[i];
		if (!s->thread_pointer || s->unmade || s->seen->state == STRAND_NONE || s->seen->state == STRAND_ENDED)
			continue;
		if (!segment_hand_over((struct raddle_tls *)((char *)&raddle_tls + (s->thread_pointer - own_strand->thread_pointer))))
			return false;
	}
	return true;
}

static void begin_part(void)
{
	const struct fault_order *order = (const struct fault_order *)((const char *)ring + RING_FAULT_AT);
	steer->keep_at = UINT64_MAX;
	become_process();
	tasks_told_in_advance((int32_t)told_pid, (int32_t)told_parent);
	if (!reopen_begin(order->room)) {
		steer->keep_refused = KEEP_FILES;
		leave(125);
	}
}

/* true: this is the copy. */
static bool make_part(const struct serve_command *c)
{
	int handle = -1;
	struct rusage used = { 0 };
	if (is_saved)
		memories_restore();
	is_saved = memories_save();
	uint64_t before = nanoseconds();
	long pid = is_saved ? sys6(SYS_clone, CLONE_PIDFD | SIGCHLD, 0, (long)&handle, 0, 0, 0) : -ENOMEM;
	if (pid == 0) {
		begin_part();
		return true;
	}
	struct serve_report done = { .what = REPORT_DONE, .pid = (int32_t)pid, .status = -1, .copying = nanoseconds() - before };
	if (pid > 0) {
		done.ended = await_run(pid, handle, c->most_memory);
		sys6(SYS_wait4, pid, (long)&done.status, __WALL, (long)&used, 0, 0);
		sys3(SYS_close, handle, 0, 0);
		done.leftovers = end_leftovers(pid);
	}
	report(&done);
	return false;
}

static void stand(void)
{
	struct serve_command c;
	for (is_part = false; !is_part; ) {
		long got = sys3(SYS_read, channel, (long)&c, sizeof c);
		if (got == -EINTR)
			continue;
		if (got != sizeof c)
			leave(0);
		if (c.word == SERVE_ON)
			break;
		if (c.word == SERVE_RUN)
			is_part = make_part(&c);
	}
	if (!is_part && is_saved)
		memories_restore();
	if (!is_part)
		steer->keep_at = KEEP_PARTS;
	is_saved = false;
	context_back(where);
}

static void begin_standing(void)
{
	size_t length;
	channel = steer->serve_fd;
	told_pid = sys3(SYS_getpid, 0, 0, 0);
	told_parent = sys3(SYS_getppid, 0, 0, 0);
	tid = first_tid_word();
	sys3(SYS_get_robust_list, 0, (long)&robust, (long)&length);
	sys3(SYS_prctl, PR_SET_CHILD_SUBREAPER, 1, 0);
}

bool serve_part(void)
{
	uint64_t mask;
	if (steer->keep_at != KEEP_PARTS)
		return false;
	rt_enter();
	sys_block_signals(&mask);
	if (!told_pid)
		begin_standing();
	uint32_t refused = keep_possible() ? 0 : steer->keep_refused;
	if (!refused)
		refused = !reopen_look() ? KEEP_FILES : !hand_over() ? KEEP_HANDLER : 0;       /* further on there may be none */
	report(&(struct serve_report){ .what = REPORT_KEPT, .pid = (int32_t)told_pid, .status = (int32_t)refused });
	if (steer->switched_by == SWITCH_GHOST && !context_mark(where))
		context_on(own_stack + sizeof own_stack, stand);
	sys_set_signals(&mask);
	signals_kernel_told(mask);
	rt_leave();
	return is_part;
}
