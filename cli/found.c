/* cli/found.c -- see found.h. */
#include "cli/found.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/str.h"
#include "cli/say.h"
#include "cli/steered.h"
#include "drive/expected.h"
#include "drive/input.h"
#include "drive/runs.h"
#include "drive/saved.h"
#include "trace/reader.h"
#include "wire/input.h"

#define TURNS_SHOWN  24u
#define LINES_SHOWN  10u
#define OUTPUT_SHOWN 2000u
#define RACES_SHOWN  10u

/* ---------------------------------------------------------------- one run that is kept */

static bool fails_so(const struct found_setup *setup, struct run_done *run)
{
	struct buffer key = { 0 };
	bool same = !setup->rule;
	if (setup->rule && failure_is(setup->rule, run)) {
		failure_key(setup->rule, run, &key);
		same = strcmp((const char *)key.at, setup->key) == 0;
	}
	buffer_release(&key);
	return same;
}

/* Runs `script` with all that is needed to write it down.  1 it failed the same way, 0, -1 and why; 1 and 0: out->run is filled. */
static int run_kept(const struct found_setup *setup, const struct schedule *script, bool loose, struct steer_options *o, struct found *out,
	struct err *why)
{
	*o = setup->like;
	o->schedule = script;
	o->loose = loose;
	o->unchecked = true;
	o->policy = STEER_FIRST;
	o->events = UINT64_MAX;
	o->apart = true;
	o->most_memory = o->most_memory ? o->most_memory : runs_memory(1);
	race_watch_free(out->races);
	o->races = out->races = race_watch_new(NULL);
	o->output = memfd_create("raddle-output", MFD_CLOEXEC);
	if (o->output < 0)
		return err_set(why, "cannot make memory for the program's output: %s", str_error(errno));
	if (o->input != INPUT_SERVE) {
		o->input = INPUT_KEEP;
		o->input_fd = input_make(why);
	}
	int result = o->input_fd < 0 ? -1 : steer_run(o, &out->run.result, why);
	if (result == 0)
		run_done_output(&out->run, o->output);
	close(o->output);
	return result < 0 ? -1 : fails_so(setup, &out->run);
}

/* A full disk does not make the failure go away. */
static void write_kept(const struct found_setup *setup, const struct steer_options *o, struct found *out)
{
	struct err why;
	struct steer_options from = *o;
	from.policy = setup->policy;
	from.seed = setup->seed;
	from.depth = setup->depth;
	say_unkept(&out->run.result);
	out->written = saved_write(&out->run.result, &from, setup->path, &why) == 0;
	if (!out->written)
		snprintf(out->why_not, sizeof out->why_not, "%.300s", why.text);
}

static int keep(const struct found_setup *setup, const struct schedule *script, bool loose, struct found *out, struct err *why)
{
	struct steer_options o;
	int got = run_kept(setup, script, loose, &o, out, why);
	int result = got < 0 ? -1 : 0;
	if (got == 1 && out->run.result.log_lost) {
		snprintf(out->why_not, sizeof out->why_not, "its schedule is too long to keep");
	} else if (got == 1) {
		write_kept(setup, &o, out);
	} else if (got == 0) {
		char said[STEER_SAY];
		snprintf(out->why_not, sizeof out->why_not, "run again in the same order it ends with %.200s: it depends on more than the order",
			steer_say(&out->run.result, said));
		out->gone = true;
	}
	if (got >= 0 && o.input == INPUT_KEEP)
		close(o.input_fd);
	return result;
}

/* ---------------------------------------------------------------- replays */

static int replay(const struct found_setup *setup, struct found *out, struct err *why)
{
	struct saved saved;
	struct saved_how how = { .argv = NULL };
	if (saved_open(&saved, setup->path, &how, why) < 0)
		return -1;
	struct runs_setup runs_setup = { .like = saved.options, .jobs = setup->jobs, .most_memory = setup->like.most_memory };
	runs_setup.like.max_seconds = setup->like.max_seconds;          /* one that hung will hang again */
	struct runs *runs = runs_open(&runs_setup, why);
	int got = runs ? 1 : -1;
	for (uint32_t given = 0; got > 0;) {
		struct run_order order = { .schedule = &saved.schedule, .policy = STEER_FIRST };
		struct run_done run;
		for (; given < FOUND_REPLAYS && runs_room(runs); given++)
			runs_give(runs, &order);
		got = runs_take(runs, &run, why);
		if (got <= 0)
			continue;
		out->replays++;
		out->same += expected_end(&saved.schedule, &run.result) && fails_so(setup, &run);
		if (run.result.interrupted)
			got = 0;
		run_done_release(&run);
	}
	runs_close(runs);
	saved_close(&saved);
	return got;
}

/* ---------------------------------------------------------------- all of it */

static int cut(const struct found_setup *setup, const struct schedule *from, struct minimize_result *out, struct err *why)
{
	struct runs_setup runs = { .like = setup->like, .jobs = setup->jobs, .most_memory = setup->like.most_memory };
	runs.like.loose = true;
	struct minimize_setup how = { .like = &runs.like, .keep_seconds = MINIMIZE_KEEP, .rule = setup->rule, .key = setup->key,
		.most = setup->most, .go_on = setup->go_on };
	how.runs = runs_open(&runs, why);
	int result = how.runs ? minimize(&how, from, out, why) : -1;
	runs_close(how.runs);
	return result;
}

/* The failure is what was seen, not what came instead of it.  Its races are of places that are gone. */
static void tell_first(struct found *out, struct run_done *failed)
{
	run_done_release(&out->run);
	out->run = *failed;
	memset(failed, 0, sizeof *failed);
	race_list_release(&out->run.result.races);
	memset(&out->run.result.races, 0, sizeof out->run.result.races);
}

int found_write(const struct found_setup *setup, struct run_done *failed, struct found *out, struct err *why)
{
	struct minimize_result small;
	const struct schedule *from = &failed->result.log;
	memset(out, 0, sizeof *out);
	int got = setup->most ? cut(setup, from, &small, why) : 1;
	if (got < 0)
		return -1;
	int result = keep(setup, got == 0 ? &small.script : from, got == 0 || !setup->rule, out, why);
	if (got == 0) {
		out->before = small.before;
		out->complete = small.complete;
		out->parted = small.parted;
		out->runs = small.runs;
		minimize_result_release(&small);
	}
	out->alone = setup->jobs == 1;
	if (out->gone)
		tell_first(out, failed);
	out->after = minimize_cost(&out->run.result);
	if (got != 0)
		out->before = out->after;
	if (result == 0 && out->written)
		result = replay(setup, out, why);
	if (result < 0)
		found_release(out);
	return result;
}

void found_release(struct found *f)
{
	run_done_release(&f->run);
	race_watch_free(f->races);
	f->races = NULL;
}

/* ---------------------------------------------------------------- telling */

static void say_turn(const struct schedule *s, const struct schedule_step *step, int width)
{
	static const char *const answers[] = { "what it waits for is there", "its time is up", "woken for no reason, or fails for none" };
	printf("    %-*s  ", width, s->threads.at[step->thread].path);
	if (step->what == STEP_ANSWER)
		printf("told: %s, at its event %" PRIu64, answers[step->answer], step->nth);
	else if (step->what == STEP_CHOICE)
		printf("told: %" PRIu32 ", at its event %" PRIu64, step->answer, step->nth);
	else if (step->what == STEP_FLUSH)
		printf("a store reaches memory");
	else
		printf("%s", event_said(step->kind) ? event_said(step->kind) : "go on");
	if (*step->place.file && step->place.line)
		printf(" at %s:%" PRIu32, step->place.file, step->place.line);
	if (*step->place.function)
		printf(" in %s", step->place.function);
	putchar('\n');
}

/* Of long orders the end, which is where it fails. */
static void say_order(const struct schedule *s)
{
	size_t first = s->steps.count > TURNS_SHOWN ? s->steps.count - TURNS_SHOWN : 0;
	int width = 0;
	for (size_t i = first; i < s->steps.count; i++) {
		int length = (int)strlen(s->threads.at[s->steps.at[i].thread].path);
		width = length > width ? length : width;
	}
	printf("  the order, turn by turn, with the last thing done in each:\n");
	if (first)
		printf("    ... %zu more\n", first);
	for (size_t i = first; i < s->steps.count; i++)
		say_turn(s, &s->steps.at[i], width);
}

static void say_output(const struct run_done *run)
{
	size_t at = run->output.count, lines = 0, shown = 0;
	while (at > 0 && shown < OUTPUT_SHOWN && lines <= LINES_SHOWN) {
		at--;
		shown++;
		lines += run->output.at[at] == '\n' && at + 1 < run->output.count;
	}
	if (run->output.count == 0)
		return;
	if (at > 0)
		at++;
	printf("  its output%s:\n    | ", at > 0 ? " ended with" : "");
	for (; at < run->output.count; at++) {
		unsigned char c = (unsigned char)run->output.at[at];
		putchar(c == '\n' || c == '\t' || c >= 32 ? c : '.');
		if (c == '\n' && at + 1 < run->output.count)
			printf("    | ");
	}
	if (run->output.at[run->output.count - 1] != '\n')
		putchar('\n');
}

/* Beside the failure, for they may be its cause; in full by replay --races. */
static void say_races(const struct race_list *l)
{
	char line[1024];
	for (size_t i = 0; i < l->all.count && i < RACES_SHOWN; i++)
		printf("  %s\n", race_line(l, &l->all.at[i], line, sizeof line));
	if (l->all.count > RACES_SHOWN)
		printf("  ... %zu more races\n", l->all.count - RACES_SHOWN);
}

static void json_races(struct json *j, const struct race_list *l)
{
	char line[1024];
	json_key(j, "races");
	json_array(j);
	for (size_t i = 0; i < l->all.count; i++)
		json_text(j, race_line(l, &l->all.at[i], line, sizeof line));
	json_end(j, ']');
}

/* " by T_0_1", if that thread called exit and not the first one; else "". */
static const char *exits_by(const struct steer_result *r, char *into, size_t room)
{
	const struct schedule *s = &r->log;
	into[0] = 0;
	if (r->outcome == OUTCOME_EXIT && s->steps.count && s->steps.at[s->steps.count - 1].kind == EV_EXIT && s->steps.at[s->steps.count - 1].thread)
		snprintf(into, room, " by %s", s->threads.at[s->steps.at[s->steps.count - 1].thread].path);
	return into;
}

void found_say(struct found *f)
{
	char said[STEER_SAY], place[300], by[100];
	failure_place(&f->run.result, place, sizeof place);
	printf("%s%s%s%s\n", place, *place ? ": " : "", steer_say(&f->run.result, said), exits_by(&f->run.result, by, sizeof by));
	if (!f->run.result.log_lost)
		say_order(&f->run.result.log);
	if (f->run.result.outcome != OUTCOME_EXIT)
		steer_print_threads(&f->run.result, stdout);
	say_output(&f->run);
	say_races(&f->run.result.races);
}

void found_say_replays(const struct found *f, const char *path)
{
	if (!f->written) {
		printf("  no schedule was written: %s\n", f->why_not);
		if (f->gone && !f->alone)
			printf("  runs at the same time may share a file or a port: --jobs=1 makes one at a time\n");
		return;
	}
	printf("  replayed %" PRIu32 " times: %" PRIu32 " of %" PRIu32 " failed the same way\n", f->replays, f->same, f->replays);
	printf("  replay: raddle replay %s        under gdb: raddle replay --gdb %s\n", path, path);
	if (f->run.result.races.all.count)
		printf("  its races in full: raddle replay --races %s\n", path);
}

void found_json(struct json *j, struct found *f, const char *path)
{
	char said[STEER_SAY], place[300];
	const struct steer_result *r = &f->run.result;
	json_put_text(j, "outcome", outcome_words[r->outcome]);
	if (r->outcome == OUTCOME_EXIT || r->outcome == OUTCOME_SIGNAL)
		json_put_number(j, "value", (uint64_t)(uint32_t)r->value);
	json_put_text(j, "said", steer_say(r, said));
	json_put_text(j, "at", failure_place(&f->run.result, place, sizeof place));
	if (f->written)
		json_put_text(j, "schedule", path);
	json_put_number(j, "switches_before", f->before.switches);
	json_put_number(j, "switches", f->after.switches);
	json_put_number(j, "events", f->after.events);
	json_put_number(j, "minimize_runs", f->runs);
	json_put_number(j, "replays", f->replays);
	json_put_number(j, "replays_same", f->same);
	json_races(j, &f->run.result.races);
}
