/* tests/steer/kept.c -- a run that goes on from a checkpoint is the one made in full of the same order.
 *   kept [-n <schedules=3>] [-l] [-d] <program> [<arguments>]
 * Schedules are logs of runs by random, pct and pos.  Each is followed as it is, cut off behind some step with a policy behind it, and, if
 * loosely (-l), also with one turn left out; all of it in full, and then again with checkpoints at that step: one after the other, one
 * inside the other, and back.  Log, outcome, text, threads, output and clock must be the same.  Prints how many were compared, how many of
 * them went on from a checkpoint, how many of these runs.c made again, and why there was none.
 *   -d   output and clock may differ: they have what no two runs have in common
 *   -m   instead: the first run by random that fails is cut down (minimize.h), with as many checkpoints as there can be and with none
 *   -p   instead: a run is made from a checkpoint until it is found to go another way in full; prints where */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"
#include "drive/minimize.h"
#include "drive/parted.h"
#include "drive/runs.h"
#include "trace/event.h"
#include "tests/steer/describe.h"

#define CUTS   5u
#define SEEDS  500u                     /* that are tried for one that fails */
#define LIKELY 1000u                    /* runs from a checkpoint: ten of them are made again */

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

/* ---------------------------------------------------------------- cut down */

static char *cut(const struct schedule *log, const char *key, const struct failure_rule *rule, double keep_seconds, uint64_t *used)
{
	struct minimize_result small;
	struct err why = { 0 };
	char *text = NULL;
	size_t bytes;
	struct runs *r = open_runs();
	struct minimize_setup how = { .runs = r, .like = &like, .keep_seconds = keep_seconds, .rule = rule, .key = key, .most = 2000 };
	if (minimize(&how, log, &small, &why) != 0)
		fail(why.text);
	*used = runs_kept(r).used;
	runs_close(r);
	FILE *f = open_memstream(&text, &bytes);
	fprintf(f, "%llu switches, %llu events, %llu runs\n", (unsigned long long)small.after.switches, (unsigned long long)small.after.events,
		(unsigned long long)small.runs);
	schedule_print(&small.script, f);
	fclose(f);
	minimize_result_release(&small);
	return text;
}

static int cut_both_ways(void)
{
	struct failure_rule rule;
	struct err why = { 0 };
	struct run_done run;
	struct buffer key = { 0 };
	uint64_t with, without, seed = 0;
	failure_rule_parse("exit", &rule, &why);
	struct runs *r = open_runs();
	for (;; run_done_release(&run)) {
		make(r, &(struct run_order){ .policy = STEER_RANDOM, .seed = ++seed }, &run);
		if (failure_is(&rule, &run))
			break;
		if (seed == SEEDS)
			fail("it does not fail");
	}
	failure_key(&rule, &run, &key);
	runs_close(r);
	like.loose = true;
	char *one = cut(&run.result.log, (const char *)key.at, &rule, -1, &without), *other = cut(&run.result.log, (const char *)key.at, &rule, 0, &with);
	if (strcmp(one, other) != 0)
		printf("FAIL cut down it differs\n--- in full\n%s\n--- with checkpoints\n%s\n", one, other);
	else
		printf("cut down alike; from checkpoints: %s, %s\n", without ? "some" : "none", with ? "some" : "none");
	free(one);
	free(other);
	buffer_release(&key);
	run_done_release(&run);
	failure_rule_release(&rule);
	return 0;
}

/* ---------------------------------------------------------------- another way */

static void say(const struct parted_way *w)
{
	if (w->over)
		printf("over\n");
	else
		printf("%s, %s%s%s\n", w->thread, event_word(w->kind), *w->place ? " at " : "", w->place);
}

static int part_ways(void)
{
	struct run_done run, first;
	struct err why = { 0 };
	like.loose = true;
	struct runs *r = open_runs();
	make(r, &(struct run_order){ .policy = STEER_FIRST }, &first);
	struct run_order order = { .schedule = &first.result.log, .keep = 1 };
	for (unsigned i = 0; i < LIKELY; i++) {
		runs_give(r, &order);
		if (runs_take(r, &run, &why) <= 0)
			fail(why.text);
		bool differs = run.differs;
		run_done_release(&run);
		if (!differs)
			continue;
		struct parted p = { .number = i + 1, .order = order, .among = order };
		parted_locate(&p, &like);
		printf(p.located ? "two ways:\n" : "two ways, not located\n");
		for (int k = 0; p.located && k < 2; k++)
			say(&p.way[k]);
		run_done_release(&first);
		runs_close(r);
		return 0;
	}
	struct runs_kept kept = runs_kept(r);
	printf("FAIL always the same: %llu checkpoints, %llu runs from them, refused %u\n", (unsigned long long)kept.made,
		(unsigned long long)kept.used, kept.refused);
	return 1;
}

int main(int argc, char **argv)
{
	bool minimal = false, parting = false;
	for (int c; (c = getopt(argc, argv, "+n:ldmp")) != -1;)
		switch (c) {
		case 'n': schedules = (unsigned)atoi(optarg); break;
		case 'l': like.loose = true; break;
		case 'd': output_differs = true; break;
		case 'm': minimal = true; break;
		case 'p': parting = true; break;
		default: return 2;
		}
	if (optind == argc)
		return 2;
	like.argv = argv + optind;
	if (minimal || parting)
		return minimal ? cut_both_ways() : part_ways();
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
