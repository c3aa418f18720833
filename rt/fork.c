/* rt/fork.c -- processes: how they come to be and how they end.
 *
 * A child with memory of its own becomes a process of the recording before any code of the program runs in it: by an atfork
 * handler registered before all others (fork, daemon, forkpty), after _Fork, clone and raw system calls.
 * The child of vfork (and clone with CLONE_VM and CLONE_VFORK) has no memory of its own: it runs on the stack and in the
 * thread-local block of a thread that waits for it.  What it does until exec or _exit is what happens to that memory, and is
 * recorded as part of the waiting thread; only how it ends is its own affair (process_is_borrowed).
 * clone with CLONE_VM that shares the thread-local block with a parent that runs on: neither can be recorded; it is said.
 * A program that execs is a new process in the trace, if RADDLE_RING is in the environment it passes on.
 * EXIT is written by an on_exit function registered first, hence run after the program's own and its destructors. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rt/effect.h"
#include "rt/fork.h"
#include "rt/restart.h"
#include "rt/segment.h"
#include "rt/signal.h"
#include "rt/steer.h"

enum process_how { HOW_FORK = 0, HOW_VFORK = 1, HOW_CLONE = 2, HOW_SPAWN = 3 };

static long own_pid;
static bool exit_noted;         /* in a static program exit itself comes through _exit */
static __thread uint64_t fork_pc __attribute__((tls_model("initial-exec")));
static __thread bool in_fork __attribute__((tls_model("initial-exec")));     /* its handlers will say what became of it */

bool process_is_borrowed(void)
{
	return own_pid && !restart_on && sys3(SYS_getpid, 0, 0, 0) != own_pid;
}

void process_is(long pid)
{
	own_pid = pid;
}

static void becomes_process(void)
{
	own_pid = sys3(SYS_getpid, 0, 0, 0);
	exit_noted = false;
	signals_forked();
	rt_process_forked(fork_pc);
}

static void fork_begins(void)
{
	in_fork = true;
}

static void fork_ends(void)
{
	in_fork = false;
}

static void fork_ends_in_child(void)
{
	in_fork = false;
	becomes_process();
}

void rt_exits(int code, uint64_t pc)
{
	if (!ring || exit_noted || process_is_borrowed())
		return;
	steer_point(EV_EXIT, 0, pc);                    /* it is an end for the other threads too */
	if (exit_noted)
		return;
	exit_noted = true;
	if (rt_on())
		rt_event(EV_EXIT, 0, (uint64_t)code, 0, 0, pc);
	rt_process_ends(EV_EXIT, code);
}

/* libc has the destructors of a static program in the same row as ours, and put them there before: they come after it. */
#ifdef RADDLE_STATIC
#define COMES_LAST false
#else
#define COMES_LAST true
#endif

static void at_exit(int code, void *unused);

/* While this thread waits at its point another one may call exit, too: libc would find nothing left to run for it. */
static void at_exit_again(void)
{
	if (!ring || exit_noted)
		return;
	rt_enter();
	on_exit(at_exit, NULL);
	rt_leave();
}

static void at_exit(int code, void *unused)
{
	(void)unused;
	at_exit_again();
	rt_exits(code, 0);
	if (COMES_LAST && restart_on && !__fpending(stdout) && !__fpending(stderr))     /* nothing is left to do but end */
		restart_ended(OUTCOME_EXIT, code & 255);
}

__attribute__((constructor(103))) static void start(void)
{
	if (!ring)
		return;
	own_pid = sys3(SYS_getpid, 0, 0, 0);
	rt_enter();
	pthread_atfork(fork_begins, fork_ends, fork_ends_in_child);
	on_exit(at_exit, NULL);
	rt_leave();
}

static void note_process(long pid, enum process_how how, uint64_t pc)
{
	rt_event(EV_PROCESS, pid > 0 ? (uint64_t)pid : 0, how, 0, pid < 0 ? errno : 0, pc);
}

INTERPOSE(pid_t, fork, (void))
{
	if (!rt_on())
		return REAL(fork)();
	fork_pc = RT_PC;
	pid_t pid = REAL(fork)();
	if (pid)
		note_process(pid, HOW_FORK, RT_PC);
	return pid;
}

INTERPOSE(pid_t, _Fork, (void))
{
	if (!ring || in_fork)                    /* in a static program fork itself comes through here */
		return REAL(_Fork)();
	fork_pc = RT_PC;
	pid_t pid = REAL(_Fork)();
	if (!pid)
		becomes_process();
	else if (rt_on())
		note_process(pid, HOW_FORK, RT_PC);
	return pid;
}

/* The parent's side of vfork (vfork.S): what the system call gave, with errno still to be set. */
long rt_vforked(long result, uint64_t pc);
long rt_vforked(long result, uint64_t pc)
{
	if (result < 0)
		errno = (int)-result;
	signals_at((uint64_t)__builtin_frame_address(0));
	if (rt_on())
		note_process(result < 0 ? -1 : result, HOW_VFORK, pc);
	return result < 0 ? -1 : result;
}

void rt_forked_by_syscall(long number, long result, uint64_t pc)
{
	enum process_how how = number == SYS_fork ? HOW_FORK : number == SYS_vfork ? HOW_VFORK : HOW_CLONE;
	if (!ring)
		return;
	if (!result && how != HOW_VFORK)
		becomes_process();
	else if (result && rt_on())
		note_process(result, how, pc);
}

struct clone_start { int (*run)(void *); void *arg; };

static int clone_main(void *start)
{
	struct clone_start s = *(struct clone_start *)start;     /* a copy: the memory is the child's own */
	becomes_process();
	int code = s.run(s.arg);
	rt_exits(code & 255, 0);
	return code;
}

INTERPOSE(int, clone, (int (*run)(void *), void *stack, int flags, void *arg, ...))
{
	va_list rest;
	va_start(rest, arg);
	void *parent_tid = va_arg(rest, void *), *tls = va_arg(rest, void *), *child_tid = va_arg(rest, void *);
	va_end(rest);
	struct clone_start s = { run, arg };
	if (!ring)
		return REAL(clone)(run, stack, flags, arg, parent_tid, tls, child_tid);
	if (!(flags & (CLONE_VM | CLONE_THREAD)))
		run = clone_main, arg = &s;
	else if (!(flags & (CLONE_VFORK | CLONE_SETTLS)) && raddle_tls.mode != MODE_OFF) {
		rt_say("clone: a task that shares this thread's local storage; neither is recorded from here on");
		raddle_tls.area->lost++;
		raddle_tls.mode = MODE_OFF;
	}
	int pid = REAL(clone)(run, stack, flags, arg, parent_tid, tls, child_tid);
	if (flags & CLONE_VFORK)
		signals_at((uint64_t)__builtin_frame_address(0));
	if (rt_on())
		note_process(pid, HOW_CLONE, RT_PC);
	return pid;
}

#define SPAWN_LIKE(name) \
	INTERPOSE(int, name, (pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions, \
		const posix_spawnattr_t *attr, char *const argv[], char *const envp[])) \
	{ \
		if (!rt_on()) \
			return REAL(name)(pid, path, actions, attr, argv, envp); \
		pid_t child = 0; \
		int failed = REAL(name)(&child, path, actions, attr, argv, envp); \
		rt_event(EV_PROCESS, (uint64_t)child, HOW_SPAWN, 0, failed, RT_PC); \
		if (pid && !failed) { \
			*pid = child; \
			effect_result(pid, sizeof *pid, RT_PC); \
		} \
		return failed; \
	}
SPAWN_LIKE(posix_spawn)
SPAWN_LIKE(posix_spawnp)

/* ---- daemon: in libc its parent ends by a system call nobody can see ---- */

static int to_dev_null(void)
{
	struct stat about;
	int fd = open("/dev/null", O_RDWR);
	if (fd < 0)
		return -1;
	if (fstat(fd, &about) || !S_ISCHR(about.st_mode)) {
		close(fd);
		errno = ENODEV;
		return -1;
	}
	for (int to = 0; to < 3; to++)
		dup2(fd, to);
	if (fd > 2)
		close(fd);
	return 0;
}

INTERPOSE(int, daemon, (int keep_directory, int keep_files))
{
	if (!ring)
		return REAL(daemon)(keep_directory, keep_files);
	fork_pc = RT_PC;
	pid_t pid = REAL(fork)();
	if (pid && rt_on())
		note_process(pid, HOW_FORK, RT_PC);
	if (pid < 0)
		return -1;
	if (pid) {
		rt_exits(0, RT_PC);
		REAL(_exit)(0);
	}
	if (setsid() < 0)
		return -1;
	if (!keep_directory && chdir("/"))
		errno = 0;                       /* as libc: the root directory is not insisted on */
	return keep_files ? 0 : to_dev_null();
}

/* ---- ends ---- */

#define EXIT_LIKE(name) \
	INTERPOSE(_Noreturn void, name, (int code)) \
	{ \
		rt_exits(code, RT_PC); \
		REAL(name)(code); \
		__builtin_unreachable(); \
	}
EXIT_LIKE(_exit)
EXIT_LIKE(_Exit)
EXIT_LIKE(quick_exit)
