/* cli/minimize.c -- raddle minimize: a failing schedule with as few switches as still make it fail the same way. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "cli/command.h"
#include "cli/found.h"
#include "cli/interrupt.h"
#include "cli/parted.h"
#include "cli/say.h"
#include "cli/steered.h"
#include "cli/trusted.h"
#include "drive/environment.h"
#include "drive/program.h"
#include "drive/saved.h"

#define RUNS_USUAL 20000u

struct options {
	const char *output, *fail_if;
	uint64_t runs, jobs;
	bool json, run, no_shield;
};

/* "a/X.sched" -> "a/X.min.sched" */
static void default_name(const char *file, char *into, size_t room)
{
	size_t length = strlen(file);
	if (length > 6 && strcmp(file + length - 6, ".sched") == 0)
		length -= 6;
	snprintf(into, room, "%.*s.min.sched", (int)length, file);
}

static bool goes_on(void *with)
{
	(void)with;
	return !interrupt_came();
}

/* The schedule as it is: how does it fail?  1 *run is to be released, 0 it does not fail, -1. */
static int run_it(const struct saved *saved, const struct failure_rule *rule, struct run_done *run, struct err *why)
{
	struct runs_setup setup = { .like = saved->options, .jobs = 1 };
	struct run_order order = { .schedule = &saved->schedule, .policy = STEER_FIRST };
	struct runs *runs = runs_open(&setup, why);
	if (!runs)
		return -1;
	runs_give(runs, &order);
	int got = runs_take(runs, run, why);
	runs_close(runs);
	if (got <= 0)
		return -1;
	if (failure_is(rule, run))
		return 1;
	run_done_release(run);
	return 0;
}

static void say(struct found *f, const struct options *o, const char *file, const char *path)
{
	struct json j;
	parted_say(&f->parted, o->json);
	if (!o->json) {
		found_say(f);
		printf("  %" PRIu64 " switches before, %" PRIu64 " now, in %" PRIu64 " runs%s\n", f->before.switches, f->after.switches, f->runs,
			f->complete ? "" : ", and then stopped");
		found_say_replays(f, path);
		return;
	}
	json_summary(&j, stdout);
	json_put_text(&j, "command", "minimize");
	json_put_text(&j, "from", file);
	json_put_bool(&j, "complete", f->complete);
	found_json(&j, f, path);
	json_summary_end(&j);
}

static int cut(const struct saved *saved, const struct options *o, const struct failure_rule *rule, const char *file, const char *path,
	struct run_done *run, struct err *why)
{
	struct buffer key = { 0 };
	struct found f;
	failure_key(rule, run, &key);
	struct found_setup how = { .like = saved->options, .jobs = (unsigned)o->jobs, .rule = rule, .key = (const char *)key.at,
		.policy = saved->schedule.policy, .depth = saved->schedule.depth, .seed = saved->schedule.seed, .most = o->runs, .path = path,
		.go_on = goes_on };
	int code = found_write(&how, run, &f, why);
	buffer_release(&key);
	if (code < 0)
		return -1;
	say(&f, o, file, path);
	code = f.kept.written && f.complete && !f.parted.number ? 0 : 4;
	found_release(&f);
	return code;
}

/* " -- ./prog its arguments", as it was called; "" for the schedule's own. */
static const char *named(char *const *argv, char *into, size_t room)
{
	*into = 0;
	for (size_t used = 0; argv && *argv && used < room; argv++)
		used += (size_t)snprintf(into + used, room - used, "%s%s", used ? " " : " -- ", *argv);
	return into;
}

static int run(const void *given, char **operands, struct err *why)
{
	const struct options *o = given;
	const char *file = operands[0];
	char path[4096], words[100];
	struct saved saved;
	struct saved_how how = { .argv = operands[1] ? operands + 1 : NULL };
	struct failure_rule rule;
	struct run_done done;
	default_name(file, path, sizeof path);
	const char *output = o->output ? o->output : path;
	if (failure_rule_parse(o->fail_if, &rule, why) < 0 || program_check_output(output, why) < 0 || saved_open(&saved, file, &how, why) < 0)
		return -1;
	if (!how.argv && trusted_to_run(file, saved.options.argv, o->run, why) < 0) {
		saved_close(&saved);
		failure_rule_release(&rule);
		return -1;
	}
	if (!how.argv && !o->no_shield)
		trusted_shield();
	say_environment(&saved.schedule);
	environ = environment_make(&saved.schedule, NULL);      /* all runs get it, and the new schedule keeps it */
	interrupt_watch();
	int got = run_it(&saved, &rule, &done, why), code = -1;
	if (got == 0) {
		err_set(why, "schedule '%.200s' does not make the program fail", file);
		err_hint(why, "'raddle replay %.150s%s' shows what it does; --fail-if says what counts", file, named(how.argv, words, sizeof words));
		why->code = 3;
	}
	if (got > 0) {
		code = cut(&saved, o, &rule, file, output, &done, why);
		run_done_release(&done);
	}
	if (code < 0 && !why->code)
		why->code = 4;
	interrupt_leave();
	saved_close(&saved);
	failure_rule_release(&rule);
	return code;
}

static const struct option list[] = {
	{ 'o', "output", OPTION_TEXT, offsetof(struct options, output), "file", "where it is written (default <schedule> with .min.sched)", NULL, 0, 0 },
	{ 'n', "runs", OPTION_NUMBER, offsetof(struct options, runs), "n", "runs at most (default 20000)", NULL, 1, 1000000000000 },
	STEERED_JOBS(struct options, jobs), STEERED_FAIL_IF(struct options, fail_if),
	{ 0, "json", OPTION_FLAG, offsetof(struct options, json), NULL, "the last line as JSON, see raddle-json(5)", NULL, 0, 0 },
	OPTION_RUN(struct options, run), OPTION_NO_SHIELD(struct options, no_shield), OPTION_MEMORY, OPTION_HELP, OPTION_LAST
};
static const struct options defaults = { .fail_if = "exit", .runs = RUNS_USUAL };

const struct command command_minimize = { "steer", "minimize", "<schedule> [-- <program> [<arguments>]]",
	"Cut a failing schedule down to the fewest switches that still make it fail the same way.",
	STYLE_PLAIN, list, &defaults, sizeof defaults, 1, -1,
	"Example: raddle minimize fail-1.sched; raddle replay fail-1.min.sched\n"
	"Exit: 0 done, 2 bad command line, 3 bad schedule, or it does not fail, 4 gave up early: it may be cut further.", run, true };
