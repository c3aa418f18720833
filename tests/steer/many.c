/* tests/steer/many.c -- runs a program many times through drive/runs.h and says what came of each, in the order given.
 *   many [-n <runs=4>] [-j <jobs=2>] [-s <seconds>] [-m <megabytes>] <program> [<arguments>]
 * One line for runs in a row that are alike: how many, how they ended, what they printed, what others could notice of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"
#include "drive/runs.h"

#define MOST 1000

static char *lines[MOST];

static void fail(const char *what)
{
	printf("FAIL %s\n", what);
	exit(1);
}

static char *describe(const struct run_done *d)
{
	char *text = NULL, said[STEER_SAY];
	size_t bytes;
	FILE *f = open_memstream(&text, &bytes);
	fputs(steer_say(&d->result, said), f);
	for (size_t i = 0; i < d->output.count && i < 200; i++)
		if (i == 0 || d->output.at[i] != '\n')
			fprintf(f, "%s%c", i ? "" : ": ", d->output.at[i]);
	if (d->output_bytes > 200)
		fprintf(f, "... %llu bytes", (unsigned long long)d->output_bytes);
	if (d->result.outside[0])
		fprintf(f, "; %s", d->result.outside);
	if (d->leftovers)
		fprintf(f, "; left processes behind");
	fclose(f);
	return text;
}

static void take(struct runs *r)
{
	struct run_done d;
	struct err why = { 0 };
	int got = runs_take(r, &d, &why);
	if (got <= 0)
		fail(got ? why.text : "no run is done");
	lines[d.tag] = describe(&d);
	run_done_release(&d);
}

int main(int argc, char **argv)
{
	struct runs_setup setup = { .jobs = 2 };
	struct err why = { 0 };
	unsigned count = 4, taken = 0;
	for (int c; (c = getopt(argc, argv, "+n:j:s:m:")) != -1;)
		switch (c) {
		case 'n': count = (unsigned)atoi(optarg); break;
		case 'j': setup.jobs = (unsigned)atoi(optarg); break;
		case 's': setup.like.max_seconds = (unsigned)atoi(optarg); break;
		case 'm': setup.most_memory = (uint64_t)atoi(optarg) << 20; break;
		default: return 2;
		}
	if (optind == argc || count > MOST)
		return 2;
	setup.like.argv = argv + optind;
	struct runs *r = runs_open(&setup, &why);
	if (!r)
		fail(why.text);
	for (unsigned i = 0; i < count; i++) {
		for (; !runs_room(r); taken++)
			take(r);
		runs_give(r, &(struct run_order){ .policy = STEER_RANDOM, .seed = i, .tag = i });
	}
	for (; taken < count; taken++)
		take(r);
	runs_close(r);
	for (unsigned i = 0, same; i < count; i += same) {
		for (same = 1; i + same < count && strcmp(lines[i], lines[i + same]) == 0; same++)
			;
		printf("%u x %s\n", same, lines[i]);
	}
	for (unsigned i = 0; i < count; i++)
		free(lines[i]);
	return 0;
}
