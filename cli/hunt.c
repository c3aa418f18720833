/* cli/hunt.c -- raddle hunt: schedules of a program until one fails; that one cut down, written, replayed. */
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/str.h"
#include "cli/command.h"
#include "cli/found.h"
#include "cli/interrupt.h"
#include "cli/parted.h"
#include "cli/progress.h"
#include "cli/say.h"
#include "cli/started.h"
#include "cli/steered.h"
#include "drive/hunt.h"
#include "drive/program.h"
#include "drive/saved.h"

#define SECONDS_USUAL 60.0              /* of a hunt nobody gave an end */
#define TIMEOUT_USUAL 60u               /* seconds of one run */
#define CUT_RUNS      5000u             /* to cut a schedule down, at most, */
#define CUT_SECONDS   120.0             /* and as long at most */

struct options {
	const char *policy, *fail_if;
	struct steered_world world;
	uint64_t time, runs, jobs, seed, max_steps, timeout;
	bool keep, json, races;
};

/* ---------------------------------------------------------------- the command line */

static int parse_policy(const char *text, struct hunt_setup *out, struct err *why)
{
	uint64_t depth;
	out->policy = HUNT_MIX;
	if (strcmp(text, "mix") == 0)
		return 0;
	for (int i = STEER_RANDOM; i <= STEER_POS; i++)
		if (strcmp(text, policy_words[i]) == 0) {
			out->policy = i;
			return 0;
		}
	if (str_starts(text, "pct:") && str_number(text + 4, &depth) && depth >= 1 && depth <= 64) {
		out->policy = STEER_PCT;
		out->depth = (uint32_t)depth;
		return 0;
	}
	err_set(why, "'--policy=%.100s' is not mix, random, pos, pct or pct:<depth>", text);
	err_hint(why, "a depth is 1 to 64; where the numbers begin is --seed");
	why->code = 2;
	return -1;
}

static int set_up(const struct options *o, char **operands, struct hunt_setup *out, struct failure_rule *rule, struct err *why)
{
	*out = (struct hunt_setup){ .rule = rule, .most = o->runs, .seed = o->seed, .hang_fails = o->timeout != 0, .runs.jobs = (unsigned)o->jobs,
		.runs.races = o->races };
	out->runs.like = steered_options(&o->world, operands);
	out->runs.like.max_steps = o->max_steps;
	out->runs.like.max_seconds = o->timeout ? (unsigned)o->timeout : TIMEOUT_USUAL;
	out->seconds = o->time || o->runs ? (double)o->time : SECONDS_USUAL;
	if (parse_policy(o->policy, out, why) < 0)
		return -1;
	return failure_rule_parse(o->fail_if, rule, why);
}

/* ---------------------------------------------------------------- progress */

static const struct hunt_setup *current;

static void say_progress(const struct hunt_counts *c)
{
	char runs[STR_NUMBER], distinct[STR_NUMBER], left[40] = "";
	if (current->most)
		snprintf(left, sizeof left, ", about %.0f s to go", c->seconds / (double)c->runs * (double)(current->most - c->runs));
	else if (current->seconds > 0)
		snprintf(left, sizeof left, ", %.0f s to go", fmax(current->seconds - c->seconds, 0));
	ticker_line("%s runs, %s distinct orders, %.0f s%s", str_grouped(runs, c->runs), str_grouped(distinct, c->distinct), c->seconds, left);
}

static bool hunt_goes_on(const struct hunt_counts *c)
{
	static struct ticker ticker;
	if (ticker_due(&ticker))
		say_progress(c);
	return !interrupt_came();
}

/* Not for ever: what it has by then is written, and raddle minimize takes it from there. */
static bool cut_goes_on(void *with)
{
	static struct ticker ticker;
	(void)with;
	if (ticker_due(&ticker))
		ticker_line("it failed; its order is cut down, %.0f s", ticker.said);
	return !interrupt_came() && ticker_seconds(&ticker) < CUT_SECONDS;
}

/* ---------------------------------------------------------------- what came of it */

/* How runs were made: "many in one process", or why not. */
static const char *how_made(const struct hunt_result *r, char *into, size_t room)
{
	if (r->parted.number)
		snprintf(into, room, "a process each from then on");
	else if (r->refused == RESTART_NEVER)
		snprintf(into, room, "a process each");
	else if (r->refused == RESTART_TOO_MUCH)
		snprintf(into, room, "a process each, since they write to much memory");
	else if (r->refused && r->refused != RESTART_SIGNAL)
		snprintf(into, room, "a process each, since system call %" PRIu32 " cannot be undone", r->refused - 1);
	else
		snprintf(into, room, r->restarted ? "many in one process" : "a process each");
	return into;
}

static void say_counts(const struct hunt_result *r)
{
	const struct hunt_counts *c = &r->counts;
	char how[100];
	char runs[STR_NUMBER], distinct[STR_NUMBER], rate[STR_NUMBER];
	printf("%s run%s, %s distinct order%s, %.1f s", str_grouped(runs, c->runs), c->runs == 1 ? "" : "s", str_grouped(distinct, c->distinct),
		c->distinct == 1 ? "" : "s", c->seconds);
	if (c->seconds >= 1)
		printf(" (%s a second, %s)", str_grouped(rate, (uint64_t)((double)c->runs / c->seconds)), how_made(r, how, sizeof how));
	putchar('\n');
}

/* How sure is it that there is nothing?  Only pct comes with a number. */
static void say_bound(const struct hunt_counts *c)
{
	char events[STR_NUMBER];
	bool any = false;
	for (uint32_t depth = 1; depth <= 64; depth++) {
		double missed = hunt_missed(c, depth);
		if (!c->pct_by_depth[depth])
			continue;
		if (!any)
			printf("how likely pct would have missed a bug, with %" PRIu64 " thread%s and %s events:\n", c->most_threads,
				c->most_threads == 1 ? "" : "s", str_grouped(events, c->events));
		printf("  depth %" PRIu32 "  at most %.3g (%" PRIu64 " run%s)\n", depth, missed, c->pct_by_depth[depth],
			c->pct_by_depth[depth] == 1 ? "" : "s");
		any = true;
	}
	if (any && c->most_events > c->events)
		printf("but some runs were longer: up to %s events\n", str_grouped(events, c->most_events));
}

/* Those of all runs, each pair of places once. */
static void say_races(const struct races_kept *k, uint64_t runs, bool json)
{
	for (size_t i = 0; i < k->all.count; i++) {
		const struct race_kept *r = &k->all.at[i];
		fputs(json ? r->json : r->text, stdout);
		if (!json)
			printf("  first in run %" PRIu64 ", in %" PRIu64 " of %" PRIu64 " runs\n", r->first, r->runs, runs);
	}
	if (k->unseen && !json)
		printf("in %" PRIu64 " runs some older accesses could not be remembered: races with them cannot be seen\n", k->unseen);
	if (k->stopped && !json)
		printf("in %" PRIu64 " runs races were looked for in the first part only: too many threads or synchronising objects\n", k->stopped);
}

static void say_race_count(const struct options *o, const struct races_kept *k)
{
	if (o->races)
		printf("%zu race%s, ", k->all.count, k->all.count == 1 ? "" : "s");
}

static void say_early(const struct early *e)
{
	for (uint32_t i = 0; i < e->places.count; i++)
		printf("%s: %s\n", EARLY_SAID, names_text(&e->places, i));
}

static void say_outside(const struct hunt_result *r)
{
	if (r->outside_runs)
		printf("%" PRIu64 " of the runs did what others can notice, the first: it %s\n", r->outside_runs, r->outside);
}

static void summary_as_json(const struct hunt_result *r, const struct options *o, bool found)
{
	const struct hunt_counts *c = &r->counts;
	char how[100];
	struct json j;
	if (!o->json)
		return;
	json_summary(&j, stdout);
	json_put_text(&j, "command", "hunt");
	json_put_number(&j, "failures", found);
	if (o->races)
		json_put_number(&j, "races", r->races.all.count);
	json_put_number(&j, "runs", c->runs);
	json_put_number(&j, "distinct", c->distinct);
	json_put_number(&j, "unknown", c->unknown + c->slow);
	json_put_bool(&j, "interrupted", r->interrupted || interrupt_came());
	json_put_text(&j, "how", how_made(r, how, sizeof how));
	json_put_number(&j, "restarted", r->restarted);
	json_put_number(&j, "checked", r->checked);
	json_put_number(&j, "outside", r->outside_runs);
	if (r->outside_runs)
		json_put_text(&j, "outside_first", r->outside);
	if (r->like.model)
		json_early(&j, &r->early);
	json_put_number(&j, "events", c->events);
	json_put_number(&j, "most_events", c->most_events);
	json_put_number(&j, "most_threads", c->most_threads);
	json_key(&j, "seconds");
	json_real(&j, c->seconds);
	json_key(&j, "missed");
	json_array(&j);
	for (uint32_t depth = 1; depth <= 64; depth++)
		if (c->pct_by_depth[depth]) {
			json_object(&j);
			json_put_number(&j, "depth", depth);
			json_put_number(&j, "runs", c->pct_by_depth[depth]);
			json_key(&j, "probability");
			json_real(&j, hunt_missed(c, depth));
			json_end(&j, '}');
		}
	json_end(&j, ']');
	json_summary_end(&j);
}

/* Nothing failed.  0; 1: but there were races; 4: not all runs can be judged, or it was stopped. */
static int say_nothing(const struct hunt_result *r, const struct options *o)
{
	const struct hunt_counts *c = &r->counts;
	bool stopped = r->interrupted || interrupt_came();
	say_races(&r->races, c->runs, o->json);
	parted_say(&r->parted, o->json);
	if (!o->json) {
		printf("%s: ", stopped ? "interrupted, nothing failed so far" : "nothing failed");
		say_race_count(o, &r->races);
		say_counts(r);
		say_bound(c);
		say_early(&r->early);
		say_outside(r);
		if (c->unknown)
			printf("%" PRIu64 " of the runs say nothing, the first: %s\n", c->unknown, c->said);
		if (c->slow)
			printf("%" PRIu64 " of the runs took too long, the first: %s (--timeout=<time>)\n", c->slow, c->said);
	}
	summary_as_json(r, o, false);
	return r->races.all.count ? 1 : stopped || c->unknown || c->slow || r->parted.number ? 4 : 0;
}

static void say_found(struct hunt_result *r, struct found *f, const struct options *o, const char *path)
{
	char policy[SCHEDULE_POLICY_ROOM];
	struct json j;
	policy_print(policy, r->order.policy, r->order.seed, r->order.depth);
	if (o->json) {
		json_init(&j, stdout);
		json_object(&j);
		json_put_text(&j, "type", "failure");
		json_put_number(&j, "run", r->number);
		json_put_text(&j, "policy", policy);
		found_json(&j, f, path);
		json_end(&j, '}');
		json_line(&j);
		say_races(&r->races, r->counts.runs, true);
		parted_say(&r->parted, true);
		parted_say(&f->parted, true);
	} else {
		found_say(f);
		printf("  found in run %" PRIu64 " (%s), %" PRIu64 " switch%s", r->number, policy, f->before.switches, f->before.switches == 1 ? "" : "es");
		if (f->runs)
			printf("; cut to %" PRIu64 " in %" PRIu64 " runs%s", f->after.switches, f->runs, f->complete ? "" : ", and then stopped: raddle minimize goes on");
		putchar('\n');
		found_say_replays(f, path);
		say_races(&r->races, r->counts.runs, false);
		parted_say(&r->parted, false);
		parted_say(&f->parted, false);
		printf("1 failure: ");
		say_race_count(o, &r->races);
		say_counts(r);
		say_early(&r->early);
		say_outside(r);
	}
	summary_as_json(r, o, true);
}

static int found(const struct hunt_setup *setup, struct hunt_result *r, const struct options *o, const char *folder, struct err *why)
{
	char path[4096 + 64];
	struct found f;
	saved_next_name(folder, "fail", path, sizeof path);
	struct found_setup how = { .like = r->like, .jobs = setup->runs.jobs, .rule = setup->rule, .key = (const char *)r->key.at,
		.policy = r->order.policy, .depth = r->order.depth, .seed = r->order.seed, .most = o->keep ? 0 : CUT_RUNS, .path = path,
		.go_on = cut_goes_on, .interrupted = interrupt_waits };
	if (found_write(&how, &r->run, &f, why) < 0)
		return -1;
	ticker_over();
	say_found(r, &f, o, path + strlen(folder));
	found_release(&f);
	return 1;
}

static int run(const void *given, char **operands, struct err *why)
{
	const struct options *o = given;
	struct hunt_setup setup;
	struct hunt_result result;
	struct failure_rule rule;
	struct started started;
	if (set_up(o, operands, &setup, &rule, why) < 0)
		return -1;
	if (program_check_output("fail-1.sched", why) < 0 || started_find(operands, &started, why) < 0) {
		failure_rule_release(&rule);
		return -1;
	}
	setup.runs.like.argv = started.argv;
	setup.runs.like.path = started.path;
	setup.runs.most_memory = setup.runs.like.most_memory = runs_memory(setup.runs.jobs);    /* of all of them: a failure says how much it was */
	current = &setup;
	setup.go_on = hunt_goes_on;
	interrupt_watch();
	int got = hunt(&setup, &result, why);
	if (got < 0 && interrupt_came())
		got = 0;                                /* what could not be started was not to be */
	ticker_over();
	int code = got < 0 ? -1 : got ? found(&setup, &result, o, started.folder, why) : say_nothing(&result, o);
	interrupt_leave();
	if (code < 0 && !why->code)
		why->code = 4;
	hunt_result_release(&result);
	started_release(&started);
	failure_rule_release(&rule);
	return code;
}

static const struct option list[] = {
	{ 0, "for", OPTION_TIME, offsetof(struct options, time), "time", "how long: 30, 30s, 10m, 1h (default 60s)", NULL, 1, OPTION_TIME_MOST },
	{ 'n', "runs", OPTION_NUMBER, offsetof(struct options, runs), "n", "how many runs", NULL, 1, 1000000000000 },
	{ 'p', "policy", OPTION_TEXT, offsetof(struct options, policy), "policy",
		"mix, random, pos, pct or pct:<depth> (default mix)", NULL, 0, 0 },
	{ 0, "seed", OPTION_NUMBER, offsetof(struct options, seed), "n", "where the numbers begin (default 1)", NULL, 0, UINT64_MAX },
	STEERED_JOBS(struct options, jobs), STEERED_FAIL_IF(struct options, fail_if),
	{ 0, "races", OPTION_FLAG, offsetof(struct options, races), NULL,
		"look for data races in every run; they are findings too", NULL, 0, 0 },
	STEERED_WORLD(struct options, world),
	{ 0, "max-steps", OPTION_NUMBER, offsetof(struct options, max_steps), "n",
		"call a run a livelock after so many events (default ten times the first run's)", NULL, 1, SCHEDULE_NTH_MAX },
	{ 0, "timeout", OPTION_TIME, offsetof(struct options, timeout), "time",
		"call a run a livelock after so much time", NULL, 1, 1000000 },
	{ 0, "no-minimize", OPTION_FLAG, offsetof(struct options, keep), NULL, "keep the failing schedule as it was found", NULL, 0, 0 },
	{ 0, "json", OPTION_FLAG, offsetof(struct options, json), NULL, "one object per line, see raddle-json(5)", NULL, 0, 0 },
	OPTION_HELP, OPTION_LAST
};
static const struct options defaults = { .policy = "mix", .fail_if = "exit", .seed = 1 };

const struct command command_hunt = { "steer", "hunt", "-- <program> [<arguments>]",
	"Run a program in many orders until one fails.",
	STYLE_PROGRAM, list, &defaults, sizeof defaults, 1, -1,
	"The failing order is cut down to few switches, written to fail-1.sched (or the next free number) and replayed 20 times.\n"
	"Example: raddle hunt --runs=1000 -- ./bank; raddle replay fail-1.sched\n"
	"Exit: 0 nothing failed, 1 found, 2 bad command line, 3 not built with raddle, 4 gave up early.", run, true };
