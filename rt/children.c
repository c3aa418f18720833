/* rt/children.c -- processes a steered program has made.  They are not steered; what the program hears from them is input.
 *
 * When a child ends depends on the machine.  So that the same order gives the same run where that is possible, a wait for a child that is about
 * to end is given the time until it has: as long as it computes, PATIENCE_BUSY at most, and PATIENCE_IDLE if it sleeps, since it may wait for
 * another thread of the program.  After that others run meanwhile.
 * A program that asks again and again whether a child has ended (WNOHANG), or has a handler for SIGCHLD, waits for the outside without saying so: as
 * long as such a child lives, time that passes passes as it really does (policy.c). */
#include "rt/children.h"

#include <fcntl.h>
#include <sys/wait.h>

#include "rt/input.h"
#include "rt/signal.h"
#include "rt/words.h"

#define CHILDREN      256u
#define PATIENCE_BUSY 2000000000u
#define PATIENCE_IDLE 20000000u
#define NAP_LEAST     50000u
#define NAP_MOST      1000000u
#define SIGCHLD_BIT   (1ull << (SIGCHLD - 1))

static int32_t children[CHILDREN];
static uint32_t children_count;
static bool asked_in_vain;

void children_made(long pid)
{
	if (pid > 0 && children_count < CHILDREN)
		children[children_count++] = (int32_t)pid;
}

void children_asked(const struct world_call *c, long result)
{
	const siginfo_t *info = c->number == SYS_waitid ? (const siginfo_t *)c->a[2] : NULL;
	if (call_about(c->number)->await == AWAIT_CHILD && result == 0 && (c->number == SYS_wait4 || (info && !info->si_pid)))
		asked_in_vain = true;
}

/* 1: it lives; 0: it has ended; -1: it is no child any more. */
static int lives(int32_t pid)
{
	siginfo_t info = { .si_pid = 0 };
	long result = sys6(SYS_waitid, P_PID, pid, (long)&info, WEXITED | WNOHANG | WNOWAIT | __WALL, 0, 0);
	return result < 0 ? -1 : info.si_pid == 0;
}

bool children_live(void)
{
	bool some = false;
	for (uint32_t i = 0; i < children_count; ) {
		int found = lives(children[i]);
		some = some || found > 0;
		if (found < 0)
			children[i] = children[--children_count];
		else
			i++;
	}
	return some;
}

static bool looks_for_signal(void)
{
	struct sigaction action;
	for (uint32_t i = 0; i < steer_strand_count(); i++)
		if (steer_strand(i)->awaits & SIGCHLD_BIT)
			return true;
	signal_given(SIGCHLD, &action);
	return action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

bool children_may_tell(void)
{
	return children_count && !input_serving() && (asked_in_vain || looks_for_signal()) && children_live();
}

/* ---- waiting ---- */

static bool one_has_ended(const struct world_call *c)
{
	siginfo_t info = { .si_pid = 0 };
	long type = P_ALL, id = 0, options = WEXITED;
	if (c->number == SYS_waitid) {
		type = c->a[0], id = c->a[1], options = c->a[3];
	} else {
		pid_t pid = (pid_t)c->a[0];
		if (pid > 0)
			type = P_PID, id = pid;
		else if (pid != -1)
			type = P_PGID, id = -pid;
		options |= c->a[2] & (WUNTRACED | WCONTINUED | __WCLONE | __WALL);
	}
	long result = sys6(SYS_waitid, type, id, (long)&info, options | WNOHANG | WNOWAIT, 0, 0);
	return result < 0 || info.si_pid != 0;
}

/* The state the kernel tells behind the name in brackets: R runs or wants to, D waits for a disk. */
static bool is_busy(int32_t pid)
{
	char path[48], text[64];
	unsigned at = words_add(path, 0, sizeof path, "/proc/");
	at = words_add_number(path, at, sizeof path, (uint64_t)pid);
	words_add(path, at, sizeof path, "/stat");
	long fd = sys6(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0, 0, 0);
	if (fd < 0)
		return false;
	long got = sys3(SYS_read, fd, (long)text, sizeof text);
	sys3(SYS_close, fd, 0, 0);
	while (got > 2 && text[got - 1] != ')')
		got--;
	char state = got > 0 && got + 1 < (long)sizeof text ? text[got + 1] : 0;
	return state == 'R' || state == 'D';
}

static bool some_are_busy(void)
{
	for (uint32_t i = 0; i < children_count; i++)
		if (is_busy(children[i]))
			return true;
	return false;
}

bool children_ready(struct awaited *w)
{
	if (one_has_ended(w->call))
		return true;
	if (w->patient)
		return false;
	w->patient = true;
	uint64_t began = steer_real_now(), busy = began, now = began;
	for (uint64_t nap = NAP_LEAST; now - busy < PATIENCE_IDLE && now - began < PATIENCE_BUSY; now = steer_real_now()) {
		struct timespec time = { .tv_nsec = (long)nap };
		sys3(SYS_nanosleep, (long)&time, 0, 0);
		if (one_has_ended(w->call))
			return true;
		nap = nap < NAP_MOST ? 2 * nap : nap;
		busy = some_are_busy() ? steer_real_now() : busy;
	}
	return false;
}
