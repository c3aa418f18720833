/* bench/runs.c -- complete executions a second: many orders for one program, through drive/runs.h or a process each.
 *   runs [-n <runs=2000>] [-j <jobs=1>] [-x] [-t <trace>] <program> [<arguments>]
 * Prints executions a second of wall time, microseconds of processor time for each (program, server and raddle together), events of
 * the last one.    -x   a process each (steer_run)       -t   keep a trace of each */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "drive/runs.h"

static unsigned count = 2000, jobs = 1;
static const char *trace;
static uint64_t events;

static double wall(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double processor(int who)
{
	struct rusage u;
	getrusage(who, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
}

static void fail(const struct err *why)
{
	fprintf(stderr, "runs: %s\n", why->text);
	exit(1);
}

static void by_exec(const struct steer_options *like)
{
	struct steer_options o = *like;
	struct err why;
	o.output = memfd_create("output", MFD_CLOEXEC);
	o.save_trace = trace;
	for (unsigned i = 0; i < count; i++) {
		struct steer_result r;
		o.policy = STEER_RANDOM;
		o.seed = i;
		if (steer_run(&o, &r, &why) < 0)
			fail(&why);
		events = r.steps;
		steer_result_release(&r);
	}
}

static void take(struct runs *r)
{
	struct run_done done;
	struct err why;
	if (runs_take(r, &done, &why) <= 0)
		fail(&why);
	events = done.result.steps;
	run_done_release(&done);
}

static void by_server(const struct steer_options *like, double *start)
{
	struct err why;
	struct runs_setup setup = { .like = *like, .jobs = jobs };
	struct runs *r = runs_open(&setup, &why);
	if (!r)
		fail(&why);
	*start = wall();
	unsigned given = 0;
	for (unsigned taken = 0; taken < count; taken++) {
		for (; given < count && runs_room(r); given++)
			runs_give(r, &(struct run_order){ .policy = STEER_RANDOM, .seed = given, .save_trace = trace });
		take(r);
	}
	runs_close(r);
}

int main(int argc, char **argv)
{
	bool exec = false;
	for (int c; (c = getopt(argc, argv, "+n:j:xt:")) != -1;)
		switch (c) {
		case 'n': count = (unsigned)atoi(optarg); break;
		case 'j': jobs = (unsigned)atoi(optarg); break;
		case 'x': exec = true; break;
		case 't': trace = optarg; break;
		default: return 2;
		}
	if (optind == argc || !count)
		return 2;
	struct steer_options like = { .argv = argv + optind, .apart = true };
	double start = wall();
	if (exec)
		by_exec(&like);
	else
		by_server(&like, &start);
	double seconds = wall() - start, used = processor(RUSAGE_SELF) + processor(RUSAGE_CHILDREN);
	printf("%.0f %.1f %llu\n", count / seconds, used / count * 1e6, (unsigned long long)events);
	return 0;
}
