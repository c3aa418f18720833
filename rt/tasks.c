/* rt/tasks.c -- system calls that concern processes.
 * Another process belongs to the outside: it runs in the recorded run only, a replay hears from it what the log has.  A signal
 * to ourselves is really sent, in a replay too; there our numbers are not those the program has been told. */
#include <sched.h>
#include <sys/wait.h>

#include "rt/children.h"
#include "rt/descriptors.h"
#include "rt/fork.h"
#include "rt/input.h"
#include "rt/private.h"
#include "rt/script.h"
#include "rt/segment.h"
#include "rt/serve.h"
#include "rt/signal.h"
#include "rt/world.h"

static int32_t pid_told;                      /* in a replay: what getpid said; in a run of a server: its number; 0: not asked */
static int32_t parent_told;                   /* in a run of a server */

void tasks_told(const struct world_call *c, long result)
{
	if (c->number == SYS_getpid)
		pid_told = (int32_t)result;
	if (c->number == SYS_gettid)
		own_strand->tid_told = (int32_t)result;
}

void tasks_told_in_advance(int32_t pid, int32_t parent)
{
	pid_told = pid;
	parent_told = parent;
}

/* In a run of a server: the kernel's number for what the program calls its own. */
static bool is_told(long number)
{
	return parent_told && pid_told && (int32_t)number == pid_told;
}

/* All strands are one kernel thread, and yet each has a number of its own: the one libc writes into the locks it holds. */
static bool has_own_number(const struct strand *s)
{
	return s->number && steer->switched_by == SWITCH_GHOST;
}

long own_number(const struct world_call *c)
{
	struct world_call real = *c;
	if (c->number == SYS_gettid && has_own_number(own_strand))
		return own_strand->tid;
	if (!parent_told)
		return kernel_call(c);
	if (c->number == SYS_getppid)
		return parent_told;
	if (c->number == SYS_getpgid && is_told(c->a[0]))
		real.a[0] = 0;
	long result = kernel_call(&real);
	return result == steer->pid ? pid_told : result;
}

/* The number of the process the program knows itself by. */
int32_t pid_as_told(void)
{
	return pid_told ? pid_told : steer->pid;
}

static bool is_own_thread(int32_t tid, int32_t *real)
{
	const struct strand *s = signals_strand(tid);
	if (!s)
		return false;
	bool first = s->number == 0 || steer->switched_by == SWITCH_GHOST;
	*real = s == own_strand ? (int32_t)sys3(SYS_gettid, 0, 0, 0) : first ? steer->pid : s->tid;
	return true;
}

/* Calls that name a thread to be scheduled otherwise: where all strands are one kernel thread, it is that one. */
void task_named(struct world_call *c)
{
	int32_t tid;
	switch (c->number) {
	case SYS_sched_setscheduler: case SYS_sched_getscheduler: case SYS_sched_setparam: case SYS_sched_getparam:
	case SYS_sched_setaffinity: case SYS_sched_getaffinity: case SYS_sched_setattr: case SYS_sched_getattr:
		if (steer->switched_by == SWITCH_GHOST && is_own_thread((int32_t)c->a[0], &tid))
			c->a[0] = 0;
		break;
	case SYS_setpriority: case SYS_getpriority:
		if (steer->switched_by == SWITCH_GHOST && c->a[0] == 0 && is_own_thread((int32_t)c->a[1], &tid))
			c->a[1] = 0;
		break;
	case SYS_setpgid: case SYS_getsid: case SYS_prlimit64: case SYS_pidfd_open: case SYS_process_vm_readv: case SYS_process_vm_writev:
		if (is_told(c->a[0]))
			c->a[0] = steer->pid;
		break;
	case SYS_wait4:                                  /* of this process group */
		if (is_told(-c->a[0]))
			c->a[0] = -steer->pid;
		break;
	case SYS_waitid:
		if (c->a[0] == P_PGID && is_told(c->a[1]))
			c->a[1] = steer->pid;
	}
}

/* A run of a server: a signal to processes it did not make.  true: to all, or to who runs it: that one is not sent. */
static bool leaves_the_run(struct world_call *c)
{
	int32_t to = (int32_t)c->a[0];
	if (c->number == SYS_kill && to == -pid_told) {
		c->a[0] = -steer->pid;
		return false;
	}
	if (to > 0 && to != parent_told && sys3(SYS_getpgid, to, 0, 0) == steer->pid)
		return false;
	private_leaves(to == -1 ? "sends a signal to every process" : "sends a signal to another process", NULL);
	return to == -1 || to == parent_told || (to < -1 && -to == sys3(SYS_getpgid, parent_told, 0, 0));
}

/* The strand a call by number means; NULL: none, or not one alone. */
static struct strand *strand_named(const struct world_call *c)
{
	switch (c->number) {
	case SYS_tkill:  return signals_strand((int32_t)c->a[0]);
	case SYS_tgkill: return (int32_t)c->a[0] == pid_as_told() ? signals_strand((int32_t)c->a[1]) : NULL;
	default:         return NULL;
	}
}

/* What fails, or is no signal, is the kernel's business: it is asked below. */
static bool is_ordinary(long number)
{
	return number > 0 && number <= 64 && !signal_is_failure((int)number) && number != SIGKILL && number != SIGSTOP;
}

static long send_to(struct strand *to, int number, uint64_t pc)
{
	steer_point(EV_SIGSEND, 0, pc);
	rt_event(EV_SIGSEND, 0, (uint64_t)number, 0, 0, pc);
	return -signals_send(to, number, SI_TKILL, NULL);
}

/* ---- libc tells its threads to change their user or group ----  The kernel has users and groups for each kernel thread, so libc's setuid and its like send
 * each thread a signal of libc's own, whose handler makes the call there, and wait until all have.  Strands that are one kernel thread change with it:
 * libc is told that they are gone, and leaves them out; so in a replay, which makes no such call.  Kernel threads take the signal where they wait for
 * their turn, and who sent it waits for them in the kernel: it is nothing a strand could be chosen for. */
#define SIGNAL_SETXID 33

static bool is_setxid(const struct world_call *c)
{
	return c->number == SYS_tgkill && c->a[2] == SIGNAL_SETXID && !c->by_name;
}

static long setxid_signal(const struct world_call *c)
{
	int32_t tid;
	if (steer->switched_by == SWITCH_GHOST || input_serving() || !is_own_thread((int32_t)c->a[1], &tid))
		return -ESRCH;
	own_strand->changes_all = true;
	return sys3(SYS_tgkill, steer->pid, tid, SIGNAL_SETXID);
}

/* What it does next is to wait for the handlers, then to make the call itself. */
bool task_awaits_threads(const struct world_call *c)
{
	if (rt_likely(!own_strand->changes_all) || is_setxid(c))
		return false;
	own_strand->changes_all = c->number == SYS_futex;
	return own_strand->changes_all;
}

long signal_call(struct world_call *c)
{
	struct world_call real = *c;
	int32_t tid = 0, first = (int32_t)c->a[0];
	if (is_setxid(c))
		return setxid_signal(c);
	bool ours = first == pid_as_told();
	struct strand *to = strand_named(c);
	if (to && is_ordinary(c->a[c->number == SYS_tkill ? 1 : 2]))
		return send_to(to, (int)c->a[c->number == SYS_tkill ? 1 : 2], c->pc);
	if (c->number == SYS_tkill)
		ours = is_own_thread(first, &tid) || ours;
	else if (c->number == SYS_kill || c->number == SYS_rt_sigqueueinfo)
		ours = ours || first == 0;
	if (!ours && parent_told && leaves_the_run(c))
		return 0;
	if (!ours)
		return world_logged(c);
	if (c->number != SYS_tkill && first)
		real.a[0] = steer->pid;
	if ((c->number == SYS_tgkill || c->number == SYS_rt_tgsigqueueinfo) && is_own_thread((int32_t)c->a[1], &tid))
		real.a[1] = tid;
	if (c->number == SYS_tkill)
		real.a[0] = tid;
	return kernel_call(&real);
}

static _Noreturn void became_another(void)
{
	rt_say("here the program became another one by exec, which a replay does not run: its end is the recorded one");
	for (;;)
		sys3(SYS_exit_group, steer->exits_with, 0, 0);
}

/* Comes back only if it failed. */
long exec_call(struct world_call *c)
{
	if (!input_serving()) {
		long result = kernel_call(c);
		input_note(INPUT_CALL, c, result, NULL, 0, 0, 0);
		return result;
	}
	if (!input_has_more(own_strand) && !script_was_killed())
		became_another();
	return input_next(INPUT_CALL, c)->result;
}

/* A process was made, or would have been. */
long task_made(const struct world_call *c, long pid)
{
	fds_shared();
	children_made(pid);
	input_note(INPUT_CALL, c, pid, NULL, 0, 0, 0);
	return pid;
}

static void say_lent(void)
{
	static bool said;
	steer->lent = 1;
	if (!said && !steer->apart)
		rt_say("this program shares memory with a process it has made: what that one does there is not steered, and a replay does not have it");
	said = true;
}

/* A process with memory of its own, whatever the program would have lent it: its child has only exec or _exit in mind. */
long fork_call(struct world_call *c)
{
	if (rt_unlikely(serve_waits))                    /* its child is this run's */
		serve();
	if (input_serving())
		return input_next(INPUT_CALL, c)->result;
	struct world_call own = *c;
	if (c->number == SYS_vfork)
		own.number = SYS_fork;
	if (c->number == SYS_clone)
		own.a[0] &= ~(long)(CLONE_VM | CLONE_VFORK);
	long pid = kernel_call(&own);
	if (pid > 0 && c->number != SYS_vfork && map_lends())
		say_lent();
	return pid ? task_made(c, pid) : 0;
}

/* vfork, from vfork.S. */
long rt_steered_vfork(void);
long rt_steered_vfork(void)
{
	struct world_call c = { .number = SYS_vfork };
	long pid = world_wanted() ? fork_call(&c) : sys3(SYS_fork, 0, 0, 0);
	rt_forked_by_syscall(SYS_fork, pid, RT_PC);
	if (!pid)
		segment_next(CURSOR_NONE);              /* its caller goes on writing where it was: into nothing */
	return world_errno(pid);
}
