/* bench/kept.c -- what a checkpoint of a program costs.
 *   kept [-s] <program> [<arguments>]
 * Runs go on from a checkpoint behind the first turn of the first thread.  Prints milliseconds to copy the program (median, most) and of
 * processor time in full, and behind the checkpoint.    -s   in small pages */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "drive/runs.h"

#define RUNS 99

static struct run_done make(struct runs *r, const struct run_order *order)
{
	struct run_done d;
	struct err why = { 0 };
	runs_give(r, order);
	if (runs_take(r, &d, &why) <= 0) {
		fprintf(stderr, "kept: %s\n", why.text);
		exit(1);
	}
	return d;
}

static int by_size(const void *a, const void *b)
{
	return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

int main(int argc, char **argv)
{
	bool small = argc > 1 && strcmp(argv[1], "-s") == 0;
	if (argc < 2 + small)
		return 2;
	if (small)
		prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	struct runs_setup setup = { .like = { .argv = argv + 1 + small, .loose = true, .apart = true }, .jobs = 1 };
	struct err why = { 0 };
	struct runs *r = runs_open(&setup, &why);
	if (!r)
		return 1;
	struct run_done full = make(r, &(struct run_order){ .policy = STEER_FIRST });
	double copying[RUNS], seconds = 0;
	for (int i = 0; i < RUNS; i++) {
		struct run_done d = make(r, &(struct run_order){ .schedule = &full.result.log, .keep = 1 });
		copying[i] = d.copying;
		seconds += d.from_kept ? d.seconds : 0;
		run_done_release(&d);
	}
	struct runs_kept kept = runs_kept(r);
	qsort(copying, RUNS, sizeof *copying, by_size);
	printf("%.3f %.3f %.2f %.2f %llu\n", copying[RUNS / 2] * 1e3, copying[RUNS - 1] * 1e3, full.seconds * 1e3,
		seconds / (double)(kept.used ? kept.used : 1) * 1e3, (unsigned long long)kept.used);
	run_done_release(&full);
	runs_close(r);
	return 0;
}
