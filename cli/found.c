/* cli/found.c -- see found.h. */
#include "cli/found.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "cli/say.h"
#include "cli/steered.h"
#include "cli/stopping.h"
#include "drive/endless.h"
#include "trace/reader.h"

#define TURNS_SHOWN  24u
#define LINES_SHOWN  10u
#define OUTPUT_SHOWN 2000u
#define RACES_SHOWN  10u

/* ---------------------------------------------------------------- cut down, and kept */

static bool fails_so(const void *with, struct run_done *run)
{
	const struct found_setup *setup = with;
	struct buffer key = { 0 };
	bool same = !setup->rule && (!setup->shows || setup->shows(setup->with, run));
	if (setup->rule && failure_is(setup->rule, run)) {
		failure_key(setup->rule, run, &key);
		same = strcmp((const char *)key.at, setup->key) == 0;
	}
	buffer_release(&key);
	return same;
}

static bool is_interrupted(const struct found_setup *setup)
{
	return setup->interrupted && setup->interrupted();
}

static bool in_hurry(const struct found_setup *setup)
{
	return is_interrupted(setup) || (setup->hurries && !setup->go_on(NULL));
}

static void hurry(const struct found_setup *setup, struct evidence_setup *how)
{
	unsigned most = is_interrupted(setup) ? FOUND_AT_ONCE : FOUND_HURRY;
	how->replays = 1;
	if (!how->like.max_seconds || how->like.max_seconds > most)
		how->like.max_seconds = most;
}

static void marks(const void *with, struct run_done *run)
{
	const struct found_setup *setup = with;
	setup->mark(setup->with, run);
}

static bool came_to_limit(const struct steer_result *r)
{
	return r->outcome == OUTCOME_LIVELOCK && !strcmp(r->text, STEER_STILL_RUNS);
}

static int keep(const struct found_setup *setup, const struct schedule *script, bool loose, struct found *out, struct err *why)
{
	struct evidence *e = &out->kept;
	struct evidence_setup how = { .like = setup->like, .shows = fails_so, .with = setup, .path = setup->path, .policy = setup->policy, .depth = setup->depth,
		.seed = setup->seed, .replays = FOUND_REPLAYS, .jobs = setup->jobs, .races = setup->races, .mark = setup->mark ? marks : NULL };
	char said[STEER_SAY];
	if (in_hurry(setup))
		hurry(setup, &how);
	if (evidence_keep(&how, script, loose, e, why) < 0)
		return -1;
	if ((setup->hurries || is_interrupted(setup)) && e->interrupted && !e->again) {
		evidence_release(e);
		hurry(setup, &how);
		if (evidence_keep(&how, script, loose, e, why) < 0)
			return -1;
	}
	out->gone = !e->again;
	if (out->gone && (e->interrupted || (is_interrupted(setup) && e->run.result.outcome == OUTCOME_LIVELOCK)))
		snprintf(e->why_not, sizeof e->why_not, "it was interrupted before it had been run again");
	else if (out->gone)
		snprintf(e->why_not, sizeof e->why_not, "run again in the same order it ends with %.200s: it depends on more than the order", steer_say(&e->run.result, said));
	else if (!e->run.result.log_lost)
		say_unkept(&e->run.result);
	return 0;
}

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

/* A run that came to its limit of steps is cut down to any other that does; but one that would end if everybody got turns hangs no longer. */
static bool still_hangs(const struct found_setup *setup, const struct schedule *script)
{
	struct runs_setup setting = { .like = setup->like, .jobs = 1, .most_memory = setup->like.most_memory };
	struct run_done run;
	struct err why = { 0 };
	enum fair_turns fair = FAIR_UNKNOWN;
	uint64_t made = 0;
	setting.like.loose = true;
	struct runs *runs = runs_open(&setting, &why);
	if (!runs)
		return false;
	runs_give(runs, &(struct run_order){ .schedule = script, .max_steps = setup->like.max_steps });
	if (runs_take(runs, &run, &why) > 0) {
		if (!came_to_limit(&run.result))
			fair = run.result.outcome == OUTCOME_LIVELOCK ? FAIR_HANGS : FAIR_ENDS;
		else if (endless_fair(runs, &run.result, &fair, &made, &why) < 0)
			fair = FAIR_UNKNOWN;
		run_done_release(&run);
	}
	runs_close(runs);
	return fair == FAIR_HANGS;
}

/* The failure is what was seen, not what came instead of it.  Its races are of places that are gone. */
static void tell_first(struct found *out, struct run_done *failed)
{
	struct run_done *run = &out->kept.run;
	run_done_release(run);
	*run = *failed;
	memset(failed, 0, sizeof *failed);
	race_list_release(&run->result.races);
	memset(&run->result.races, 0, sizeof run->result.races);
}

/* It ended well but for what it wrote. */
static void stop_at_wrong_output(const struct found_setup *setup, struct found *out)
{
	struct steer_result *r = &out->kept.run.result;
	bool by_rule = setup->rule && setup->rule->by == FAIL_OUTPUT && r->outcome == OUTCOME_EXIT;
	uint64_t byte = by_rule ? failure_output_end(setup->rule, &out->kept.run) : setup->wrong_byte;
	if (byte && !out->kept.interrupted && !in_hurry(setup))
		stop_at_output(&r->log, setup->path, byte);
}

int found_write(const struct found_setup *setup, struct run_done *failed, struct found *out, struct err *why)
{
	struct minimize_result small;
	const struct schedule *from = &failed->result.log;
	memset(out, 0, sizeof *out);
	int got = setup->most ? cut(setup, from, &small, why) : 1;
	if (got < 0)
		return -1;
	if (got == 0 && came_to_limit(&failed->result) && !still_hangs(setup, &small.script)) {
		minimize_result_release(&small);
		got = 1;
	}
	int result = keep(setup, got == 0 ? &small.script : from, got == 0 || !setup->rule, out, why);
	if (got == 0) {
		out->before = small.before;
		out->complete = small.complete;
		out->parted = small.parted;
		out->runs = small.runs;
		minimize_result_release(&small);
	}
	if (result == 0 && out->kept.written && !out->gone)
		stop_at_wrong_output(setup, out);
	out->alone = setup->jobs == 1;
	if (out->gone)
		tell_first(out, failed);
	out->after = minimize_cost(&out->kept.run.result);
	if (got != 0)
		out->before = out->after;
	if (result < 0)
		found_release(out);
	return result;
}

void found_release(struct found *f)
{
	evidence_release(&f->kept);
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
	failure_place(&f->kept.run.result, place, sizeof place);
	printf("%s%s%s%s\n", place, *place ? ": " : "", steer_say(&f->kept.run.result, said), exits_by(&f->kept.run.result, by, sizeof by));
	if (!f->kept.run.result.log_lost)
		say_order(&f->kept.run.result.log);
	if (f->kept.run.result.outcome != OUTCOME_EXIT)
		steer_print_threads(&f->kept.run.result, stdout);
	say_output(&f->kept.run);
	say_races(&f->kept.run.result.races);
}

void found_say_replays(const struct found *f, const char *path)
{
	if (!f->kept.written) {
		printf("  no schedule was written: %s\n", f->kept.why_not);
		if ((f->gone || f->kept.replays) && !f->alone)
			printf("  runs at the same time may share a file or a port: --jobs=1 makes one at a time\n");
		return;
	}
	if (!f->kept.replays)
		printf("  interrupted before it was replayed\n");
	else
		printf("  replayed %" PRIu32 " times: %" PRIu32 " of %" PRIu32 " failed the same way\n", f->kept.replays, f->kept.shown, f->kept.replays);
	if (f->kept.live && f->kept.lends)
		printf("  replays make the process it shares memory with again: what that one does there is in no schedule\n");
	else if (f->kept.live)
		printf("  replays ask the outside again: it shows only if what comes from there is what it was\n");
	printf("  replay: raddle replay %s        under gdb: raddle replay --gdb %s\n", path, path);
	if (f->kept.run.result.races.all.count)
		printf("  its races in full: raddle replay --races %s\n", path);
}

void found_json(struct json *j, struct found *f, const char *path)
{
	char said[STEER_SAY], place[300];
	const struct steer_result *r = &f->kept.run.result;
	json_put_text(j, "outcome", outcome_words[r->outcome]);
	if (r->outcome == OUTCOME_EXIT || r->outcome == OUTCOME_SIGNAL)
		json_put_number(j, "value", (uint64_t)(uint32_t)r->value);
	json_put_text(j, "said", steer_say(r, said));
	json_put_text(j, "at", failure_place(&f->kept.run.result, place, sizeof place));
	if (f->kept.written)
		json_put_text(j, "schedule", path);
	json_put_number(j, "switches_before", f->before.switches);
	json_put_number(j, "switches", f->after.switches);
	json_put_number(j, "events", f->after.events);
	json_put_number(j, "minimize_runs", f->runs);
	json_put_number(j, "replays", f->kept.replays);
	json_put_number(j, "replays_same", f->kept.shown);
	json_races(j, &f->kept.run.result.races);
}
