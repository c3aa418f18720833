/* bench/switch.c -- nanoseconds a switch between two threads takes in the program itself: choosing, writing it down and swapping, without
 * what raddle does afterwards to read the log.
 *   switch <bench/steps, built with raddle> <times>
 * The processor time of a run that does it so often, less that of one that does it once; the median of 5. */
#include <stdio.h>
#include <stdlib.h>

#include "drive/runs.h"

#define ROUNDS 5

static double seconds_of(char *program, char *times)
{
	char *argv[] = { program, "switch", times, NULL };
	struct runs_setup setup = { .like = { .argv = argv }, .jobs = 1 };
	struct run_done done;
	struct err why = { 0 };
	struct runs *r = runs_open(&setup, &why);
	if (r)
		runs_give(r, &(struct run_order){ .policy = STEER_FIRST });
	if (!r || runs_take(r, &done, &why) != 1) {
		fprintf(stderr, "switch: %s\n", why.text);
		exit(1);
	}
	double seconds = done.seconds;
	run_done_release(&done);
	runs_close(r);
	return seconds;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	double round[ROUNDS];
	if (argc != 3 || atol(argv[2]) <= 0)
		return 2;
	for (int i = 0; i < ROUNDS; i++)
		round[i] = seconds_of(argv[1], argv[2]) - seconds_of(argv[1], "1");
	qsort(round, ROUNDS, sizeof *round, by_value);
	printf("%.1f\n", round[ROUNDS / 2] / (2 * (double)atol(argv[2])) * 1e9);
	return 0;
}
