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
 *   (4) a run cannot outlive its server, nor a process the run made its run: the server ends whatever is left. */
#include "rt/serve.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "rt/fork.h"
#include "rt/pool.h"
#include "rt/private.h"
#include "rt/restart.h"
#include "rt/segment.h"
#include "rt/strands.h"
#include "rt/sys.h"
#include "rt/world.h"
#include "wire/serve.h"

#define WATCH_MS 10                     /* a run that takes longer is looked at this often */
#define PAGE     4096u

bool serve_waits;

static int channel;
static struct robust_list_head *robust;
static int32_t *tid;                    /* the kernel clears it when the first thread ends: who joins it waits for that */
static struct {                         /* the shared memories at the server's point, as far as runs write into them */
	char head[sizeof(struct steer_head) - offsetof(struct steer_head, pid)];
	struct steer_strand first;
	struct ring_head ring;
	struct process_entry process;
	char area[AREA_BYTES];
} saved;

/* ---- the shared memories ---- */

static struct steer_strand *first_seen(void)
{
	return strands[0].seen;
}

static void save(void)
{
	copy_bytes(saved.head, &steer->pid, sizeof saved.head);
	copy_bytes(&saved.first, first_seen(), sizeof saved.first);
	copy_bytes(&saved.ring, ring, sizeof saved.ring);
	copy_bytes(&saved.process, ring_process(process_index), sizeof saved.process);
	copy_bytes(saved.area, raddle_tls.area, AREA_BYTES);
}

/* Numbers in shared memory are only believed as far as the tables go. */
static uint32_t at_most(uint32_t number, uint32_t most)
{
	return number < most ? number : most;
}

/* Processes, objects and threads that joined during the last run are gone. */
static void forget_joined(void)
{
	for (uint32_t i = process_index + 1; i < RING_PROCESSES && ring_process(i)->state != PROC_FREE; i++)
		ring_process(i)->state = PROC_FREE;
	for (uint32_t i = saved.ring.next_module; i < at_most(ring->next_module, RING_MODULES); i++)
		ring_module(i)->state = 0;
	for (uint32_t i = saved.ring.next_uid + 1; i <= at_most(ring->next_uid, RING_THREADS - 1); i++)
		ring_area(i)->state = AREA_FREE;
}

static void restore(void)
{
	forget_joined();
	copy_bytes(&steer->pid, saved.head, sizeof saved.head);
	copy_bytes(first_seen(), &saved.first, sizeof saved.first);
	copy_bytes(ring_process(process_index), &saved.process, sizeof saved.process);
	copy_bytes(raddle_tls.area, saved.area, AREA_BYTES);
	ring->next_uid = saved.ring.next_uid;
	ring->next_module = saved.ring.next_module;
	ring->alloc_version = saved.ring.alloc_version;
	ring->lost_threads = saved.ring.lost_threads;
	ring->lost_processes = saved.ring.lost_processes;
	ring->lost_modules = saved.ring.lost_modules;
}

/* ---- in the run ---- */

static void begin_run(long server, long parent)
{
	long pid = sys3(SYS_getpid, 0, 0, 0);
	sys3(SYS_close, channel, 0, 0);
	sys3(SYS_setpgid, 0, 0, 0);
	sys3(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0);
	sys3(SYS_set_robust_list, (long)robust, sizeof *robust, 0);
	sys3(SYS_set_tid_address, (long)tid, 0, 0);
	process_is(pid);
	tasks_told_in_advance((int32_t)server, (int32_t)parent);
	ring_process(process_index)->pid = (int32_t)pid;
	__atomic_store_n(&steer->pid, (int32_t)pid, __ATOMIC_RELEASE);
	dispatch_thread();
	if (steer->runs > 1) {
		rt_find_own_memory();                    /* libc reads a file for that */
		pool_fill();
		restart_here();
	}
	steer_ordered();
	rt_thread_announce();
}

/* The next run of the same process: the shared memories as they were when the first one began. */
void serve_again(void)
{
	int32_t pid = steer->pid;
	restore();
	ring_process(process_index)->pid = pid;
	__atomic_store_n(&steer->pid, pid, __ATOMIC_RELEASE);
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
	for (;;) {
		struct timespec nap = { .tv_nsec = WATCH_MS * 1000000 };
		struct pollfd fds[2] = { { .fd = handle, .events = POLLIN }, { .fd = channel, .events = POLLIN } };
		long n = sys6(SYS_ppoll, (long)fds, 2, most_memory && !ended ? (long)&nap : 0, 0, 8, 0);
		if (n > 0 && fds[0].revents)
			return ended;
		if (n > 0 && fds[1].revents) {
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

static uint64_t end_leftovers(long run)
{
	uint64_t count = 0;
	for (;;) {
		sys3(SYS_kill, -run, SIGKILL, 0);
		long pid = sys6(SYS_wait4, -1, 0, WNOHANG | __WALL, 0, 0, 0);
		if (pid < 0 && pid != -EINTR)
			return count;
		count += pid > 0;
		if (pid == 0) {
			struct timespec nap = { .tv_nsec = 100000 };
			end_children();
			sys3(SYS_nanosleep, (long)&nap, 0, 0);
		}
	}
}

/* true: this is the run. */
static bool make_run(const struct serve_command *order)
{
	int handle = -1;
	long server = sys3(SYS_getpid, 0, 0, 0), parent = sys3(SYS_getppid, 0, 0, 0);
	restore();
	long pid = sys6(SYS_clone, CLONE_PIDFD | SIGCHLD, 0, (long)&handle, 0, 0, 0);
	if (pid == 0) {
		begin_run(server, parent);
		return true;
	}
	struct serve_report done = { .what = REPORT_DONE, .pid = (int32_t)pid, .status = -1 };
	if (pid > 0) {
		struct rusage used;
		done.ended = await_run(pid, handle, order->most_memory);
		sys6(SYS_wait4, pid, (long)&done.status, __WALL, (long)&used, 0, 0);
		sys3(SYS_close, handle, 0, 0);
		done.nanoseconds = (uint64_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000000u +
			(uint64_t)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000u;
		done.leftovers = end_leftovers(pid);
	}
	report(&done);
	return false;
}

void serve(void)
{
	uint64_t mask;
	size_t length;
	struct serve_command c;
	struct serve_report ready = { .what = REPORT_READY, .pid = (int32_t)sys3(SYS_getpid, 0, 0, 0) };
	serve_waits = false;
	rt_enter();
	channel = steer->serve_fd;
	sys_block_signals(&mask);
	sys3(SYS_prctl, PR_SET_CHILD_SUBREAPER, 1, 0);
	sys3(SYS_get_robust_list, 0, (long)&robust, (long)&length);
	rt_find_own_memory();                   /* libc reads a file for that: once is enough */
	tid = first_tid_word();
	private_start();
	save();
	report(&ready);
	for (;;) {
		long got = sys3(SYS_read, channel, (long)&c, sizeof c);
		if (got == -EINTR)
			continue;
		if (got != sizeof c)
			leave(0);
		if (c.word == SERVE_RUN && make_run(&c))
			break;
	}
	sys_set_signals(&mask);
	rt_leave();
}
