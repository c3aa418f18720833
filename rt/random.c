/* rt/random.c -- what a steered program draws from outside: random numbers, the number of its processor, what it cost.  They are the same in
 * every run of a program, as the clock is (virtual.c), so that equal orders make equal runs.
 *
 *   random numbers   a thread's depend on its path and on how many it has drawn, not on what others do
 *   processor        the first: one thread runs at a time
 *   cost             time is that of the virtual clock, nothing else is counted
 * With --time=real they are the system's.  In a replay they come from its input. */
#include "rt/random.h"

#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "rt/world_inside.h"

#define START_BYTES 16                  /* the kernel gives them to every program (AT_RANDOM) */

static uint64_t mixed(uint64_t z)
{
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

static uint64_t seed_of(const struct strand *s)
{
	uint64_t hash = 0;
	for (unsigned i = 0; i < PATH_BYTES && s->seen->path[i]; i++)
		hash = steer_mix(hash, (unsigned char)s->seen->path[i]);
	return hash;
}

void random_fill(void *to, uint64_t bytes)
{
	struct strand *s = own_strand;
	uint64_t seed = seed_of(s);
	for (unsigned char *at = to, *end = at + bytes; at < end;) {
		uint64_t word = mixed(seed + ++s->drawn * 0x9e3779b97f4a7c15ull);
		for (unsigned i = 0; i < sizeof word && at < end; i++, word >>= 8)
			*at++ = (unsigned char)word;
	}
}

static bool is_random_device(int fd)
{
	struct stat about;
	return sys3(SYS_fstat, fd, (long)&about, 0) == 0 && S_ISCHR(about.st_mode) &&
		(about.st_rdev == makedev(1, 8) || about.st_rdev == makedev(1, 9));
}

static void fill_vector(const struct iovec *v, long count, uint64_t left)
{
	for (long i = 0; i < count && left; i++) {
		uint64_t here = v[i].iov_len < left ? v[i].iov_len : left;
		random_fill(v[i].iov_base, here);
		left -= here;
	}
}

static void cost(struct rusage *out, long of)
{
	uint64_t ns = of == RUSAGE_CHILDREN ? 0 : time_now(of == RUSAGE_THREAD ? CLOCK_THREAD_CPUTIME_ID : CLOCK_PROCESS_CPUTIME_ID);
	*out = (struct rusage){ .ru_utime = { (time_t)(ns / 1000000000u), (suseconds_t)(ns % 1000000000u / 1000u) }, .ru_maxrss = out->ru_maxrss };
}

void random_instead(const struct world_call *c, long result)
{
	if (steer->time == TIME_REAL || !own_strand || result < 0)
		return;
	switch (c->number) {
	case SYS_getrandom:
		random_fill((void *)c->a[0], (uint64_t)result);
		break;
	case SYS_read: case SYS_pread64:
		if (is_random_device((int)c->a[0]))
			random_fill((void *)c->a[1], (uint64_t)result);
		break;
	case SYS_readv: case SYS_preadv: case SYS_preadv2:
		if (is_random_device((int)c->a[0]))
			fill_vector((const struct iovec *)c->a[1], c->a[2], (uint64_t)result);
		break;
	case SYS_getcpu:
		for (int i = 0; i < 2; i++)
			if (c->a[i])
				*(unsigned *)c->a[i] = 0;
		break;
	case SYS_getrusage:
		cost((struct rusage *)c->a[1], c->a[0]);
		break;
	default:
		break;
	}
}

void random_start(void)
{
	void *bytes = (void *)getauxval(AT_RANDOM);
	if (bytes && steer->time != TIME_REAL)
		random_fill(bytes, START_BYTES);
}
