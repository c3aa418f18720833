/* rt/outcall.c -- named sources of nondeterminism: clocks, random numbers, identities, the environment, ends of children.
 * Each call leaves an OUTCALL with its name and result, and what it stored through pointers as input bytes. */
#include <sched.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "rt/effect.h"

#define OUTCALL(type, name, params, args) \
	INTERPOSE(type, name, params) \
	{ \
		if (!rt_on()) \
			return REAL(name) args; \
		type result = REAL(name) args; \
		note_outcall(#name, (int64_t)result, RT_PC); \
		return result; \
	}

static void came_in(const void *at, int64_t bytes, uint64_t pc)
{
	if (at)
		note_input(NO_FD, at, bytes, pc);
}

/* The same, and `bytes` bytes came in at `at` when `ok`. */
#define OUTCALL_FILLS(type, name, params, args, ok, at, bytes) \
	INTERPOSE(type, name, params) \
	{ \
		if (!rt_on()) \
			return REAL(name) args; \
		type result = REAL(name) args; \
		note_outcall(#name, (int64_t)result, RT_PC); \
		if (ok) \
			came_in(at, (int64_t)(bytes), RT_PC); \
		return result; \
	}

/* clocks */
OUTCALL_FILLS(time_t, time, (time_t *out), (out), true, out, sizeof *out)
OUTCALL_FILLS(int, gettimeofday, (struct timeval *restrict out, void *restrict zone), (out, zone), result == 0, out, sizeof *out)
OUTCALL_FILLS(int, clock_gettime, (clockid_t clock, struct timespec *out), (clock, out), result == 0, out, sizeof *out)
OUTCALL_FILLS(int, timespec_get, (struct timespec *out, int base), (out, base), result == base, out, sizeof *out)
OUTCALL_FILLS(clock_t, times, (struct tms *out), (out), result != -1, out, sizeof *out)
OUTCALL_FILLS(int, getrusage, (__rusage_who_t who, struct rusage *out), (who, out), result == 0, out, sizeof *out)
OUTCALL(clock_t, clock, (void), ())

/* random numbers */
OUTCALL_FILLS(ssize_t, getrandom, (void *out, size_t bytes, unsigned flags), (out, bytes, flags), result > 0, out, result)
OUTCALL_FILLS(int, getentropy, (void *out, size_t bytes), (out, bytes), result == 0, out, bytes)
OUTCALL(int, rand, (void), ())
OUTCALL(long, random, (void), ())
OUTCALL(long, lrand48, (void), ())
OUTCALL(long, mrand48, (void), ())
OUTCALL(uint32_t, arc4random, (void), ())
OUTCALL(uint32_t, arc4random_uniform, (uint32_t bound), (bound))

INTERPOSE(void, arc4random_buf, (void *out, size_t bytes))
{
	REAL(arc4random_buf)(out, bytes);
	if (rt_on()) {
		note_outcall("arc4random_buf", 0, RT_PC);
		note_input(NO_FD, out, (int64_t)bytes, RT_PC);
	}
}

/* who and where am I */
OUTCALL(pid_t, getpid, (void), ())
OUTCALL(pid_t, getppid, (void), ())
OUTCALL(pid_t, gettid, (void), ())
OUTCALL(int, sched_getcpu, (void), ())

/* children that ended */
OUTCALL_FILLS(pid_t, wait, (int *status), (status), result > 0, status, sizeof *status)
OUTCALL_FILLS(pid_t, waitpid, (pid_t pid, int *status, int options), (pid, status, options), result > 0, status, sizeof *status)
OUTCALL_FILLS(int, waitid, (idtype_t type, id_t id, siginfo_t *info, int options), (type, id, info, options),
	result == 0, info, sizeof *info)

#define WAIT_USAGE(name, params, args) \
	INTERPOSE(pid_t, name, params) \
	{ \
		if (!rt_on()) \
			return REAL(name) args; \
		pid_t result = REAL(name) args; \
		note_outcall(#name, result, RT_PC); \
		if (result > 0) { \
			came_in(status, sizeof *status, RT_PC); \
			came_in(usage, sizeof *usage, RT_PC); \
		} \
		return result; \
	}
WAIT_USAGE(wait3, (int *status, int options, struct rusage *usage), (status, options, usage))
WAIT_USAGE(wait4, (pid_t pid, int *status, int options, struct rusage *usage), (pid, status, options, usage))

/* The environment: "getenv NAME=value", or "getenv NAME" when it is not there. */
static char *looked_up(const char *name, char *value, uint64_t pc)
{
	char words[EFFECT_LIMIT];
	const char *parts[] = { "getenv ", name, value ? "=" : "", value ? value : "" };
	size_t at = 0;
	for (int i = 0; i < 4; i++)
		for (const char *c = parts[i]; *c && at < sizeof words - 1; c++)
			words[at++] = *c;
	words[at] = 0;
	note_outcall(words, value != NULL, pc);
	return value;
}

INTERPOSE(char *, getenv, (const char *name))
{
	if (!rt_on())
		return REAL(getenv)(name);
	return looked_up(name, REAL(getenv)(name), RT_PC);
}

INTERPOSE(char *, secure_getenv, (const char *name))
{
	if (!rt_on())
		return REAL(secure_getenv)(name);
	return looked_up(name, REAL(secure_getenv)(name), RT_PC);
}
