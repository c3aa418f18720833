/* cli/check.c -- raddle check: every behaviour of a program.  The work is analyses/check's. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analyses/check/check.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/str.h"
#include "cli/command.h"
#include "cli/found.h"
#include "cli/interleaving.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/started.h"
#include "drive/program.h"
#include "drive/saved.h"
#include "trace/objects.h"

#define ESTIMATE_FOR 5u                 /* seconds, if nobody says how long */
#define HARDLY 1e-6                     /* of the search: too little to tell */
#define MOST_CUTS 1000u                 /* runs to cut a schedule down */

struct options { uint64_t model, heap, jobs, budget, seconds, timeout; const char *trust, *state, *certificate; bool json, keep_going, estimate, same_output; };

static struct started started;          /* what is run: the program named, or the one that a test runner starts */

/* What a schedule is called where the user is. */
static const char *told_as(const char *path)
{
	return path + strlen(started.folder);
}

/* False: somebody wants it to end. */
static bool say_progress(uint64_t done, uint64_t frontier)
{
	static struct ticker ticker;
	char runs[STR_NUMBER], open[STR_NUMBER];
	if (ticker_due(&ticker))
		ticker_line("%s executions, %s open, %.0f a second", str_grouped(runs, done), str_grouped(open, frontier), (double)done / ticker.said);
	return !interrupt_waits();
}

static double ends_at;                  /* clock_seconds() when the time allowed is over; 0: there is no limit */

static bool cut_goes_on(void *with)
{
	(void)with;
	return !interrupt_waits() && !(ends_at > 0 && clock_seconds() > ends_at);
}

/* Time is over, and so is what is left for telling what was found. */
static bool is_too_late(void)
{
	static double since;
	if (!since && !cut_goes_on(NULL))
		since = clock_seconds();
	return since > 0 && clock_seconds() - since > FOUND_HURRY;
}

static const char *const verdicts[] = { "safe", "bug", "incomplete" };
static const char *const models[] = { "sc", "tso", "pso" };
static const char *const bounds[] = { "SC (not TSO, PSO or C11)", "TSO (not PSO or C11)", "PSO (not C11/ARM)" };

static void say_end_json(const struct options *o, const struct check_result *r)
{
	struct json j;
	bool is_whole = !*r->why && (r->verdict == CHECK_SAFE || o->keep_going);
	json_summary(&j, stdout);
	json_put_text(&j, "command", "check");
	json_put_text(&j, "model", models[o->model]);
	json_put_text(&j, "verdict", verdicts[r->verdict]);
	json_put_number(&j, "executions", r->executions);
	json_put_number(&j, "classes", r->classes);
	json_put_number(&j, "blocked", is_whole && r->executions > r->classes ? r->executions - r->classes : 0);
	json_put_number(&j, "errors", r->bugs.count + r->outputs.count);
	json_put_number(&j, "races", r->races.count);
	if (*r->why)
		json_put_text(&j, "why", r->why);
	if (*r->granted)
		json_put_text(&j, "assumed", r->granted);
	json_key(&j, "seconds");
	json_real(&j, r->seconds);
	json_key(&j, "cpu_seconds");
	json_real(&j, r->cpu_seconds);
	json_summary_end(&j);
}

static void say_end(const struct options *o, const struct check_result *r)
{
	char number[STR_NUMBER], runs[STR_NUMBER];
	const char *many = r->executions == 1 ? "" : "s";
	str_grouped(runs, r->executions);
	if (r->verdict == CHECK_SAFE)
		printf("safe: all %s behaviour%s of this test and input under %s; %s execution%s\n",
			str_grouped(number, r->classes), r->classes == 1 ? "" : "s", bounds[o->model], runs, many);
	else if (r->verdict == CHECK_BUG)
		printf("bug: found in %s execution%s%s%s\n", runs, many, *r->why ? "; incomplete: " : "", r->why);
	else
		printf("incomplete: %s; %s execution%s, no bug in them\n", r->why, runs, many);
	if (*r->granted)
		printf("  taken for granted of libstdc++, whose code is not watched: %s\n", r->granted);
}

static void say_certificate(const struct options *o, const struct check_result *r)
{
	fflush(stdout);
	if (!r->certified && r->uncertified)
		fprintf(stderr, "raddle: no certificate was written: %s\n", r->uncertified);
	else if (!r->certified)
		fprintf(stderr, "raddle: no certificate was written: the search did not come to its end%s\n", r->verdict == CHECK_BUG && !o->keep_going ? " (--keep-going)" : "");
	else if (!o->json)
		printf("  check it again: raddle verify-certificate %s -- <program>\n", o->certificate);
}

/* It says what no replay shows. */
static void take_back(const struct options *o, struct check_result *r)
{
	unlink(o->certificate);
	r->certified = false;
	r->uncertified = "what the search foresaw is not shown by a replay";
}

/* Not fewer than were executed. */
static uint64_t estimated(const struct check_result *r)
{
	if (r->estimate < (double)r->executions)
		return r->executions;
	return r->estimate > 1e18 ? UINT64_MAX : (uint64_t)(r->estimate + 0.5);
}

static int say_estimate(const struct options *o, const struct check_result *r)
{
	char number[STR_NUMBER], runs[STR_NUMBER];
	bool stopped = *r->why && !r->cut, exact = r->share >= 1 && !r->cut;
	if (o->json) {
		struct json j;
		json_summary(&j, stdout);
		json_put_text(&j, "command", "check");
		json_put_text(&j, "model", models[o->model]);
		json_put_number(&j, "estimate", estimated(r));
		json_key(&j, "share");
		json_real(&j, exact ? 1 : r->share);
		json_put_number(&j, "executions", r->executions);
		if (stopped)
			json_put_text(&j, "why", r->why);
		json_key(&j, "seconds");
		json_real(&j, r->seconds);
		json_summary_end(&j);
		return stopped ? 4 : 0;
	}
	str_grouped(number, estimated(r));
	str_grouped(runs, r->executions);
	if (stopped)
		printf("incomplete: %s; %s execution%s\n", r->why, runs, r->executions == 1 ? "" : "s");
	else if (exact)
		printf("%s behaviour%s of this test and input under %s, as foreseen after %s execution%s\n", number, r->classes == 1 ? "" : "s", bounds[o->model],
			runs, r->executions == 1 ? "" : "s");
	else if (r->share < HARDLY)
		printf("at least %s behaviour%s of this test and input under %s: the search has hardly begun\n", number, r->executions == 1 ? "" : "s", bounds[o->model]);
	else
		printf("about %s behaviours of this test and input under %s, from the first %.2g %% of the search\n", number, bounds[o->model], 100 * r->share);
	return stopped ? 4 : 0;
}

static void say_bug(const struct options *o, struct found *f, const char *path)
{
	struct json j;
	if (!o->json) {
		found_say(f);
		if (f->kept.written && cut_goes_on(NULL))
			interleaving_say(path);
		found_say_replays(f, told_as(path));
		return;
	}
	json_init(&j, stdout);
	json_object(&j);
	json_put_text(&j, "type", "bug");
	found_json(&j, f, told_as(path));
	json_end(&j, '}');
	json_line(&j);
}

/* The race of this run that is between these two places; NULL: none. */
static const struct race *race_between(const struct check_found *f, const struct race_list *l)
{
	for (size_t i = 0; i < l->all.count; i++) {
		char at[2][200] = { "", "" };
		for (int k = 0; k < 2; k++) {
			place_short(l->all.at[i].side[k].place, at[k], sizeof at[k]);
			if (!*at[k])
				snprintf(at[k], sizeof at[k], "an unknown place");
		}
		if ((!strcmp(at[0], f->place[0]) && !strcmp(at[1], f->place[1])) || (!strcmp(at[0], f->place[1]) && !strcmp(at[1], f->place[0])))
			return &l->all.at[i];
	}
	return NULL;
}

static bool shows_race(const void *found, struct run_done *run)
{
	return race_between(found, &run->result.races) != NULL;
}

static void mark_race(const void *found, struct run_done *run)
{
	const struct race *race = race_between(found, &run->result.races);
	if (race)
		evidence_stop_at_race(run, race);
}

static bool shows_output(const void *found, struct run_done *run)
{
	const struct check_found *f = found;
	return run->output.count == f->output.count && (!f->output.count || !memcmp(run->output.at, f->output.at, f->output.count));
}

/* No replay shows what the search foresaw: it is not told, and what was searched is not all there is. */
static void not_shown(struct check_result *r, const struct check_found *found)
{
	fflush(stdout);
	fprintf(stderr, "raddle: not told, since no replay shows it%s: %s\n", is_too_late() ? " (time is over)" : "", (const char *)found->line.at);
	r->unshown++;
	if (r->verdict == CHECK_BUG && r->unshown == r->races.count + r->outputs.count && !r->bugs.count)
		r->verdict = CHECK_INCOMPLETE;
	if (!*r->why)
		snprintf(r->why, sizeof r->why, "what the search foresaw is not shown by a replay");
}

/* Not a failed run, but one that shows something: it is written, replayed, and told.  1: so it is; 0: no replay shows it. */
static int try_found(const struct options *o, const struct check_result *r, struct check_found *found, const char *word, struct err *why)
{
	char path[4096];
	struct found f;
	struct run_done run = { 0 };
	saved_next_name(started.folder, word, path, sizeof path);
	bool race = !strcmp(word, "race");
	struct found_setup how = { .like = r->like, .jobs = 1, .path = path, .shows = race ? shows_race : shows_output, .with = found, .races = race,
		.go_on = cut_goes_on, .hurries = true, .mark = race ? mark_race : NULL, .wrong_byte = race ? 0 : found->same + 1 };
	run.result.log = found->schedule;               /* all that is asked of it */
	if (found_write(&how, &run, &f, why) < 0)
		return -1;
	if (f.gone)
		schedule_init(&found->schedule);        /* it was taken over */
	bool shown = !f.gone && (!f.kept.replays || f.kept.shown);
	if (shown && o->json) {
		struct json j;
		json_init(&j, stdout);
		json_object(&j);
		json_put_text(&j, "type", word);
		json_put_text(&j, word, (const char *)found->line.at);
		json_put_text(&j, "schedule", f.kept.written ? told_as(path) : NULL);
		json_end(&j, '}');
		json_line(&j);
	} else if (shown) {
		printf("%s\n", (const char *)found->line.at);
		if (f.kept.written)
			printf("  replay: raddle replay %s%s        under gdb: raddle replay --gdb %s\n", race ? "--races " : "", told_as(path), told_as(path));
	}
	found_release(&f);
	return shown;
}

static int tell_found(const struct options *o, struct check_result *r, struct check_found *found, const char *word, struct err *why)
{
	int got = try_found(o, r, found, word, why);
	if (got == 0 && found->otherwise.steps.count) {
		schedule_release(&found->schedule);
		found->schedule = found->otherwise;
		schedule_init(&found->otherwise);
		got = try_found(o, r, found, word, why);
	}
	if (got == 0)
		not_shown(r, found);
	return got < 0 ? -1 : 0;
}

static int tell_rest(const struct options *o, struct check_result *r, struct err *why)
{
	int got = 0;
	for (size_t i = 0; i < r->outputs.count && got == 0; i++)
		got = tell_found(o, r, &r->outputs.at[i], "output", why);
	for (size_t i = 0; i < r->races.count && got == 0; i++) {
		if (is_too_late())
			not_shown(r, &r->races.at[i]);
		else
			got = tell_found(o, r, &r->races.at[i], "race", why);
	}
	return got;
}

/* Cut down, written, replayed, told. */
static int tell_bugs(const struct options *o, struct check_result *r, struct err *why)
{
	static const struct failure_rule any = { 0 };
	char path[4096];
	for (size_t i = 0; i < r->bugs.count && (!i || !is_too_late()); i++) {
		struct found f;
		saved_next_name(started.folder, "fail", path, sizeof path);
		struct found_setup how = { .like = r->like, .jobs = 1, .rule = &any, .key = (const char *)r->bugs.at[i].key.at, .most = MOST_CUTS,
			.path = path, .go_on = cut_goes_on, .hurries = true };
		if (r->bugs.at[i].run.result.outcome == OUTCOME_LIVELOCK)
			how.like.max_steps = r->bugs.at[i].run.result.steps;
		if (found_write(&how, &r->bugs.at[i].run, &f, why) < 0)
			return -1;
		say_bug(o, &f, path);
		found_release(&f);
	}
	return 0;
}

static void take_started(struct check_options *check)
{
	if (started.path)
		started.probed.argv.at[0] = (char *)started.path;
	check->argv = started.argv;
	check->state = started_output(&started, check->state);
	check->certificate = started_output(&started, check->certificate);
}

static int run(const void *given, char **operands, struct err *why)
{
	const struct options *o = given;
	struct check_result result;
	struct check_options check = { .argv = operands, .model = (uint32_t)o->model, .most_runs = o->budget, .most_seconds = (double)(o->estimate && !o->seconds ? ESTIMATE_FOR : o->seconds), .run_seconds = (unsigned)o->timeout, .jobs = (unsigned)o->jobs, .progress = say_progress, .is_stopped = interrupt_waits, .keep_going = o->keep_going || o->estimate,
		.reuse = o->heap == 1, .trusted = o->trust, .state = o->state, .certificate = o->certificate, .estimate = o->estimate, .same_output = o->same_output };
	if (o->certificate && o->estimate) {
		err_set(why, "--estimate explores nothing to its end: there is no certificate of it");
		why->code = 2;
		return -1;
	}
	if (o->certificate && program_check_output(o->certificate, why) < 0)
		return -1;
	if (o->state && program_check_output(o->state, why) < 0)
		return -1;
	if (started_find(operands, &started, why) < 0)
		return -1;
	take_started(&check);
	check.began = clock_seconds();          /* before the timer begins: when that comes, time is over */
	ends_at = o->seconds ? check.began + (double)o->seconds : 0;
	interrupt_watch();
	interrupt_after(o->seconds);
	int got = check_program(&check, &result, why);
	ticker_over();
	if (got == 0 && !o->estimate)
		got = tell_bugs(o, &result, why);
	if (got == 0 && !o->estimate)
		got = tell_rest(o, &result, why);
	if (got == 0 && result.unshown && result.certified)
		take_back(o, &result);
	interrupt_leave();
	if (got == 0 && !o->estimate)
		(o->json ? say_end_json : say_end)(o, &result);
	if (got == 0 && o->certificate)
		say_certificate(o, &result);
	int code = got == 0 && o->estimate ? say_estimate(o, &result) : result.verdict == CHECK_SAFE ? 0 : result.verdict == CHECK_BUG ? 1 : 4;
	check_result_release(&result);
	started_release(&started);
	return got < 0 ? -1 : code;
}

static const struct option list[] = {
	{ 0, "model", OPTION_CHOICE, offsetof(struct options, model), "which",
		"memory model: when stores reach memory is part of a behaviour (default sc)", "sc|tso|pso", 0, 0 },
	{ 0, "heap", OPTION_CHOICE, offsetof(struct options, heap), "how",
		"addresses of freed blocks: never again, or soon, to who freed them (default unique)", "unique|reuse", 0, 0 },
	{ 0, "budget", OPTION_NUMBER, offsetof(struct options, budget), "n", "execute the program so many times at most", NULL, 1, UINT64_MAX },
	{ 0, "for", OPTION_TIME, offsetof(struct options, seconds), "time", "go on for so long at most: 30, 30s, 10m, 1h", NULL, 1, OPTION_TIME_MOST },
	{ 0, "timeout", OPTION_TIME, offsetof(struct options, timeout), "time", "of one run: one that takes longer leaves the check incomplete (default 60)", NULL, 1, 86400 },
	{ 'j', "jobs", OPTION_NUMBER, offsetof(struct options, jobs), "n", "executions at a time (default one a core)", NULL, 1, 1024 },
	{ 0, "trust", OPTION_TEXT, offsetof(struct options, trust), "name,...", "libraries that touch nothing threads share, functions they do not meet in", NULL, 0, 0 },
	{ 0, "state", OPTION_TEXT, offsetof(struct options, state), "file", "keep what was learned there, and go on from it when started again", NULL, 0, 0 },
	{ 0, "certificate", OPTION_TEXT, offsetof(struct options, certificate), "file",
		"write down what was shown, for 'raddle verify-certificate' to check again", NULL, 0, 0 },
	{ 0, "same-output", OPTION_FLAG, offsetof(struct options, same_output), NULL, "executions that write something else than others are a bug, too", NULL, 0, 0 },
	{ 0, "estimate", OPTION_FLAG, offsetof(struct options, estimate), NULL, "only say how many behaviours there are, after 5 seconds at most (or --for)", NULL, 0, 0 },
	{ 0, "keep-going", OPTION_FLAG, offsetof(struct options, keep_going), NULL, "look for more behind the first bug", NULL, 0, 0 },
	{ 0, "json", OPTION_FLAG, offsetof(struct options, json), NULL, "bugs and summary as JSON, see raddle-json(5)", NULL, 0, 0 },
	OPTION_HELP, OPTION_LAST
};
static const struct options defaults = { 0 };

const struct command command_check = { "find", "check", "-- <program> [<arguments>]",
	"Execute every behaviour of a small program: safe, or a schedule that shows the bug.",
	STYLE_PROGRAM, list, &defaults, sizeof defaults, 1, -1,
	"A behaviour is what each thread's reads, updates and tries gave, and where each thread ended. Example: raddle check -- ./queue-test\n"
	"Exit: 0 safe, 1 a bug was found, 2 bad command line or no such program, 3 not built with raddle, or a bad state,\n"
	"4 incomplete: the program does what is not explored yet, or the budget was used up.", run, true };
