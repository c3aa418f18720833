/* cli/predict.c -- raddle predict: the bugs other schedules of one run would show.  The question is analyses/predict's. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "analyses/predict/predict.h"
#include "base/json.h"
#include "base/str.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/say.h"
#include "cli/started.h"
#include "drive/program.h"

#define TIMEOUT_USUAL 60u               /* seconds of one run */

struct options {
	bool json, all;
	uint64_t runs, replays, timeout;
};

static bool goes_on(void)
{
	return !interrupt_came();
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---------------------------------------------------------------- telling */

static bool is_told(const struct finding *f, const struct options *o)
{
	return f->status == FINDING_CONFIRMED || o->all;
}

static void say_finding(const struct finding *f)
{
	char at[FINDING_PLACE_ROOM];
	printf("%s: %s: '%s'", f->places.count ? finding_where(&f->places.at[0].at, at) : "?", finding_kind_said(f->kind), f->object.name);
	for (size_t i = 0; i < f->places.count; i++) {
		const struct finding_place *p = &f->places.at[i];
		printf("%s %s by %s at %s", i ? "," : "", finding_access_done(p->access), p->thread, finding_where(&p->at, at));
	}
	printf(" (%s", finding_status_word(f->status));
	if (f->status == FINDING_CONFIRMED)
		printf(", %" PRIu32 " of %" PRIu32 " replays", f->shown, f->replays);
	puts(")");
	if (f->effect != EFFECT_NONE)
		printf("  effect: %s%s%s\n", finding_effect_word(f->effect), *f->effect_text ? ": " : "", f->effect_text);
	if (*f->rule)
		printf("  rule:\n%s", f->rule);
	if (f->left_at)
		printf("  left at step %" PRIu64 ": expected %s; came: %s (%" PRIu32 " tries)\n", f->left_at, f->expected, f->came, f->tries);
	if (*f->schedule)
		printf("  replay: raddle replay %s        under gdb: raddle replay --gdb %s\n", f->schedule, f->schedule);
}

static void say_text(const struct predict *p, const struct options *o)
{
	char events[STR_NUMBER];
	for (size_t i = 0; i < p->found.all.count; i++)
		if (is_told(p->found.all.at[i], o))
			say_finding(p->found.all.at[i]);
	printf("%" PRIu64 " confirmed, %" PRIu64 " not reproduced, %" PRIu64 " infeasible, %" PRIu64 " predicted (%s events, %" PRIu64 " runs)\n",
		p->confirmed, p->not_reproduced, p->infeasible, p->predicted, str_grouped(events, p->events), p->runs);
}

static void json_finding(const struct finding *f)
{
	struct json j;
	json_init(&j, stdout);
	json_object(&j);
	json_put_number(&j, "schema", 1);
	json_put_text(&j, "kind", finding_kind_word(f->kind));
	json_put_text(&j, "status", finding_status_word(f->status));
	json_put_text(&j, "effect", finding_effect_word(f->effect));
	json_key(&j, "places");
	json_array(&j);
	for (size_t i = 0; i < f->places.count; i++) {
		const struct finding_place *p = &f->places.at[i];
		json_object(&j);
		json_put_text(&j, "file", p->at.file);
		json_put_number(&j, "line", p->at.line);
		json_put_text(&j, "function", p->at.function);
		json_put_text(&j, "thread", p->thread);
		json_put_text(&j, "access", finding_access_word(p->access));
		json_end(&j, '}');
	}
	json_end(&j, ']');
	json_put_text(&j, "object", f->object.name);
	json_put_text(&j, "schedule", f->schedule);
	json_put_text(&j, "fingerprint", f->fingerprint);
	json_end(&j, '}');
	json_line(&j);
}

static int run(const void *given, char **operands, struct err *why)
{
	const struct options *o = given;
	struct started started;
	struct predict p = { 0 };
	double start = now();
	if (program_check_output("race-1.sched", why) < 0 || started_find(operands, &started, why) < 0)
		return -1;
	struct predict_setup setup = { .like = { .argv = started.argv, .path = started.path, .max_seconds = o->timeout ? (unsigned)o->timeout : TIMEOUT_USUAL },
		.folder = started.folder, .most_runs = o->runs, .replays = (uint32_t)o->replays, .go_on = goes_on };
	interrupt_watch();
	int got = predict_run(&p, &setup, why);
	interrupt_leave();
	(void)start;
	if (got == 0) {
		if (o->json)
			for (size_t i = 0; i < p.found.all.count; i++)
				json_finding(p.found.all.at[i]);
		else
			say_text(&p, o);
		got = p.confirmed ? 1 : p.stopped ? 4 : 0;
	}
	predict_release(&p);
	started_release(&started);
	return got;
}

#define AT(field) offsetof(struct options, field)
static const struct option list[] = {
	{ 0, "all", OPTION_FLAG, AT(all), NULL, "what was not confirmed too, with the reason", NULL, 0, 0 },
	{ 0, "json", OPTION_FLAG, AT(json), NULL, "one object per line, see raddle-json(5)", NULL, 0, 0 },
	{ 0, "runs", OPTION_NUMBER, AT(runs), "n", "runs at most (default 2000)", NULL, 1, 1000000000 },
	{ 0, "replays", OPTION_NUMBER, AT(replays), "n", "of each confirmed bug (default 20)", NULL, 1, 1000000 },
	{ 0, "timeout", OPTION_NUMBER, AT(timeout), "seconds", "of one run (default 60)", NULL, 1, 86400 },
	OPTION_HELP, OPTION_LAST
};
static const struct options defaults = { .runs = 2000, .replays = 20 };

const struct command command_predict = { "find", "predict", "[<trace>] | <program> [<arguments>]",
	"Find the races, deadlocks and other bugs another schedule of this run would show, and confirm each.",
	STYLE_PROGRAM, list, &defaults, sizeof defaults, 0, -1,
	"Example: raddle predict -- ./bank; raddle replay race-1.sched\n"
	"Exit: 0 nothing found, 1 found, 2 bad command line, 3 bad input, 4 gave up early.", run };
