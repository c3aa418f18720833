/* analyses/epa/experiment.c -- runs a program in a folder of its own, without a fault or with one, and says what came of it.
 * Whatever is changed for the program's sake (folder, standard input and output) is this process's own affair: each run is made in a process of its own. */
#include "analyses/epa/experiment.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyses/epa/diff.h"
#include "analyses/epa/fate.h"
#include "analyses/epa/golden_check.h"
#include "analyses/epa/golden_digest.h"
#include "analyses/epa/judge.h"
#include "analyses/epa/outputs.h"
#include "base/clock.h"
#include "base/str.h"
#include "drive/program.h"
#include "drive/record.h"
#include "drive/steer.h"
#include "drive/trunk.h"

#define GOLDEN_RUNS   3
#define GOLDEN_LIMIT  600000u           /* ms */
#define CHECKED       100               /* one of so many compared while they ran is made again and compared from its trace */
#define TRACE_FILE    ".raddle.trace"

const char *const became_words[] = { "not activated", "masked", "latent", "silent corruption", "detected", "crash", "hang", "deadlock" };

int became_of(const char *word)
{
	for (int i = 0; i < BECAME_COUNT; i++)
		if (!strcmp(word, became_words[i]))
			return i;
	return -1;
}

/* ---- a folder to run in ---- */

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *where)
{
	(void)s, (void)kind, (void)where;
	remove(path);
	return 0;
}

static void remove_room(const char *room)
{
	if (*room)
		nftw(room, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static int make_room(char room[4200], const struct campaign_config *c, const struct golden_run *g, const char *name, struct err *why)
{
	snprintf(room, 4200, "%s/%s", g->work, name);
	if (mkdir(room, 0700) < 0) {
		room[0] = 0;
		return err_set(why, "cannot make a folder to run in: %s", str_error(errno));
	}
	for (size_t i = 0; i < c->needs.count; i++)
		if (outputs_copy(g->folder, c->needs.at[i], room, why) < 0)
			return -1;
	return 0;
}

/* ---- a run ---- */

static int redirect(const char *path, int to, int flags)
{
	int fd = open(path, flags | O_CLOEXEC, 0600);
	bool good = fd >= 0 && dup2(fd, to) == to;
	if (fd >= 0)
		close(fd);
	return good ? 0 : -1;
}

static int enter(const struct campaign_config *c, const struct golden_run *g, const char *room, struct err *why)
{
	char input[8192];
	snprintf(input, sizeof input, "%s%s%s", *c->input && *c->input != '/' ? g->folder : "", *c->input && *c->input != '/' ? "/" : "",
		*c->input ? c->input : "/dev/null");
	if (redirect(input, 0, O_RDONLY) < 0) {
		err_set(why, "cannot open '%.200s': %s", c->input, str_error(errno));
		why->code = 2;
		return -1;
	}
	if (chdir(room) < 0 || redirect(OUTPUT_STDOUT, 1, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW) < 0 || redirect(OUTPUT_STDERR, 2, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW) < 0)
		return err_set(why, "cannot use '%.200s': %s", room, str_error(errno));
	return 0;
}

/* What came of a steered run.  died: path of the thread whose turn it was when a signal ended the run; "" none is known. */
struct run_steered { uint64_t steps; bool deadlock, left; char died[PATH_BYTES]; };
struct run_how { struct fault_order *fault; uint64_t limit_ms, limit_segments; struct drain_sink *sink; bool *late, *signalled; unsigned *left; uint64_t limit_steps; struct run_steered *steered; };

/* The exit code, -1 and why. */
static int take_steered(struct steer_result *result, const struct run_how *how, struct err *why)
{
	enum steer_outcome outcome = result->outcome;
	const struct steer_thread *running = outcome == OUTCOME_SIGNAL ? steer_running(result) : NULL;
	if (outcome == OUTCOME_UNSUPPORTED && str_starts(result->text, STEER_TOO_MANY))
		result->outcome = outcome = OUTCOME_LIVELOCK;           /* the run without a fault had as many as it needs: it makes threads without end */
	int code = outcome == OUTCOME_UNSUPPORTED || outcome == OUTCOME_LEFT ? err_set(why, "it cannot be steered: %.300s", result->text)
		: steer_program_code(result);
	how->steered->steps = result->steps;
	how->steered->deadlock = outcome == OUTCOME_DEADLOCK;
	snprintf(how->steered->died, sizeof how->steered->died, "%s", running ? running->path : "");
	*how->late = outcome == OUTCOME_DEADLOCK || outcome == OUTCOME_LIVELOCK;
	if (how->left)
		*how->left = result->left;
	if (how->signalled)
		*how->signalled = outcome == OUTCOME_SIGNAL || outcome == OUTCOME_MEMORY || outcome == OUTCOME_ASSERT;
	steer_result_release(result);
	return code;
}

static struct steer_options options_of(const struct golden_run *g, char **argv, uint64_t limit_ms, uint64_t limit_steps)
{
	return (struct steer_options){ .argv = argv, .path = g->program, .schedule = g->schedule, .max_steps = limit_steps, .max_seconds = (unsigned)(limit_ms / 1000 + 10) };
}

/* The exit code, -1 and why.  A run that leaves its schedule is made once more with that as advice: what comes of the fault is of interest, too. */
static int run_steered(const struct golden_run *g, char **argv, const struct run_how *how, struct err *why)
{
	struct steer_result result;
	struct fault_order order = how->fault ? *how->fault : (struct fault_order){ 0 };
	struct steer_options steer = options_of(g, argv, how->limit_ms, how->limit_steps);
	steer.save_trace = how->sink ? NULL : TRACE_FILE;
	steer.sink = how->sink;
	steer.fault = how->fault;
	if (steer_run(&steer, &result, why) < 0)
		return -1;
	if (result.outcome == OUTCOME_LEFT && how->fault) {
		how->steered->left = true;
		steer_result_release(&result);
		if (how->sink)
			return 0;                               /* it is made again anyhow */
		*how->fault = order;
		steer.loose = true;
		remove(TRACE_FILE);
		if (steer_run(&steer, &result, why) < 0)
			return -1;
	}
	return take_steered(&result, how, why);
}

#define NOT_PARTED (-2)

/* The same of a run that goes on from where another one stands; NOT_PARTED: it cannot. */
static int run_parted(struct standing *from, const char *room, const struct run_how *how, struct err *why)
{
	struct steer_result result;
	if (trunk_part(from->trunk, room, how->fault, &result, why))
		return NOT_PARTED;
	how->steered->left = result.outcome == OUTCOME_LEFT;
	if (!how->steered->left)
		return take_steered(&result, how, why);
	steer_result_release(&result);
	return 0;
}

static void words_of(const struct campaign_config *c, const struct golden_run *g, char **argv)
{
	size_t count = 0;
	for (; c->argv.at[count] && count < EXPERIMENT_WORDS - 1; count++)
		argv[count] = c->argv.at[count];
	argv[count] = NULL;
	argv[0] = (char *)g->program;
}

struct steer_options experiment_steered(const struct campaign_config *c, const struct golden_run *g, char **argv)
{
	words_of(c, g, argv);
	return options_of(g, argv, g->limit_ms, g->limit_steps);
}

int experiment_enter(const struct campaign_config *c, const struct golden_run *g, const char *name, char room[4200], struct err *why)
{
	return make_room(room, c, g, name, why) < 0 || enter(c, g, room, why) < 0 ? -1 : 0;
}

/* In this process, which is there for it alone. */
static int run_here(const struct campaign_config *c, const struct golden_run *g, const char *room, const struct run_how *how, struct err *why)
{
	char *argv[EXPERIMENT_WORDS];
	words_of(c, g, argv);
	if (enter(c, g, room, why) < 0)
		return -1;
	if (c->schedule)
		return run_steered(g, argv, how, why);
	struct record_options record = { .output = TRACE_FILE, .level = MODE_ACCESS, .argv = argv, .full = !how->sink, .quiet = true, .fault = how->fault,
		.limit_ms = how->limit_ms, .limit_segments = how->limit_segments, .late = how->late, .left = how->left,
		.signalled = how->signalled, .fixed = true, .apart = true, .sink = how->sink };
	return record_run(&record, why);
}

/* ---- the golden run ---- */

struct told { int exit; uint64_t ms; bool late; struct run_steered steered; struct err why; };

static int run_golden(struct golden_run *g, const struct campaign_config *c, const char *room, struct told *told, struct err *why)
{
	int tell[2];
	if (pipe2(tell, O_CLOEXEC) < 0)
		return err_set(why, "cannot make a pipe: %s", str_error(errno));
	pid_t pid = fork();
	if (pid == 0) {
		struct told mine = { 0 };
		uint64_t begin = clock_ms();
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		mine.exit = run_here(c, g, room, &(struct run_how){ .limit_ms = c->limit_ms ? c->limit_ms : GOLDEN_LIMIT, .late = &mine.late, .steered = &mine.steered },
			&mine.why);
		mine.ms = clock_ms() - begin;
		_exit(write(tell[1], &mine, sizeof mine) == sizeof mine ? 0 : 1);
	}
	close(tell[1]);
	ssize_t got = pid < 0 ? -1 : read(tell[0], told, sizeof *told);
	close(tell[0]);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	if (got != sizeof *told)
		return err_set(why, "a run without a fault could not be made");
	if (told->exit < 0 || told->late) {
		*why = told->why;
		if (told->late)
			err_set(why, "'%.200s' without a fault does not end in time", c->argv.at[0]);
		why->code = why->code ? why->code : 3;
		return -1;
	}
	return 0;
}

int run_open(struct trace **t, struct canon *canon, struct golden_run *g, const char *room, enum run_kind kind, struct err *why)
{
	char path[8192];
	snprintf(path, sizeof path, "%s/%s", room, TRACE_FILE);
	if (trace_open(t, path, &(struct trace_options){ .salvage = kind == RUN_FAULTY }, why) < 0)
		return -1;
	if ((kind == RUN_GOLDEN ? canon_make_indexed(canon, *t, &g->book, why) : canon_make(canon, *t, &g->book, &g->canon, why)) == 0)
		return 0;
	trace_close(*t);
	*t = NULL;
	return -1;
}

/* Another run must be the same. */
static int hold_against(struct golden_run *g, const struct campaign_config *c, struct err *why)
{
	char room[4200] = "";
	struct told told;
	struct trace *t;
	struct canon canon;
	struct diff d;
	int got = make_room(room, c, g, "again", why);
	if (got == 0)
		got = run_golden(g, c, room, &told, why);
	if (got == 0 && (got = run_open(&t, &canon, g, room, RUN_AGAIN, why)) == 0) {
		diff_make(&d, &g->canon, &canon);
		if (d.deviating || told.exit != g->exit || !outputs_same(c, g->room, room)) {
			got = err_set(why, "two runs of '%.200s' without a fault differ", c->argv.at[0]);
			err_hint(why, "'raddle record' it twice and 'raddle diff' the traces; only what runs the same each time can be "
				"judged: if its threads are the cause, 'schedule = first' in the configuration makes it so");
			why->code = 3;
		}
		diff_release(&d);
		canon_release(&canon);
		trace_close(t);
	}
	remove_room(room);
	return got;
}

/* Compared while it runs, is another run without a fault the same?  Asked in a process of its own. */
static bool is_quick(struct golden_run *g, const struct campaign_config *c)
{
	struct err why;
	char room[4200] = "";
	int status = 1;
	pid_t pid = make_room(room, c, g, "quick", &why) < 0 ? -1 : fork();
	if (pid == 0) {
		const struct quick_found *found;
		uint32_t count;
		bool late = false, signalled = false, waits;
		struct run_steered steered = { 0 };
		struct run_how how = { .limit_ms = g->limit_ms, .late = &late, .signalled = &signalled, .sink = quick_begin(g->quick, "", SIZE_MAX),
			.limit_steps = g->limit_steps, .steered = &steered };
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		int code = run_here(c, g, room, &how, &why);
		_exit(code == g->exit && quick_end(g->quick, &(struct quick_end){ late, signalled }, &found, &count, &waits) && count == 0 ? 0 : 1);
	}
	if (pid > 0)
		waitpid(pid, &status, 0);
	remove_room(room);
	return status == 0;
}

static void take_quick(struct golden_run *g, const struct campaign_config *c)
{
	g->quick = quick_new(g->trace, &g->canon);
	if (!g->quick)
		return;
	if (config_detects(c))
		quick_count(g->quick, &g->book, c->detect_function);    /* how late something is detected is told in events of all threads */
	g->limit_segments = 10 * quick_segments(g->quick) + 512;
	for (int i = 1; i < GOLDEN_RUNS && g->quick; i++)
		if (!is_quick(g, c)) {
			quick_free(g->quick);
			g->quick = NULL;
		}
}

static int open_schedule(struct golden_run *g, const struct campaign_config *c, struct err *why)
{
	if (!c->schedule || !strcmp(c->schedule, "first"))
		return 0;
	g->schedule = mem_take(sizeof *g->schedule);
	schedule_init(g->schedule);
	int got = schedule_read(g->schedule, c->schedule, why);
	why->code = got < 0 ? 3 : 0;
	return got;
}

int golden_run_make(struct golden_run *g, const struct campaign_config *c, const char *work, struct err *why)
{
	struct told told;
	char path[4096];
	memset(g, 0, sizeof *g);
	book_open(&g->book);
	if (!getcwd(g->folder, sizeof g->folder))
		return err_set(why, "cannot tell where we are: %s", str_error(errno));
	snprintf(g->work, sizeof g->work, "%s", work);
	remove_room(g->work);                           /* of a campaign that was killed */
	if (mkdir(g->work, 0700) < 0)
		return err_set(why, "cannot make folder '%.200s': %s", g->work, str_error(errno));
	if (program_find(c->argv.at[0], path, sizeof path, why) < 0 || program_check(path, why) < 0 || program_check_full(c->object ? c->object : path, why) < 0)
		return -1;
	if (!realpath(path, g->program))
		return err_set(why, "cannot find '%.200s': %s", path, str_error(errno));
	if (open_schedule(g, c, why) < 0 || places_open(&g->places, c->object ? c->object : g->program, why) < 0 || make_room(g->room, c, g, "golden", why) < 0 || run_golden(g, c, g->room, &told, why) < 0 ||
		run_open(&g->trace, &g->canon, g, g->room, RUN_GOLDEN, why) < 0 || counts_take(&g->counts, g->trace, why) < 0)
		return -1;
	g->exit = told.exit;
	g->limit_steps = 20 * told.steered.steps + 10000;
	g->limit_ms = c->limit_ms ? c->limit_ms : 20 * told.ms + 500;
	if (golden_check(g, c, why) < 0 || golden_digest(g, c, g->digest, why) < 0)
		return -1;
	for (int i = 1; i < GOLDEN_RUNS; i++)
		if (hold_against(g, c, why) < 0)
			return -1;
	take_quick(g, c);
	g->fates = fates_new(c->object ? c->object : g->program);
	return 0;
}

void golden_run_release(struct golden_run *g)
{
	fates_free(g->fates);
	if (g->schedule)
		schedule_release(g->schedule);
	mem_free(g->schedule);
	quick_free(g->quick);
	counts_release(&g->counts);
	canon_release(&g->canon);
	trace_close(g->trace);
	places_close(&g->places);
	book_close(&g->book);
	remove_room(g->work);
}

static void keep_trace(const char *room, const char *folder, const char *keep)
{
	char from[8192], to[8192];
	snprintf(from, sizeof from, "%s/%s", room, TRACE_FILE);
	snprintf(to, sizeof to, "%s%s%s", *keep == '/' ? "" : folder, *keep == '/' ? "" : "/", keep);
	outputs_move(from, to);
}

/* What lies in the room of a run that stands somewhere. */
static int copy_room(char room[4200], const char *from, const struct golden_run *g, const char *name, struct err *why)
{
	snprintf(room, 4200, "%s/%s", g->work, name);
	if (mkdir(room, 0700) == 0)
		return outputs_copy_all(from, room, why);
	room[0] = 0;
	return err_set(why, "cannot make a folder to run in: %s", str_error(errno));
}

/* Its own end counts; that others of its had none is said. */
static void say_left(struct result *r, unsigned left)
{
	size_t length = strlen(r->why);
	if (left && length < sizeof r->why)
		snprintf(r->why + length, sizeof r->why - length, "%sprocesses it had left behind were ended", length ? "; " : "");
}

enum compared { BY_RECORDS, BY_TRACE };         /* while the run goes on (quick.h); afterwards */

/* One run in a room of its own, which is left there.  1, 0 it must be compared from its trace, -1 and why, NOT_PARTED and why. */
static int try_once(const struct judged *j, enum compared by, struct standing *from, char room[4200], struct result *r, struct err *why)
{
	char name[32];
	bool late = false, signalled = false, quick = by == BY_RECORDS;
	unsigned left = 0;
	struct run_steered steered = { 0 };
	struct golden_run *g = j->golden;
	struct fault_order order = *j->order;
	struct judged seen = *j;
	snprintf(name, sizeof name, "%d%s", (int)getpid(), quick ? "" : "-full");
	if ((from ? copy_room(room, from->room, g, name, why) : make_room(room, j->config, g, name, why)) < 0)
		return from ? NOT_PARTED : -1;
	struct run_how how = { .fault = &order, .limit_ms = g->limit_ms + (order.op == FAULT_DELAY ? order.a / 1000000u : 0), .limit_segments = g->limit_segments,
		.late = &late, .signalled = &signalled, .left = &left, .limit_steps = g->limit_steps, .steered = &steered };
	if (from)
		quick_aim(g->quick, j->site->thread, j->fault);
	else if (quick)
		how.sink = quick_begin(g->quick, j->site->thread, j->fault);
	r->exit = from ? run_parted(from, room, &how, why) : run_here(j->config, g, room, &how, why);
	if (r->exit < 0)
		return r->exit;
	if (quick && j->config->schedule && (late || steered.left || (signalled && !quick_saw_die(g->quick, steered.died))))
		return 0;                               /* how a steered run was ended stands in its trace */
	seen.order = &order;
	seen.late = late;
	seen.signalled = signalled;
	seen.deadlock = steered.deadlock;
	seen.left = steered.left;
	seen.room = room;
	int got = quick ? judge_quick(r, &seen) : judge_full(r, &seen, why);
	if (got > 0)
		say_left(r, late ? 0 : left);
	return got;
}

static int try_again(const struct judged *j, enum compared by, char room[4200], struct result *r, struct err *why)
{
	struct result before = *r;
	remove_room(room);
	memset(r, 0, sizeof *r);
	r->latency = r->latency_us = r->after = -1;
	r->parted = before.parted;
	memcpy(r->anew, before.anew, sizeof r->anew);
	return try_once(j, by, NULL, room, r, why);
}

/* Once more, from its trace: that counts, and if it is not the same it is said. */
static int hold_in_full(const struct judged *j, char room[4200], struct result *r, struct err *why)
{
	struct result quick = *r;
	int got = try_again(j, BY_TRACE, room, r, why);
	bool same = quick.outcome == r->outcome && quick.line == r->line && !strcmp(quick.kind, r->kind) && !strcmp(quick.thread, r->thread) &&
		!strcmp(quick.file, r->file);
	if (got > 0 && !same)
		err_set(why, "compared while it ran: %s, %s in %s at line %u", became_words[quick.outcome], quick.kind, quick.thread, quick.line);
	return got;
}

int experiment_aim(struct experiment_target *a, const struct experiment *e, const struct campaign_config *c, struct golden_run *g, struct err *why)
{
	const struct fault_place *place = NULL;
	if (fault_parse(&a->fault, e->fault, why) == 0 && fault_site_parse(&a->site, e->site, why) == 0)
		place = fault_aim(&a->fault, &g->places, &a->site, &a->order, why);
	if (!place)
		return -1;
	a->place = fault_really_at(&a->fault, &g->places, place);
	a->entry = judge_fault_at(&(struct judged){ .config = c, .golden = g, .site = &a->site, .order = &a->order, .place = a->place });
	return 0;
}

static int try_from(const struct judged *j, struct standing *from, char room[4200], struct result *r, struct err *why)
{
	int got = try_once(j, BY_RECORDS, from, room, r, why);
	r->parted = from && got != NOT_PARTED;
	if (got != NOT_PARTED)
		return got;
	from->lost = true;
	snprintf(r->anew, sizeof r->anew, "%.119s", why->text);
	*why = (struct err){ .text = "" };
	return try_again(j, BY_RECORDS, room, r, why);
}

/* from: where a run stands, or NULL. */
static void try(const struct experiment *e, const struct campaign_config *c, struct golden_run *g, struct standing *from, const char *keep, bool in_full, struct result *r)
{
	struct err why = { .text = "" };
	struct experiment_target a;
	char room[4200] = "";
	uint64_t begin = clock_ms();
	memset(r, 0, sizeof *r);
	r->latency = r->latency_us = r->after = -1;
	int got = experiment_aim(&a, e, c, g, &why);
	struct judged j = { .config = c, .golden = g, .site = &a.site, .order = &a.order, .place = a.place, .fault = a.entry };
	if (got == 0 && g->quick && !keep && !in_full && !fault_asks_otherwise(&a.fault))
		got = try_from(&j, from, room, r, &why);
	r->quick = got > 0;
	if (got == 0) {
		if (r->parted)
			snprintf(r->anew, sizeof r->anew, "it is compared from its trace");
		r->parted = false;
		got = try_again(&j, BY_TRACE, room, r, &why);
	}
	if (r->quick && e->id % CHECKED == 0)
		got = hold_in_full(&j, room, r, &why);
	r->failed = got < 0;
	r->ms = clock_ms() - begin;
	if (!*r->why || r->failed || *why.text)
		snprintf(r->why, sizeof r->why, "%s", why.text);
	if (keep && !r->failed)
		keep_trace(room, g->folder, keep);
	remove_room(room);
}

void experiment_try(const struct experiment *e, const struct campaign_config *c, struct golden_run *g, const char *keep, bool in_full, struct result *r)
{
	try(e, c, g, NULL, keep, in_full, r);
}

void experiment_part(const struct experiment *e, const struct campaign_config *c, struct golden_run *g, struct standing *from, struct result *r)
{
	try(e, c, g, from, NULL, false, r);
}
