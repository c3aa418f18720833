/* tests/steer/kept.c -- a run that goes on from a checkpoint is the one made in full of the same order.
 *   kept [-n <schedules=3>] [-l] [-d] <program> [<arguments>]
 * Schedules are logs of runs by random, pct and pos.  Each is followed as it is, cut off behind some step with a policy behind it, and, if
 * loosely (-l), also with one turn left out; all of it in full, and then again with checkpoints at that step: one after the other, one
 * inside the other, and back.  Log, outcome, text, threads, output and clock must be the same.  Prints how many were compared, how many of
 * them went on from a checkpoint, how many of these runs.c made again, and why there was none.
 *   -d   output and clock may differ: they have what no two runs have in common */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"
#include "drive/runs.h"
#include "tests/steer/describe.h"

#define CUTS 5u

static unsigned schedules = 3, compared, from_kept;
static bool output_differs;
static struct steer_options like = { .max_steps = 20000, .max_seconds = 60, .apart = true };
static struct runs *in_full, *with_kept;

static void fail(const char *what)
{
	printf("FAIL %s\n", what);
	exit(1);
}

static struct runs *open_runs(void)
{
	struct runs_setup setup = { .like = like, .jobs = 1 };
	struct err why = { 0 };
	struct runs *r = runs_open(&setup, &why);
	if (!r)
		fail(why.text);
	return r;
}

static void make(struct runs *r, const struct run_order *order, struct run_done *out)
{
	struct err why = { 0 };
	runs_give(r, order);
	if (runs_take(r, out, &why) <= 0)
		fail(why.text);
	if (out->differs)
		fail("a run made again in full went another way");
}

static void compare(const struct run_order *order)
{
	struct run_order full = *order;
	struct run_done one, other;
	full.keep = 0;
	make(in_full, &full, &one);
	make(with_kept, order, &other);
	char *want = describe(&one.result, one.output.at, one.output.count, output_differs);
	char *came = describe(&other.result, other.output.at, other.output.count, output_differs);
	if (strcmp(want, came) != 0) {
		printf("FAIL kept before step %llu of %zu, it differs\n--- in full\n%s\n--- from a checkpoint\n%s\n", (unsigned long long)order->keep,
			order->schedule->steps.count, want, came);
		exit(1);
	}
	compared++;
	from_kept += other.from_kept;
	free(want);
	free(came);
	run_done_release(&one);
	run_done_release(&other);
}

/* The steps of `from` up to `end`, but for one. */
static void part(struct schedule *out, const struct schedule *from, size_t end, size_t without)
{
	schedule_init(out);
	for (size_t i = 1; i < from->threads.count; i++)
		schedule_thread_add(out, from->threads.at[i].path, "");
	for (size_t i = 0; i < end; i++) {
		const struct schedule_step *s = &from->steps.at[i];
		if (i != without)
			schedule_step_add(out, (enum step_what)s->what, s->thread, s->nth)->answer = s->answer;
	}
}

/* All orders that have to do with the step `at` of a schedule. */
static void around(const struct schedule *log, size_t at, struct run_order order)
{
	struct schedule whole, cut, gap;
	part(&whole, log, log->steps.count, SIZE_MAX);
	part(&cut, log, at, SIZE_MAX);
	part(&gap, log, log->steps.count, at);
	order.keep = at;
	order.schedule = &whole;
	compare(&order);
	order.schedule = &cut;
	compare(&order);
	if (like.loose) {
		order.schedule = &gap;
		compare(&order);
	}
	order.keep = 0;                         /* what is there is used */
	order.schedule = &whole;
	compare(&order);
	schedule_release(&whole);
	schedule_release(&cut);
	schedule_release(&gap);
}

static void follow(struct run_order order)
{
	struct run_done run;
	make(in_full, &order, &run);
	const struct schedule *log = &run.result.log;
	for (size_t i = 1; i <= CUTS; i++)
		if (i * log->steps.count / CUTS > 0)
			around(log, i * log->steps.count / CUTS, order);
	if (log->steps.count > 1)
		around(log, log->steps.count / 2, order);
	run_done_release(&run);
}

int main(int argc, char **argv)
{
	for (int c; (c = getopt(argc, argv, "+n:ld")) != -1;)
		switch (c) {
		case 'n': schedules = (unsigned)atoi(optarg); break;
		case 'l': like.loose = true; break;
		case 'd': output_differs = true; break;
		default: return 2;
		}
	if (optind == argc)
		return 2;
	like.argv = argv + optind;
	in_full = open_runs();
	with_kept = open_runs();
	for (unsigned i = 0; i < schedules; i++)
		follow((struct run_order){ .policy = i % 3 == 0 ? STEER_RANDOM : i % 3 == 1 ? STEER_PCT : STEER_POS, .depth = 3, .seed = i + 1 });
	struct runs_kept kept = runs_kept(with_kept);
	printf("%u runs are the same, %u from checkpoints, %llu made again, refused %u\n", compared, from_kept, (unsigned long long)kept.checked,
		kept.refused);
	runs_close(in_full);
	runs_close(with_kept);
	return 0;
}
