/* bench/restart.c -- complete executions of a program a second of processor time, on one core, made in several ways.
 *   restart <program> [<arguments>]
 * exec: a process started for each run; fork: runs of a server (drive/runs.h); restart: runs in one process whose memory is put
 * back; -watched: with race detector and trace.  Prints one line each: name, executions a second, of how many.  The time is that of raddle and all its processes. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "drive/runs.h"

#define SECONDS 2.0

static double of(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

/* Of this process and of those it waited for. */
static double spent(void)
{
	struct rusage mine, others;
	getrusage(RUSAGE_SELF, &mine);
	getrusage(RUSAGE_CHILDREN, &others);
	return of(mine.ru_utime) + of(mine.ru_stime) + of(others.ru_utime) + of(others.ru_stime);
}

static void fail(const struct err *why)
{
	fprintf(stderr, "restart: %s\n", why->text);
	exit(1);
}

static void say(const char *name, uint64_t runs, double seconds)
{
	printf("%s %.0f %llu\n", name, (double)runs / seconds, (unsigned long long)runs);
}

static void by_exec(const struct steer_options *like)
{
	struct err why = { 0 };
	double before = spent();
	uint64_t runs = 0;
	for (struct steer_options o = *like; spent() - before < SECONDS; runs++) {
		struct steer_result r;
		o.seed = runs;
		if (steer_run(&o, &r, &why) < 0)
			fail(&why);
		steer_result_release(&r);
	}
	say("exec", runs, spent() - before);
}

/* The records are there; nobody asks for a file. */
static const char *no_file(void *who, uint64_t run, const struct steer_brief *brief)
{
	(void)who, (void)run, (void)brief;
	return NULL;
}

/* `runs` in one process, if it can be; `watched`: with race detector, and the trace of each kept until somebody may want it. */
static void by_server(const char *name, const struct steer_options *like, uint64_t runs, bool watched)
{
	struct runs_setup setup = { .like = *like, .jobs = 1, .races = watched };
	struct run_order order = { .policy = STEER_RANDOM, .runs = runs, .trace_of = watched ? no_file : NULL };
	struct run_done d;
	struct err why = { 0 };
	double before = spent(), wall = 0, seconds = 0;
	struct timespec from, to;
	struct runs *r = runs_open(&setup, &why);
	if (!r)
		fail(&why);
	clock_gettime(CLOCK_MONOTONIC, &from);
	while (wall < SECONDS && seconds < SECONDS) {
		runs_give(r, &order);
		if (runs_take(r, &d, &why) != 1)
			fail(&why);
		order.seed += d.result.before.count + 1;
		seconds += d.seconds;
		run_done_release(&d);
		clock_gettime(CLOCK_MONOTONIC, &to);
		wall = (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) * 1e-9;
	}
	runs_close(r);
	say(name, order.seed, spent() - before);
}

/* One core: a process that begins on another costs as much again. */
static void use_one_core(void)
{
	cpu_set_t one;
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof one, &one);
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	use_one_core();
	struct steer_options like = { .argv = argv + 1, .policy = STEER_RANDOM, .max_steps = 20000, .apart = true,
		.output = memfd_create("output", MFD_CLOEXEC) };
	by_exec(&like);
	by_server("fork", &like, 1, false);
	by_server("fork-watched", &like, 1, true);
	by_server("restart", &like, 20000, false);
	by_server("restart-watched", &like, 20000, true);
	return 0;
}
