/* rt/outcall.c -- named sources of nondeterminism: clocks, random numbers, identities, the environment, ends of children.
 * Each call leaves an OUTCALL with its name and result, and what it stored through pointers as input bytes. */
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "rt/access.h"
#include "rt/effect.h"
#include "rt/input.h"
#include "rt/opened.h"
#include "rt/world.h"
#include "wire/asked.h"
#include "wire/hooks.h"

#define OUTCALL(type, name, params, args) \
	INTERPOSE(type, name, params) \
	{ \
		if (!rt_on()) \
			return REAL(name) args; \
		type result = REAL(name) args; \
		note_outcall(#name, (int64_t)result, RT_PC); \
		return result; \
	}

/* What a generator gives from here on is another row. */
#define OUTCALL_SEEDS(name, params, args) \
	INTERPOSE(void, name, params) \
	{ \
		REAL(name) args; \
		if (rt_on()) \
			note_outcall(#name, 0, RT_PC); \
	}

static void came_in(const void *at, int64_t bytes, uint64_t pc)
{
	if (at)
		note_input(NO_FD, at, bytes, pc);
}

/* The same for a function that is one system call. */
#define OUTCALL_MADE(type, name, params, args, number, ...) \
	INTERPOSE(type, name, params) \
	{ \
		if (!rt_on()) \
			return REAL(name) args; \
		type result = world_wanted() ? (type)WORLD(RT_PC, number, __VA_ARGS__) : REAL(name) args; \
		note_outcall(#name, (int64_t)result, RT_PC); \
		return result; \
	}

/* The same, and `bytes` bytes came in at `at` when `ok`; in a steered run `steered` says what happened. */
#define OUTCALL_FILLS(type, name, params, args, steered, ok, at, bytes) \
	INTERPOSE(type, name, params) \
	{ \
		if (!rt_on()) \
			return REAL(name) args; \
		type result = world_wanted() ? (type)(steered) : REAL(name) args; \
		note_outcall(#name, (int64_t)result, RT_PC); \
		if (ok) \
			came_in(at, (int64_t)(bytes), RT_PC); \
		return result; \
	}

/* clocks */
OUTCALL_FILLS(time_t, time, (time_t *out), (out), WORLD(RT_PC, SYS_time, (long)out), true, out, sizeof *out)
OUTCALL_FILLS(int, gettimeofday, (struct timeval *restrict out, void *restrict zone), (out, zone),
	WORLD(RT_PC, SYS_gettimeofday, (long)out, (long)zone), result == 0, out, sizeof *out)
OUTCALL_FILLS(int, clock_gettime, (clockid_t clock, struct timespec *out), (clock, out),
	WORLD(RT_PC, SYS_clock_gettime, clock, (long)out), result == 0, out, sizeof *out)
OUTCALL_FILLS(int, timespec_get, (struct timespec *out, int base), (out, base),
	base == TIME_UTC && WORLD(RT_PC, SYS_clock_gettime, CLOCK_REALTIME, (long)out) == 0 ? base : 0, result == base, out, sizeof *out)
OUTCALL_FILLS(clock_t, times, (struct tms *out), (out), WORLD(RT_PC, SYS_times, (long)out), result != -1, out, sizeof *out)
OUTCALL_FILLS(int, getrusage, (__rusage_who_t who, struct rusage *out), (who, out),
	WORLD(RT_PC, SYS_getrusage, (long)who, (long)out), result == 0, out, sizeof *out)

static clock_t steered_clock(uint64_t pc)
{
	struct timespec t = { 0, 0 };
	WORLD(pc, SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, (long)&t);
	return (clock_t)t.tv_sec * CLOCKS_PER_SEC + t.tv_nsec / (1000000000 / CLOCKS_PER_SEC);
}
OUTCALL_FILLS(clock_t, clock, (void), (), steered_clock(RT_PC), false, NULL, 0)

/* random numbers */
OUTCALL_FILLS(ssize_t, getrandom, (void *out, size_t bytes, unsigned flags), (out, bytes, flags),
	WORLD(RT_PC, SYS_getrandom, (long)out, (long)bytes, flags), result > 0, out, result)
OUTCALL_FILLS(int, getentropy, (void *out, size_t bytes), (out, bytes),
	bytes > 256 ? world_errno(-EIO) : WORLD(RT_PC, SYS_getrandom, (long)out, (long)bytes, 0) < 0 ? -1 : 0, result == 0, out, bytes)
OUTCALL(int, rand, (void), ())
OUTCALL(long, random, (void), ())
OUTCALL_SEEDS(srand, (unsigned seed), (seed))
OUTCALL_SEEDS(srandom, (unsigned seed), (seed))
OUTCALL_SEEDS(srand48, (long seed), (seed))
OUTCALL(long, lrand48, (void), ())
OUTCALL(long, mrand48, (void), ())

static uint32_t random_word(uint64_t pc)
{
	uint32_t word = 0;
	WORLD(pc, SYS_getrandom, (long)&word, sizeof word, 0);
	return word;
}

static uint32_t random_below(uint32_t bound, uint64_t pc)
{
	uint32_t word, skewed = bound > 1 ? -bound % bound : 0;
	if (bound < 2)
		return 0;
	do word = random_word(pc); while (word < skewed);
	return word % bound;
}
OUTCALL_FILLS(uint32_t, arc4random, (void), (), random_word(RT_PC), false, NULL, 0)
OUTCALL_FILLS(uint32_t, arc4random_uniform, (uint32_t bound), (bound), random_below(bound, RT_PC), false, NULL, 0)

#ifndef RADDLE_STATIC
/* std::random_device: the library's own would ask the processor, which nobody sees. */
unsigned _ZNSt13random_device9_M_getvalEv(void *device);
unsigned _ZNSt13random_device16_M_getval_pretr1Ev(void *device);
INTERPOSE(unsigned, _ZNSt13random_device9_M_getvalEv, (void *device))
{
	return world_wanted() ? random_word(RT_PC) : REAL(_ZNSt13random_device9_M_getvalEv)(device);
}
INTERPOSE(unsigned, _ZNSt13random_device16_M_getval_pretr1Ev, (void *device))
{
	return world_wanted() ? random_word(RT_PC) : REAL(_ZNSt13random_device16_M_getval_pretr1Ev)(device);
}
#endif

INTERPOSE(void, arc4random_buf, (void *out, size_t bytes))
{
	if (world_wanted()) {
		for (size_t done = 0; done < bytes; done += 256)
			WORLD(RT_PC, SYS_getrandom, (long)out + (long)done, (long)(bytes - done < 256 ? bytes - done : 256), 0);
	} else {
		REAL(arc4random_buf)(out, bytes);
	}
	if (rt_on()) {
		note_outcall("arc4random_buf", 0, RT_PC);
		note_input(NO_FD, out, (int64_t)bytes, RT_PC);
	}
}

/* A name the program keeps in a heap block is read by the call it is given to: an event like any other library read. */
static void name_read(const char *name, uint64_t pc)
{
	uint64_t length = 0;
	if (!rt_steered() || raddle_tls.mode < MODE_ACCESS || !heap_owns(name))
		return;
	steer_point(EV_LIBREAD, (uint64_t)name, pc);
	heap_check_range(name, 1, false);
	while (name[length])
		length++;
	effect_read(name, length + 1, pc);
}

/* Devices that give something else each time, and what asks them by this name. */
static void opens(const char *path, uint64_t pc)
{
	static const char *const devices[] = { "/dev/urandom", "/dev/random" };
	name_read(path, pc);
	if (!sys_readable(path, sizeof "/dev/random" - 1))      /* the kernel will say so */
		return;
	for (unsigned i = 0; i < sizeof devices / sizeof *devices; i++) {
		unsigned at = 0;
		while (path[at] && path[at] == devices[i][at])
			at++;
		if (!path[at] && !devices[i][at])
			note_outcall(devices[i], 0, pc);
	}
}

/* `mode` is there only if a file may be made: libc looks at it then alone. */
#define OPEN_LIKE(name, params, flags, args) \
	INTERPOSE(int, name, params) \
	{ \
		va_list list; \
		va_start(list, flags); \
		mode_t mode = (flags) & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0; \
		va_end(list); \
		if (rt_on()) \
			opens(path, RT_PC); \
		return REAL(name) args; \
	}
OPEN_LIKE(open, (const char *path, int flags, ...), flags, (path, flags, mode))
OPEN_LIKE(open64, (const char *path, int flags, ...), flags, (path, flags, mode))
OPEN_LIKE(openat, (int folder, const char *path, int flags, ...), flags, (folder, path, flags, mode))
OPEN_LIKE(openat64, (int folder, const char *path, int flags, ...), flags, (folder, path, flags, mode))

#define OPENS(type, name, params, args) \
	INTERPOSE(type, name, params) \
	{ \
		if (rt_on()) \
			opens(path, RT_PC); \
		return REAL(name) args; \
	}
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int folder, const char *path, int flags);
int __openat64_2(int folder, const char *path, int flags);
OPENS(int, __open_2, (const char *path, int flags), (path, flags))
OPENS(int, __open64_2, (const char *path, int flags), (path, flags))
OPENS(int, __openat_2, (int folder, const char *path, int flags), (folder, path, flags))
OPENS(int, __openat64_2, (int folder, const char *path, int flags), (folder, path, flags))
#define OPENS_STREAM(name, params, args, used) \
	INTERPOSE(FILE *, name, params) \
	{ \
		if (!rt_on()) \
			return REAL(name) args; \
		opened_used(used, RT_PC); \
		opens(path, RT_PC); \
		opened_begin(RT_PC); \
		FILE *made = REAL(name) args; \
		opened_end(); \
		return made; \
	}
OPENS_STREAM(fopen, (const char *restrict path, const char *restrict mode), (path, mode), NULL)
OPENS_STREAM(fopen64, (const char *restrict path, const char *restrict mode), (path, mode), NULL)
OPENS_STREAM(freopen, (const char *restrict path, const char *restrict mode, FILE *restrict stream), (path, mode, stream), stream)
OPENS_STREAM(freopen64, (const char *restrict path, const char *restrict mode, FILE *restrict stream), (path, mode, stream), stream)

/* what no function is called for */
RT_EXPORT void raddle_asks(uint32_t what, const void *site)
{
	static const char *const words[] = { "",
#define X(name, words) words,
		ASKED(X)
#undef X
	};
	access_own++;                           /* it is told something else each time */
	if (rt_on() && what < ASKED_COUNT)
		note_outcall(words[what], 0, (uint64_t)site);
}

/* who and where am I */
OUTCALL_MADE(pid_t, getpid, (void), (), SYS_getpid, 0)
OUTCALL_MADE(pid_t, getppid, (void), (), SYS_getppid, 0)
OUTCALL_MADE(pid_t, gettid, (void), (), SYS_gettid, 0)

static int steered_cpu(uint64_t pc)
{
	unsigned cpu = 0;
	return WORLD(pc, SYS_getcpu, (long)&cpu, 0, 0) < 0 ? -1 : (int)cpu;
}
OUTCALL_FILLS(int, sched_getcpu, (void), (), steered_cpu(RT_PC), false, NULL, 0)

/* children that ended */
OUTCALL_FILLS(pid_t, wait, (int *status), (status), WORLD(RT_PC, SYS_wait4, -1, (long)status, 0, 0), result > 0, status, sizeof *status)
OUTCALL_FILLS(pid_t, waitpid, (pid_t pid, int *status, int options), (pid, status, options),
	WORLD(RT_PC, SYS_wait4, pid, (long)status, options, 0), result > 0, status, sizeof *status)
OUTCALL_FILLS(int, waitid, (idtype_t type, id_t id, siginfo_t *info, int options), (type, id, info, options),
	WORLD(RT_PC, SYS_waitid, (long)type, (long)id, (long)info, options, 0), 	result == 0, info, sizeof *info)

#define WAIT_USAGE(name, params, args, pid) \
	INTERPOSE(pid_t, name, params) \
	{ \
		if (!rt_on()) \
			return REAL(name) args; \
		pid_t result = world_wanted() ? (pid_t)WORLD(RT_PC, SYS_wait4, pid, (long)status, options, (long)usage) : REAL(name) args; \
		note_outcall(#name, result, RT_PC); \
		if (result > 0) { \
			came_in(status, sizeof *status, RT_PC); \
			came_in(usage, sizeof *usage, RT_PC); \
		} \
		return result; \
	}
WAIT_USAGE(wait3, (int *status, int options, struct rusage *usage), (status, options, usage), -1)
WAIT_USAGE(wait4, (pid_t pid, int *status, int options, struct rusage *usage), (pid, status, options, usage), pid)

/* Up to the zero that ends `text`. */
static bool same_bytes(const char *text, const char *bytes, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		if (text[i] != bytes[i] || !text[i])
			return text[i] == bytes[i] && i + 1 == count;
	return false;
}

/* The environment: "getenv NAME=value", or "getenv NAME" when it is not there. */
/* A replay has the environment of the recorded run, as far as the program looked at it. */
static char *steered_env(const char *name, char *(*real)(const char *))
{
	struct piece pieces[2] = { { .at = (void *)(uintptr_t)name }, { 0 } };
	while (name[pieces[0].bytes])
		pieces[0].bytes++;
	if (input_serving()) {
		const struct input_record *r = input_next(INPUT_TEXT, NULL);
		uint64_t bytes = 0;
		const char *value = r->result ? input_piece(r, 1, &bytes) : NULL;
		char *own = real(name);
		if (own && value && same_bytes(own, value, bytes))
			return own;                     /* at the same address, too */
		return bytes && !value[bytes - 1] ? (char *)(uintptr_t)value : NULL;
	}
	char *value = real(name);
	pieces[1].at = value;
	while (value && value[pieces[1].bytes])
		pieces[1].bytes++;
	pieces[1].bytes += value != NULL;
	input_note(INPUT_TEXT, NULL, value != NULL, pieces, 2, 0, 0);
	return value;
}

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
	name_read(name, RT_PC);
	return looked_up(name, world_wanted() ? steered_env(name, REAL(getenv)) : REAL(getenv)(name), RT_PC);
}

INTERPOSE(char *, secure_getenv, (const char *name))
{
	if (!rt_on())
		return REAL(secure_getenv)(name);
	name_read(name, RT_PC);
	return looked_up(name, world_wanted() ? steered_env(name, REAL(secure_getenv)) : REAL(secure_getenv)(name), RT_PC);
}
