/* rt/sigsend.c -- signals sent, before they go; and signals taken by waiting for them, which come in as input. */
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include "rt/effect.h"
#include "rt/ready.h"
#include "rt/signal.h"
#include "rt/steer.h"
#include "rt/sync.h"
#include "rt/world.h"

static void sends(uint64_t thread, int number, uint64_t pc)
{
	rt_event(EV_SIGSEND, thread, (uint64_t)number, 0, 0, pc);
	if (rt_steered() && signals_are_read(number))
		ready_sent(number, pc);
}

/* The send failed after all. */
static void failed_to_send(uint64_t thread, int number, int error, uint64_t pc)
{
	rt_event(EV_SIGSEND, thread, (uint64_t)number, 0, error, pc);
}

#define NOT_OURS (-1)           /* of a steered send: it goes to other processes, or is nonsense: libc is to be asked */

/* Results: `error_of` is the errno of a failed real call, `as_result` what an errno of a steered one is returned as. */
#define SEND_LIKE(name, params, args, number, target, error_of, steered, as_result) \
	INTERPOSE(int, name, params) \
	{ \
		if (!rt_on() || (!(number) && !rt_steered())) \
			return REAL(name) args; \
		steer_point(EV_SIGSEND, 0, RT_PC); \
		uint64_t to = (target); \
		sends(to, number, RT_PC); \
		int answer = rt_steered() ? (steered) : NOT_OURS; \
		int result = answer == NOT_OURS ? REAL(name) args : as_result(answer); \
		if (result && rt_on()) \
			failed_to_send(to, number, error_of, RT_PC); \
		return result; \
	}

static int by_errno(int error)
{
	if (error)
		errno = error;
	return error ? -1 : 0;
}

static int as_it_is(int error)
{
	return error;
}

static int to_process(pid_t pid, int number, int code, const union sigval *value)
{
	return pid == pid_as_told() ? signals_send(NULL, number, code, value) : NOT_OURS;
}

static int to_tid(pid_t pid, pid_t tid, int number)
{
	struct strand *s = pid == pid_as_told() ? signals_strand(tid) : NULL;
	return s ? signals_send(s, number, SI_TKILL, NULL) : NOT_OURS;
}

static int to_thread(pthread_t thread, int number, int code, const union sigval *value)
{
	struct strand *s = pthread_equal(thread, pthread_self()) ? own_strand : thread_strand(thread);
	return s ? signals_send(s, number, code, value) : NOT_OURS;
}

SEND_LIKE(kill, (pid_t pid, int number), (pid, number), number, 0, errno, to_process(pid, number, SI_USER, NULL), by_errno)
SEND_LIKE(killpg, (pid_t group, int number), (group, number), number, 0, errno, NOT_OURS, by_errno)
SEND_LIKE(raise, (int number), (number), number, rt_uid(), errno, signals_send(own_strand, number, SI_TKILL, NULL), by_errno)
SEND_LIKE(sigqueue, (pid_t pid, int number, const union sigval value), (pid, number, value), number, 0, errno,
	to_process(pid, number, SI_QUEUE, &value), by_errno)
SEND_LIKE(tgkill, (pid_t pid, pid_t tid, int number), (pid, tid, number), number, 0, errno, to_tid(pid, tid, number), by_errno)
SEND_LIKE(pthread_kill, (pthread_t thread, int number), (thread, number), number,
	pthread_equal(thread, pthread_self()) ? rt_uid() : 0, result, to_thread(thread, number, SI_TKILL, NULL), as_it_is)
SEND_LIKE(pthread_sigqueue, (pthread_t thread, int number, const union sigval value), (thread, number, value), number,
	pthread_equal(thread, pthread_self()) ? rt_uid() : 0, result, to_thread(thread, number, SI_QUEUE, &value), as_it_is)

/* It goes on waiting when a handler has run. */
static int steered_sigwait(const sigset_t *set, int *number, uint64_t pc)
{
	int taken;
	while ((taken = signals_await(set, NULL, NULL, pc)) == -EINTR)
		;
	if (taken > 0)
		*number = taken;
	return taken > 0 ? 0 : -taken;
}

static int steered_sigwaitinfo(const sigset_t *set, siginfo_t *info, const struct timespec *timeout, uint64_t pc)
{
	int taken = signals_await(set, info, timeout, pc);
	if (taken < 0)
		errno = -taken;
	return taken < 0 ? -1 : taken;
}

INTERPOSE(int, sigwait, (const sigset_t *set, int *number))
{
	int error = rt_steered() ? steered_sigwait(set, number, RT_PC) : REAL(sigwait)(set, number);
	if (!error && rt_on()) {
		note_input(NO_FD, number, sizeof *number, RT_PC);
		ready_taken(*number, RT_PC);
	}
	return error;
}

static int taken(int number, const siginfo_t *info, uint64_t pc)
{
	if (number > 0 && info)
		note_input(NO_FD, info, sizeof *info, pc);
	note_outcall("sigwaitinfo", number, pc);
	ready_taken(number, pc);
	return number;
}

INTERPOSE(int, sigwaitinfo, (const sigset_t *set, siginfo_t *info))
{
	if (!rt_on())
		return REAL(sigwaitinfo)(set, info);
	return taken(rt_steered() ? steered_sigwaitinfo(set, info, NULL, RT_PC) : REAL(sigwaitinfo)(set, info), info, RT_PC);
}

INTERPOSE(int, sigtimedwait, (const sigset_t *set, siginfo_t *info, const struct timespec *timeout))
{
	if (!rt_on())
		return REAL(sigtimedwait)(set, info, timeout);
	return taken(rt_steered() ? steered_sigwaitinfo(set, info, timeout, RT_PC) : REAL(sigtimedwait)(set, info, timeout), info, RT_PC);
}
