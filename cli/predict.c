/* cli/predict.c -- raddle predict: the bugs other schedules of one run would show.  The question is analyses/predict's. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "analyses/predict/fixed.h"
#include "analyses/predict/predict.h"
#include "base/clock.h"
#include "base/str.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/known.h"
#include "cli/progress.h"
#include "cli/reporting.h"
#include "cli/say.h"
#include "cli/started.h"
#include "cli/trusted.h"
#include "drive/object.h"
#include "drive/program.h"

#define TIMEOUT_USUAL  60u              /* seconds of one run */
#define ARGUMENTS_MOST 4096

struct options {
	bool all, predict_only, run, no_shield;
	const char *fixed, *fail_if;
	uint64_t runs, replays, timeout, steps, model, window, time;
	struct reporting report;
};

/* ---------------------------------------------------------------- progress */

/* How far, and how long it will take at this pace: of reading, then of trying. */
static void say_progress(const struct predict *p, double seconds)
{
	char left[40] = "";
	uint64_t done = p->read ? p->read : p->settled, all = p->read ? p->whole : p->candidates;
	if (done && all > done)
		snprintf(left, sizeof left, ", about %.0f s left", seconds / (double)done * (double)(all - done));
	if (p->read)
		ticker_line("%.1f M events read, %.0f s%s", (double)p->read / 1e6, seconds, left);
	else
		ticker_line("%" PRIu64 " of %" PRIu64 " candidates, %" PRIu64 " runs, %.0f s%s", p->settled, p->candidates, p->runs, seconds, left);
}

static double deadline;                 /* clock_seconds(); 0 none */

static bool is_over(void)
{
	return deadline > 0 && clock_seconds() >= deadline;
}

static bool goes_on(const struct predict *so_far)
{
	static struct ticker ticker = { .everywhere = true };
	if (ticker_due(&ticker))
		say_progress(so_far, ticker.said);
	return !interrupt_waits() && !is_over();
}

/* When the time is up it is as if Ctrl-C came, again and again: what waits for a run or thinks about a question ends.  The timer is
 * to be deleted; false: there is none. */
static bool set_deadline(timer_t *timer, uint64_t seconds)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGINT };
	struct itimerspec when = { .it_value = { .tv_sec = (time_t)seconds }, .it_interval = { .tv_nsec = 200000000 } };
	deadline = seconds ? clock_seconds() + (double)seconds : 0;
	if (!seconds || timer_create(CLOCK_MONOTONIC, &event, timer) < 0)
		return false;
	timer_settime(*timer, 0, &when, NULL);
	return true;
}

/* ---------------------------------------------------------------- what is looked at */

struct subject {
	struct started started;
	bool is_program;                        /* started is to be released */
	bool stranger;                          /* the trace is not this user's: what it names is not run */
	const char *trace;                      /* or NULL */
	struct trace *opened;                   /* for its facts: arguments live there */
	VEC(char *) argv;
	char said[300];
};

static bool is_program(const char *file)
{
	struct stat st;
	char path[4096];
	struct err ignored;
	if (!strchr(file, '/') && stat(file, &st) < 0)
		return program_find(file, path, sizeof path, &ignored) == 0;
	return stat(file, &st) < 0 || access(file, X_OK) == 0;
}

/* The program a trace is of, if it is still there as it was. */
static bool program_of(struct subject *s)
{
	char key[32], id[OBJECT_BUILD_ID];
	struct err ignored;
	const char *file = trace_fact(s->opened, "exe"), *argument;
	if (!file || !trace_module_count(s->opened) || program_check(file, &ignored) < 0)
		return false;
	object_build_id(file, id);
	if (!*id || strcmp(id, trace_module(s->opened, 0)->build_id))
		return false;
	for (int i = 0; i < ARGUMENTS_MOST; i++) {
		snprintf(key, sizeof key, "argv%d", i);
		if (!(argument = trace_fact(s->opened, key)))
			break;
		vec_push(&s->argv, (char *)argument);
	}
	vec_push(&s->argv, NULL);
	s->started.path = file;
	s->started.argv = s->argv.at;
	return s->argv.count > 1;
}

static void name_subject(struct subject *s, char **operands)
{
	size_t at = 0;
	for (int i = 0; operands[i] && at < sizeof s->said; i++)
		at += (size_t)snprintf(s->said + at, sizeof s->said - at, "%s%s", i ? " " : "", operands[i]);
}

static int find_subject(struct subject *s, char **operands, const struct options *o, struct err *why)
{
	static char *usual[] = { TRACE_DEFAULT, NULL };
	char **what = *operands ? operands : usual;
	*s = (struct subject){ .is_program = *operands && (operands[1] || is_program(*operands)) };
	name_subject(s, what);
	if (s->is_program && o->predict_only) {
		err_set(why, "'--no-runs' is of a trace: '%.200s' is a program, which is run to be recorded", *operands);
		err_hint(why, "'raddle record -- %.200s' and 'raddle predict --no-runs'", *operands);
		why->code = 2;
		return -1;
	}
	if (s->is_program)
		return program_check_output("race-1.sched", why) < 0 ? -1 : started_find(operands, &s->started, why);
	s->trace = *what;
	if (open_trace(&s->opened, operands, false, why) < 0)
		return -1;
	if (o->predict_only || !program_of(s)) {
		s->started.argv = NULL;
	} else if (!o->run && !trusted_file(s->trace)) {
		char words[300];
		say_note("'%s' names a program, and the file or its folder is not yours: not run: %s", s->trace,
			trusted_words(s->started.argv, words, sizeof words));
		say_note("what follows is predicted only; --run runs it to confirm, if you trust the file");
		s->started.argv = NULL;
		s->stranger = true;
	} else if (!o->no_shield) {
		trusted_shield();
	}
	return 0;
}

static void drop_subject(struct subject *s)
{
	if (s->is_program)
		started_release(&s->started);
	trace_close(s->opened);
	vec_release(&s->argv);
}

/* ---------------------------------------------------------------- telling */

static void more(struct json *j, const void *with)
{
	const struct predict *p = with;
	json_put_number(j, "accesses", p->accesses);
	json_put_number(j, "recordings", p->recordings);
	json_put_number(j, "runs", p->runs);
}

static const char *gave_up(const struct predict *p, const struct options *o, char *into, size_t room)
{
	if (p->stopped && is_over()) {
		snprintf(into, room, "the time was up (--for=%" PRIu64 "s)", o->time);
		return into;
	}
	if (interrupt_came())
		return "interrupted";
	if (p->window) {
		snprintf(into, room, "only windows of %" PRIu64 " events that overlap by half, and what takes events further apart than %" PRIu64 " may be missed",
			p->window, p->window / 2);
		return into;
	}
	if (*p->failed && !p->failure_told && !p->endless) {
		snprintf(into, room, "the recorded run itself failed: %.200s", p->failed);
		return into;
	}
	if (p->endless)
		return "the recorded run did not end (--steps, --timeout), and only its beginning was looked at";
	if (p->looked) {
		snprintf(into, room, "only its first %" PRIu64 " events were looked at: more of those that synchronise do not fit into 4 GB", p->looked);
		return into;
	}
	if (p->broken)
		return p->broken;
	if (p->unlooked)
		return p->unlooked;
	if (!p->stopped)
		return NULL;
	snprintf(into, room, "the limit of runs was reached (--runs=%" PRIu64 ")", o->runs);
	return into;
}

static int tell(struct telling *telling, struct predict *p, const struct options *o, const struct subject *s, double seconds, struct err *why)
{
	char text[900];
	bool run = s->started.argv != NULL;
	struct report about = { .command = "predict", .subject = s->said, .events = p->events, .seconds = seconds, .more = more, .with = p,
		.bugs = STATUS_BIT(FINDING_CONFIRMED) | (run ? 0 : STATUS_BIT(FINDING_PREDICTED)), .gave_up = gave_up(p, o, text, sizeof text), .unclaimed = p->unclaimed };
	about.listed = o->all ? ~0u : about.bugs;
	if (*p->failed)
		say_note("the recorded run itself failed: %s", p->failed);
	if (!run && !o->predict_only && !s->stranger)
		say_note("nothing is confirmed: the program of '%s' is not there as it was, or was not built with raddle", s->trace);
	if (!run && o->model)
		say_note("'--model' needs a program that can be run: nothing was looked for that takes a weaker memory");
	return reporting_end(telling, &p->found, &about, why);
}

/* ---------------------------------------------------------------- the program without running it */

struct read_model { const struct started *program; bool tried; struct model *model; struct depend *depend; uint8_t *recorded; };

/* Where there is none (no bitcode was kept, libLLVM is not installed) predict does without. */
static void open_model(void *with, struct model **model, struct depend **depend)
{
	struct read_model *m = with;
	struct known known;
	struct err ignored;
	char found[4096];
	const char *path = m->program->path;
	if (!m->tried && !path && m->program->argv && program_find(m->program->argv[0], found, sizeof found, &ignored) == 0)
		path = found;
	if (!m->tried && path && model_open(&m->model, &path, 1, MODEL_LIFTED, &ignored) == 0 && known_open(&known, m->model, &path, 1, &ignored) == 0) {
		m->recorded = known_recorded(&known, m->model);
		m->depend = model_depend(m->model, m->recorded);
		known_close(&known);
	}
	m->tried = true;
	*model = m->depend ? m->model : NULL;
	*depend = m->depend;
}

static void close_model(struct read_model *m)
{
	depend_free(m->depend);
	mem_free(m->recorded);
	model_close(m->model);
}

/* ---------------------------------------------------------------- all of it */

static int predict_and_tell(const struct options *o, struct subject *s, struct telling *telling, struct err *why)
{
	struct predict p;
	struct fixed fixed = { 0 };
	struct read_model model = { .program = &s->started };
	struct failure_rule fails = { 0 };
	double start = clock_seconds();
	struct predict_setup setup = { .like = { .argv = s->started.argv, .path = s->started.path,
			.max_seconds = o->timeout ? (unsigned)o->timeout : TIMEOUT_USUAL },
		.trace = s->trace, .memory = (uint32_t)o->model, .window = (uint32_t)o->window, .folder = s->started.folder, .most_runs = o->runs, .first_steps = o->steps, .replays = (uint32_t)o->replays, .go_on = goes_on,
		.settle = o->fixed != NULL, .fails = o->fail_if ? &fails : NULL,
		.model = open_model, .with = &model };
	if ((o->fail_if && failure_rule_parse(o->fail_if, &fails, why) < 0) || (o->fixed && fixed_read(&fixed, o->fixed, why) < 0)) {
		failure_rule_release(&fails);
		reporting_drop(telling);
		return -1;
	}
	interrupt_watch();
	timer_t timer;
	bool timed = set_deadline(&timer, o->time);
	int got = predict_run(&p, &setup, why);
	if (timed)
		timer_delete(timer);
	ticker_over();
	if (got < 0)
		reporting_drop(telling);
	else
		got = tell(telling, &p, o, s, clock_seconds() - start, why);
	if (got >= 0 && o->fixed) {
		got = fixed_tell(&fixed, &p, stdout);
		if (say_flush(why) < 0)
			got = -1;
	}
	interrupt_leave();
	predict_release(&p);
	failure_rule_release(&fails);
	close_model(&model);
	return got;
}

static int run(const void *given, char **operands, struct err *why)
{
	const struct options *o = given;
	struct subject subject;
	struct telling telling;
	if (reporting_begin(&telling, &o->report, "predict", why) < 0)
		return -1;
	int got = find_subject(&subject, operands, o, why);
	if (got == 0)
		got = predict_and_tell(o, &subject, &telling, why);
	else
		reporting_drop(&telling);
	drop_subject(&subject);
	return got;
}

#define AT(field) offsetof(struct options, field)
static const struct option list[] = {
	{ 0, "all", OPTION_FLAG, AT(all), NULL, "what was not confirmed too, with the reason", NULL, 0, 0 },
	{ 0, "no-runs", OPTION_FLAG, AT(predict_only), NULL, "of a trace: predict only, confirm nothing", NULL, 0, 0 },
	{ 0, "fail-if", OPTION_TEXT, AT(fail_if), "what",
		"which exits are failures: exit (not 0, the default if the first run's is 0), exit=<n>, exit!=<n>, or a regular expression for its output", NULL, 0, 0 },
	{ 0, "fixed", OPTION_TEXT, AT(fixed), "file", "a schedule predict wrote: does this program still have that bug, or one near it?", NULL, 0, 0 },
	{ 0, "model", OPTION_CHOICE, AT(model), "which",
		"bugs that take this memory, too: a store seen late by others (default sc)", "sc|tso|pso", 0, 0 },
	{ 0, "for", OPTION_TIME, AT(time), "time", "go on for so long at most: 30, 30s, 10m, 1h (default: no limit)", NULL, 1, OPTION_TIME_MOST },
	{ 0, "runs", OPTION_NUMBER, AT(runs), "n", "runs at most (default 2000)", NULL, 1, 1000000000 },
	{ 0, "replays", OPTION_NUMBER, AT(replays), "n", "of each confirmed bug (default 20)", NULL, 1, 1000000 },
	{ 0, "window", OPTION_NUMBER, AT(window), "n", "of a trace: synchronising events looked at together (default: what fits into 4 GB)", NULL, 1000, 28000000 },
	{ 0, "steps", OPTION_NUMBER, AT(steps), "n", "events the recorded run may have (default 10 million)", NULL, 1000, 1000000000000 },
	{ 0, "timeout", OPTION_TIME, AT(timeout), "time", "of one run (default 60)", NULL, 1, 86400 },
	REPORTING_OPTIONS(struct options, report),
	OPTION_RUN(struct options, run), OPTION_NO_SHIELD(struct options, no_shield), OPTION_MEMORY, OPTION_HELP, OPTION_LAST
};
static const struct options defaults = { .runs = 2000, .replays = 20, .steps = 10000000 };

const struct command command_predict = { "find", "predict", "[<trace> | -- <program> [<arguments>]]",
	"Find the races, deadlocks and other bugs another schedule of this run would show, and confirm each.",
	STYLE_PROGRAM, list, &defaults, sizeof defaults, 0, -1,
	"<trace> defaults to ./run.trace, as written by 'raddle record'.    Example: raddle predict -- ./bank; raddle replay race-1.sched\n"
	"Exit: 0 nothing found, 1 found, 2 bad command line, 3 bad input, 4 gave up early.", run, true };
