/* analyses/predict/lab.c -- see lab.h. */
#include "analyses/predict/lab.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "drive/endless.h"
#include "drive/hunt.h"


/* ---------------------------------------------------------------- runs */

static int make_file(char name[LAB_NAME], struct err *why)
{
	const char *wanted = getenv("TMPDIR");
	const char *folder = wanted && *wanted == '/' && strlen(wanted) < LAB_NAME - 32 ? wanted : "/tmp";
	snprintf(name, LAB_NAME, "%s/raddle-predict-XXXXXX", folder);
	int fd = mkstemp(name);
	if (fd < 0) {
		err_set(why, "cannot make a file in '%s': %s", folder, str_error(errno));
		name[0] = 0;
		why->code = 125;
		return -1;
	}
	close(fd);
	return 0;
}

/* Whoever writes a trace keeps the one before it. */
static void remove_file(const char *name)
{
	char before[LAB_NAME + 4];
	if (!*name)
		return;
	snprintf(before, sizeof before, "%s.old", name);
	unlink(before);
	unlink(name);
}

static int open_runs(struct lab *l, struct err *why)
{
	struct runs_setup setup = { .like = l->like, .jobs = 1, .races = true };
	l->runs = runs_open(&setup, why);
	return l->runs ? 0 : -1;
}

int lab_open(struct lab *l, const struct steer_options *like, struct err *why)
{
	*l = (struct lab){ .like = *like };
	sigprocmask(SIG_SETMASK, NULL, &l->mask);
	return make_file(l->trace, why) < 0 || make_file(l->story, why) < 0 ? -1 : open_runs(l, why);
}

int lab_bound(struct lab *l, uint64_t events, struct err *why)
{
	l->steps = events;
	if (l->like.max_steps)
		return 0;
	return lab_bound_at(l, endless_after(events), why);
}

int lab_bound_at(struct lab *l, uint64_t most, struct err *why)
{
	l->like.max_steps = most;
	runs_close(l->runs);
	return open_runs(l, why);
}

void lab_close(struct lab *l)
{
	if (l->runs)
		runs_close(l->runs);
	remove_file(l->trace);
	remove_file(l->story);
	names_release(&l->waits);
	*l = (struct lab){ 0 };
}

/* ---------------------------------------------------------------- who waits when all is well */

/* Where a thread waits, as the same text in each run; false: it does not, or for what another thread is to give back. */
static bool wait_name(struct steer_result *r, const struct steer_thread *t, struct buffer *name)
{
	struct source at = { "", "", 0 };
	if (t->state != STRAND_AT_POINT || (t->kind != EV_CWAKE && t->kind != EV_SWAIT && t->kind != EV_FWAIT && t->kind != EV_INPUT))
		return false;
	places_source(r->places, t->place, &at);
	buffer_print(name, "%s %u %s:%u %s", t->path, t->kind, at.file, at.line, at.function);
	return true;
}

void lab_waits(struct lab *l, struct steer_result *r)
{
	for (size_t i = 0; r->outcome == OUTCOME_EXIT && i < r->threads.count; i++) {
		struct buffer name = { 0 };
		if (wait_name(r, &r->threads.at[i], &name))
			names_put(&l->waits, (const char *)name.at, (uint32_t)name.count);
		buffer_release(&name);
	}
}

/* Daemons wait where they wait at the end of a run that went well.  If nobody else does, one of them is stuck all the same. */
static void mark_usual(struct lab *l, struct steer_result *r)
{
	bool others = false;
	for (size_t i = 0; r->outcome == OUTCOME_DEADLOCK && i < r->threads.count; i++) {
		struct steer_thread *t = &r->threads.at[i];
		struct buffer name = { 0 };
		t->usual = t->waits && wait_name(r, t, &name) && names_get(&l->waits, (const char *)name.at, (uint32_t)name.count) != NO_NAME;
		others |= t->waits && !t->usual && t->kind != EV_JOIN;
		buffer_release(&name);
	}
	for (size_t i = 0; !others && i < r->threads.count; i++)
		r->threads.at[i].usual = false;
}

static int make(struct lab *l, const struct run_order *order, struct run_done *out, struct err *why)
{
	runs_give(l->runs, order);
	l->made++;
	if (runs_take(l->runs, out, why) <= 0)
		return -1;
	if (!out->result.interrupted)
		return 0;
	run_done_release(out);                  /* a run that was cut off says nothing */
	return err_set(why, "interrupted");
}

int lab_judge(struct lab *l, struct steer_result *r, struct err *why)
{
	enum fair_turns came;
	if (r->outcome != OUTCOME_LIVELOCK || r->late || l->outcome == OUTCOME_NONE || l->outcome == OUTCOME_LIVELOCK)
		return 0;
	if (endless_fair(l->runs, r, &came, &l->made, why) < 0)
		return -1;
	r->late = came != FAIR_HANGS;
	return 0;
}

static int give(struct lab *l, const struct run_order *order, struct run_done *out, struct err *why)
{
	if (make(l, order, out, why) < 0)
		return -1;
	mark_usual(l, &out->result);
	if (lab_judge(l, &out->result, why) == 0)
		return 0;
	run_done_release(out);
	return -1;
}

int lab_run(struct lab *l, const struct schedule *script, bool loose, const struct steer_late *late, struct run_done *out, struct err *why)
{
	return give(l, &(struct run_order){ .schedule = script, .policy = STEER_FIRST, .loose = loose, .prompt = true, .events = NOVEL_EVENTS, .lingers = l->lingers,
		.late = late ? *late : (struct steer_late){ 0 } }, out, why);
}

int lab_draw(struct lab *l, uint32_t number, struct run_done *out, struct err *why)
{
	struct run_order order = { .policy = number % 3 == 0 ? STEER_RANDOM : number % 3 == 1 ? STEER_PCT : STEER_POS, .seed = number + 1, .length = l->steps,
		.depth = 1 + number / 3 % (HUNT_DEPTHS - 1), .prompt = true, .events = NOVEL_EVENTS, .lingers = number % 2 ? l->lingers : 0 };
	return give(l, &order, out, why);
}

int lab_record(struct lab *l, const struct schedule *script, bool loose, struct run_done *out, struct err *why)
{
	return give(l, &(struct run_order){ .schedule = script, .policy = STEER_FIRST, .loose = loose, .events = UINT64_MAX,
		.max_steps = l->like.max_steps ? 0 : l->first_steps, .save_trace = l->trace }, out, why);
}

int lab_linger(struct lab *l, struct run_done *out, struct err *why)
{
	return give(l, &(struct run_order){ .policy = STEER_FIRST, .lingers = LINGERS, .events = UINT64_MAX,
		.max_steps = l->like.max_steps ? 0 : l->first_steps, .save_trace = l->trace }, out, why);
}

int lab_trace(struct lab *l, const struct schedule *script, struct run_done *out, struct err *why)
{
	return give(l, &(struct run_order){ .schedule = script, .policy = STEER_FIRST, .save_trace = l->story }, out, why);
}

/* ---------------------------------------------------------------- what came of them */

static uint64_t line_hash(const char *text, size_t count)
{
	uint64_t hash = 0xcbf29ce484222325ull;
	for (size_t i = 0; i < count; i++)
		hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3ull;
	return hash * 0x9e3779b97f4a7c15ull ^ hash >> 31;
}

uint64_t lab_output(const struct run_done *run)
{
	uint64_t sum = run->result.outcome == OUTCOME_EXIT ? (uint64_t)run->result.value << 48 : 0;
	for (size_t at = 0, end; at < run->output.count; at = end + 1) {
		const char *newline = memchr(run->output.at + at, '\n', run->output.count - at);
		end = newline ? (size_t)(newline - run->output.at) : run->output.count;
		sum += line_hash(run->output.at + at, end - at);
	}
	return sum;
}

/* Time-outs ran out, of seconds in all, although others could have gone on meanwhile: what the program makes of that, by its status or by what it
 * prints, it would do on a machine that stands still. */
static bool was_hurried(const struct run_done *run)
{
	return run->result.outcome == OUTCOME_EXIT && run->result.hurried > STEER_PATIENCE;
}

bool lab_differs(const struct lab *l, const struct run_done *run)
{
	return lab_output(run) != l->output && !was_hurried(run);
}

bool lab_failed(const struct lab *l, const struct run_done *run)
{
	bool endless = l->outcome == OUTCOME_LIVELOCK && run->result.outcome == OUTCOME_LIVELOCK;
	return !endless && !run->result.late && !was_hurried(run) && failure_is(&l->rule, run);
}

/* ---------------------------------------------------------------- one that is kept */

struct looked_for { struct lab *lab; const struct lab_sign *sign; };

static bool sign_shows(const void *with, struct run_done *run)
{
	const struct looked_for *what = with;
	mark_usual(what->lab, &run->result);
	return what->sign->shows(what->sign, run);
}

static void sign_marks(const void *with, struct run_done *run)
{
	const struct looked_for *what = with;
	if (what->sign->mark)
		what->sign->mark(what->sign, run);
}

int lab_keep(struct lab *l, const struct schedule *log, const char *path, uint32_t replays, const struct lab_sign *sign,
	struct evidence *out, struct err *why)
{
	struct looked_for what = { l, sign };
	struct evidence_setup setup = { .like = l->like, .mask = &l->mask, .shows = sign_shows, .mark = sign_marks, .with = &what, .path = path, .policy = STEER_FIRST,
		.seed = l->like.seed, .depth = l->like.depth, .replays = replays, .jobs = 1, .races = true, .trace = l->story };
	l->made++;
	return evidence_keep(&setup, log, false, out, why);
}
