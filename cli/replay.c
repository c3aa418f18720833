/* cli/replay.c -- raddle replay: a program once more, exactly as a schedule says. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/str.h"
#include "base/vec.h"
#include "cli/command.h"
#include "cli/debug.h"
#include "cli/say.h"
#include "cli/steered.h"
#include "cli/trusted.h"
#include "drive/expected.h"
#include "drive/object.h"
#include "drive/program.h"
#include "drive/rebuilt.h"
#include "drive/saved.h"
#include "drive/steer.h"
#include "wire/input.h"

struct options {
	const char *save_trace, *gdb, *races;
	uint64_t model;                         /* 0 the schedule's own, else enum steer_model + 1 */
	bool rebuilt, json, no_input, run, no_shield;
};

/* ---------------------------------------------------------------- which program */

static bool is_other_build(const struct schedule *s, const char *name)
{
	char path[4096], id[OBJECT_BUILD_ID];
	struct err ignored;
	if (!*s->build_id || program_find(name, path, sizeof path, &ignored) < 0)
		return false;
	object_build_id(path, id);
	return strcmp(id, s->build_id) != 0;
}

/* ---------------------------------------------------------------- what came of it */

static void print_expected(const struct schedule *s, uint64_t used)
{
	const struct schedule_step *step = &s->steps.at[used];
	fprintf(stderr, "  expected: ");
	schedule_print_step(s, step, stderr);
	putc('\n', stderr);
}

static void print_came(struct steer_result *r, const struct schedule_step *step)
{
	const struct steer_thread *t = step->thread < r->threads.count ? &r->threads.at[step->thread] : NULL;
	struct source at;
	if (!t || t->state == STRAND_NONE) {
		fprintf(stderr, "  came: no such thread yet\n");
		return;
	}
	if (t->state == STRAND_ENDED) {
		fprintf(stderr, "  came: %s ended after event %" PRIu64 "\n", t->path, t->done);
		return;
	}
	fprintf(stderr, "  came: %s %" PRIu64 " %s", t->path, t->done + 1, event_word(t->kind) ? event_word(t->kind) : "?");
	if (places_source(r->places, t->place, &at)) {
		const char *slash = strrchr(at.file, '/');
		fprintf(stderr, " %s:%" PRIu32 " in %s", slash ? slash + 1 : at.file, at.line, at.function);
	}
	fprintf(stderr, "%s\n", t->waits ? ", and it has to wait" : "");
}

/* The run left its schedule: says so.  False: it did not. */
static bool left(const struct schedule *s, const char *file, struct steer_result *r)
{
	size_t at;
	if (!expected_left(s, r, &at))
		return false;
	fprintf(stderr, "raddle: the run left its schedule at step %zu of %zu", at + 1, s->steps.count);
	if (s->steps.count && s->steps.at[at].line)
		fprintf(stderr, " (%s:%" PRIu32 ")", file, s->steps.at[at].line);
	fprintf(stderr, ": %s\n", r->outcome == OUTCOME_LEFT ? r->text : "the program ended before it");
	if (s->steps.count) {
		print_expected(s, at);
		print_came(r, &s->steps.at[at]);
	}
	return true;
}

/* It ended otherwise than the schedule says: says so. */
static bool ended_otherwise(const struct schedule *s, const char *file, const struct steer_result *r)
{
	char said[STEER_SAY], expected[STEER_SAY];
	if (s->outcome == OUTCOME_NONE)
		return false;
	struct steer_result like = { .outcome = s->outcome, .value = s->value };
	snprintf(like.text, sizeof like.text, "%s", s->text);
	if (!expected_outcome(s, r) || !expected_waits(s, r)) {
		fprintf(stderr, "raddle: the run ended otherwise than schedule '%s' says\n  expected: %s%s\n  came: %s%s\n", file,
			s->outcome == OUTCOME_DEADLOCK ? "deadlock" : steer_say(&like, expected),
			expected_outcome(s, r) ? " of other threads" : "", steer_say(r, said), "");
		return true;
	}
	if (!expected_events(s, r)) {
		fprintf(stderr, "raddle: the run ended otherwise than schedule '%s' says\n  expected: %" PRIu64 " events\n  came: %" PRIu64
			" events\n", file, s->events, r->steps);
		return true;
	}
	return false;
}

/* ---------------------------------------------------------------- where memory lies */

#define TRIES 7u                        /* more replays of a run that left its schedule, to see whether they all do so there */

/* Does another replay come to another end, with nothing different but addresses? */
static bool differs_next_time(const struct steer_options *o, const struct steer_result *first)
{
	struct steer_options again = *o;
	struct steer_result r;
	struct err ignored;
	bool differs = false;
	again.output = open("/dev/null", O_WRONLY | O_CLOEXEC);
	again.apart = true;
	again.save_trace = NULL;
	for (unsigned i = 0; again.output > 0 && i < TRIES && !differs; i++) {
		if (steer_run(&again, &r, &ignored) < 0)
			break;
		differs = r.outcome != first->outcome || r.script_used != first->script_used || r.steps != first->steps;
		steer_result_release(&r);
	}
	if (again.output > 0)
		close(again.output);
	return differs;
}

/* A run whose memory the system laid out at random has left its schedule: names the cause. */
static void say_addresses(const struct steer_options *o, const struct steer_result *r)
{
	if (r->fixed_addresses)
		return;
	if (differs_next_time(o, r))
		fprintf(stderr, "raddle: what this program does depends on where its memory lies, and the system puts that to another place each "
			"time: not every replay leaves the schedule here\n");
	else
		fprintf(stderr, "raddle: the system puts this program's memory to another place each time: what prints, orders or hashes addresses "
			"leaves its schedule\n");
	fprintf(stderr, "hint: record and replay where address randomisation can be switched off; 'raddle doctor' says whether it can\n");
}

/* ---------------------------------------------------------------- another build */

static int rebuilt(struct steer_options *steer, const struct options *o, struct err *why)
{
	static const char *const words[] = { "still fails", "gone", "cannot tell" };
	static const int codes[] = { 1, 0, 125 };               /* as git bisect run wants them */
	struct rebuilt r;
	int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	steer->output = nowhere;                                /* it runs more than once */
	int got = rebuilt_try(steer, &r, why);
	close(nowhere);
	if (got < 0) {
		why->code = why->code ? why->code : 125;
		return -1;
	}
	if (r.verdict == REBUILT_FAILS && (r.last.outcome != OUTCOME_EXIT || r.last.value))
		steer_print_threads(&r.last, stderr);
	fflush(stdout);
	fprintf(stderr, "raddle: %s: %s (%u run%s)\n", words[r.verdict], r.why, r.runs, r.runs == 1 ? "" : "s");
	if (o->json) {
		struct json j;
		json_summary(&j, stdout);
		json_put_text(&j, "command", "replay");
		json_put_text(&j, "verdict", words[r.verdict]);
		json_put_text(&j, "said", r.why);
		json_put_number(&j, "step", r.step);
		json_put_number(&j, "runs", r.runs);
		json_summary_end(&j);
	}
	steer_result_release(&r.last);
	return codes[r.verdict];
}

/* The same turns under another model: where stores do not wait, none reaches memory later, and the end may be another. */
static void change_model(struct schedule *s, struct steer_options *steer, uint32_t model)
{
	size_t kept = 0;
	for (size_t i = 0; i < s->steps.count; i++)
		if (model != MODEL_SC || s->steps.at[i].what != STEP_FLUSH)
			s->steps.at[kept++] = s->steps.at[i];
	s->steps.count = kept;
	s->outcome = OUTCOME_NONE;
	s->events = 0;
	s->model = steer->model = model;
}

/* What runs is not always what argv[0] leads to from here. */
static void say_runs(const struct steer_options *o)
{
	fputs("raddle: runs ", stderr);
	print_word(o->path ? o->path : o->argv[0]);
	if (o->argv[0] && o->argv[1]) {
		putc(' ', stderr);
		print_command(o->argv + 1);
	}
	putc('\n', stderr);
}

/* Options of this replay that its run depends on, each with a blank before it. */
static char *options_again(const struct options *o, char *into, size_t room)
{
	static const char *const models[] = { "", " --model=sc", " --model=tso", " --model=pso" };
	snprintf(into, room, "%s%s%s%s%s", o->races ? " --races" : "", o->races && *o->races ? "=fail" : "", models[o->model], o->no_input ? " --no-input" : "",
		o->no_shield ? " --no-shield" : "");
	return into;
}

static int replay(const struct options *o, struct saved *saved, const char *file, bool named, struct err *why)
{
	const struct schedule *s = &saved->schedule;
	struct steer_options *steer = &saved->options;
	struct steer_result result;
	if (o->model && o->model - 1 != s->model)
		change_model(&saved->schedule, steer, (uint32_t)o->model - 1);
	steer->save_trace = o->save_trace;
	if (o->gdb && debug_stop_at(s, file, o->gdb, &steer->stop_at, why) < 0)
		return -1;
	if (named && !o->rebuilt && is_other_build(s, steer->argv[0])) {
		steer->other_build = true;
		say_note("'%s' is another build than the schedule was made with; its steps may not fit", steer->argv[0]);
	}
	steer->ends_alike = !o->rebuilt && !steer->other_build;
	char again[64];
	say_environment(s);
	fflush(stdout);
	say_runs(steer);
	if (o->rebuilt)
		return rebuilt(steer, o, why);
	if (o->gdb)
		return debug_replay(s, o->gdb, steer, why);
	if (races_option(o->races, &steer->races, why) < 0)
		return -1;
	if (steer_run(steer, &result, why) < 0) {
		race_watch_free(steer->races);
		why->code = why->code ? why->code : 125;
		return -1;
	}
	int code = races_code(o->races, &result, steer_exit_code(&result));
	if (!result.interrupted && (left(s, file, &result) || ended_otherwise(s, file, &result))) {
		say_addresses(steer, &result);
		if (steer->input != INPUT_SERVE)        /* else it was told what opening and writing came to when it was recorded */
			trusted_shield_hint();
		code = 124;
	}
	struct steered_end end = { .command = "replay", .schedule = file, .trace = o->save_trace, .argv = steer->argv, .options = steer,
		.json = o->json, .again = options_again(o, again, sizeof again), .named = named };
	steered_end(&result, &end);
	steer_result_release(&result);
	race_watch_free(steer->races);
	return code;
}

static int run(const void *given, char **operands, struct err *why)
{
	const struct options *o = given;
	struct saved saved;
	struct saved_how how = { .argv = operands[1] ? operands + 1 : NULL, .any_build = o->rebuilt, .no_input = o->no_input };
	if (o->rebuilt && (o->gdb || o->save_trace)) {
		err_set(why, "'--rebuilt' goes with neither '--gdb' nor '--save-trace'");
		why->code = 2;
		return -1;
	}
	if (saved_open(&saved, operands[0], &how, why) < 0)
		return -1;
	int code = operands[1] ? 0 : trusted_to_run(operands[0], saved.options.argv, o->run, why);
	if (code == 0 && !operands[1] && !o->no_shield)
		trusted_shield();
	if (code == 0)
		code = replay(o, &saved, operands[0], operands[1] != NULL, why);
	saved_close(&saved);
	return code;
}

static const struct option list[] = {
	{ 0, "save-trace", OPTION_TEXT, offsetof(struct options, save_trace), "file", "write a trace of the run", NULL, 0, 0 },
	STEERED_RACES(struct options, races),
	{ 0, "gdb", OPTION_MAYBE, offsetof(struct options, gdb), "step",
		"under gdb, stopped before that step, or event T_0_1:57; else where it fails", NULL, 0, 0 },
	{ 0, "model", OPTION_CHOICE, offsetof(struct options, model), "which",
		"another memory model than the schedule's: what would happen then?", "own|sc|tso|pso", 0, 0 },
	{ 0, "no-input", OPTION_FLAG, offsetof(struct options, no_input), NULL, "ask the outside again, not the input kept beside it", NULL, 0, 0 },
	{ 0, "rebuilt", OPTION_FLAG, offsetof(struct options, rebuilt), NULL,
		"another build: does it still fail?  1 it does, 0 gone, 125 cannot tell", NULL, 0, 0 },
	{ 0, "json", OPTION_FLAG, offsetof(struct options, json), NULL, "the last line as JSON, see raddle-json(5)", NULL, 0, 0 },
	OPTION_RUN(struct options, run), OPTION_NO_SHIELD(struct options, no_shield), OPTION_MEMORY, OPTION_HELP, OPTION_LAST
};
static const struct options defaults = { .save_trace = NULL };

const struct command command_replay = { "steer", "replay", "<schedule> [-- <program> [<arguments>]]",
	"Run a program again exactly as a schedule says.",
	STYLE_PLAIN, list, &defaults, sizeof defaults, 1, -1,
	"Without <program> it is the schedule's own, if its build id is still the same.    Example: raddle replay bank.sched\n"
	"Exit: as raddle run; 3 bad schedule, or its program has changed; 124 the run left its schedule or ended otherwise.", run, true };
