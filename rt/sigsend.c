/* rt/sigsend.c -- signals sent, before they go; and signals taken by waiting for them, which come in as input. */
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include "rt/effect.h"
#include "rt/signal.h"

static void sends(uint64_t thread, int number, uint64_t pc)
{
	rt_event(EV_SIGSEND, thread, (uint64_t)number, 0, 0, pc);
}

/* The send failed after all. */
static void failed_to_send(uint64_t thread, int number, int error, uint64_t pc)
{
	rt_event(EV_SIGSEND, thread, (uint64_t)number, 0, error, pc);
}

#define SEND_LIKE(name, params, args, number, target, error_of) \
	INTERPOSE(int, name, params) \
	{ \
		if (!rt_on() || !(number)) \
			return REAL(name) args; \
		uint64_t to = (target); \
		sends(to, number, RT_PC); \
		int result = REAL(name) args; \
		if (result && rt_on()) \
			failed_to_send(to, number, error_of, RT_PC); \
		return result; \
	}

SEND_LIKE(kill, (pid_t pid, int number), (pid, number), number, 0, errno)
SEND_LIKE(killpg, (pid_t group, int number), (group, number), number, 0, errno)
SEND_LIKE(raise, (int number), (number), number, rt_uid(), errno)
SEND_LIKE(sigqueue, (pid_t pid, int number, const union sigval value), (pid, number, value), number, 0, errno)
SEND_LIKE(tgkill, (pid_t pid, pid_t tid, int number), (pid, tid, number), number, 0, errno)
SEND_LIKE(pthread_kill, (pthread_t thread, int number), (thread, number), number,
	pthread_equal(thread, pthread_self()) ? rt_uid() : 0, result)
SEND_LIKE(pthread_sigqueue, (pthread_t thread, int number, const union sigval value), (thread, number, value), number,
	pthread_equal(thread, pthread_self()) ? rt_uid() : 0, result)

INTERPOSE(int, sigwait, (const sigset_t *set, int *number))
{
	int error = REAL(sigwait)(set, number);
	if (!error && rt_on())
		note_input(NO_FD, number, sizeof *number, RT_PC);
	return error;
}

static int taken(int number, const siginfo_t *info, uint64_t pc)
{
	if (number > 0 && info)
		note_input(NO_FD, info, sizeof *info, pc);
	note_outcall("sigwaitinfo", number, pc);
	return number;
}

INTERPOSE(int, sigwaitinfo, (const sigset_t *set, siginfo_t *info))
{
	if (!rt_on())
		return REAL(sigwaitinfo)(set, info);
	return taken(REAL(sigwaitinfo)(set, info), info, RT_PC);
}

INTERPOSE(int, sigtimedwait, (const sigset_t *set, siginfo_t *info, const struct timespec *timeout))
{
	if (!rt_on())
		return REAL(sigtimedwait)(set, info, timeout);
	return taken(REAL(sigtimedwait)(set, info, timeout), info, RT_PC);
}
