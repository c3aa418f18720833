/* analyses/epa/experiment.c -- runs a program in a folder of its own, without a fault or with one, and says what came of it.
 * Whatever is changed for the program's sake (folder, standard input and output) is this process's own affair: each run is made in a process of its own. */
#include "analyses/epa/experiment.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "analyses/epa/diff.h"
#include "analyses/epa/outputs.h"
#include "base/str.h"
#include "drive/program.h"
#include "drive/record.h"
#include "trace/sites.h"

#define GOLDEN_RUNS   3
#define GOLDEN_LIMIT  600000u           /* ms */
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
	if (chdir(room) < 0 || redirect(OUTPUT_STDOUT, 1, O_WRONLY | O_CREAT | O_TRUNC) < 0 || redirect(OUTPUT_STDERR, 2, O_WRONLY | O_CREAT | O_TRUNC) < 0)
		return err_set(why, "cannot use '%.200s': %s", room, str_error(errno));
	return 0;
}

static uint64_t now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000u + (uint64_t)t.tv_nsec / 1000000u;
}

/* In this process, which is there for it alone. */
static int run_here(const struct campaign_config *c, const struct golden_run *g, const char *room, struct fault_order *fault, uint64_t limit_ms, bool *late,
	struct err *why)
{
	char *argv[1024];
	size_t count = 0;
	for (; c->argv.at[count] && count < 1023; count++)
		argv[count] = c->argv.at[count];
	argv[count] = NULL;
	argv[0] = (char *)g->program;
	if (enter(c, g, room, why) < 0)
		return -1;
	struct record_options record = { .output = TRACE_FILE, .level = MODE_ACCESS, .argv = argv, .full = true, .quiet = true, .fault = fault,
		.limit_ms = limit_ms, .late = late };
	return record_run(&record, why);
}

/* ---- the golden run ---- */

struct told { int exit; uint64_t ms; bool late; struct err why; };

static int run_golden(struct golden_run *g, const struct campaign_config *c, const char *room, struct told *told, struct err *why)
{
	int tell[2];
	if (pipe2(tell, O_CLOEXEC) < 0)
		return err_set(why, "cannot make a pipe: %s", str_error(errno));
	pid_t pid = fork();
	if (pid == 0) {
		struct told mine = { 0 };
		uint64_t begin = now_ms();
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		mine.exit = run_here(c, g, room, NULL, c->limit_ms ? c->limit_ms : GOLDEN_LIMIT, &mine.late, &mine.why);
		mine.ms = now_ms() - begin;
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

static int open_run(struct trace **t, struct canon *canon, struct names_book *book, const char *room, struct err *why)
{
	char path[8192];
	snprintf(path, sizeof path, "%s/%s", room, TRACE_FILE);
	if (trace_open(t, path, &(struct trace_options){ 0 }, why) < 0)
		return -1;
	if (canon_make(canon, *t, book, why) == 0)
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
	if (got == 0 && (got = open_run(&t, &canon, &g->book, room, why)) == 0) {
		diff_make(&d, &g->canon, &canon);
		if (d.deviating || told.exit != g->exit || !outputs_same(c, g->room, room)) {
			got = err_set(why, "two runs of '%.200s' without a fault differ", c->argv.at[0]);
			err_hint(why, "'raddle record' it twice and 'raddle diff' the traces; only what runs the same each time can be judged");
			why->code = 3;
		}
		diff_release(&d);
		canon_release(&canon);
		trace_close(t);
	}
	remove_room(room);
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
	if (program_find(c->argv.at[0], path, sizeof path, why) < 0 || program_check(path, why) < 0 || program_check_full(path, why) < 0)
		return -1;
	if (!realpath(path, g->program))
		return err_set(why, "cannot find '%.200s': %s", path, str_error(errno));
	if (places_open(&g->places, g->program, why) < 0 || make_room(g->room, c, g, "golden", why) < 0 || run_golden(g, c, g->room, &told, why) < 0 ||
		open_run(&g->trace, &g->canon, &g->book, g->room, why) < 0 || counts_take(&g->counts, g->trace, why) < 0)
		return -1;
	g->exit = told.exit;
	g->limit_ms = c->limit_ms ? c->limit_ms : 20 * told.ms + 2000;
	for (int i = 1; i < GOLDEN_RUNS; i++)
		if (hold_against(g, c, why) < 0)
			return -1;
	return 0;
}

void golden_run_release(struct golden_run *g)
{
	counts_release(&g->counts);
	canon_release(&g->canon);
	trace_close(g->trace);
	places_close(&g->places);
	book_close(&g->book);
	remove_room(g->work);
}

/* ---- what a fault did ---- */

static unsigned event_kind_at(const struct fault_place *s)
{
	static const uint8_t kinds[] = { EV_READ, EV_WRITE, EV_RESULT, EV_ARGUMENT, EV_CALL, EV_BRANCH };
	return kinds[s->kind];
}

/* Is this place of the book the site? */
static bool is_site(const struct names_book *b, uint32_t place, const struct fault_place *s)
{
	char own[32];
	uint32_t ordinal = s->kind == PLACE_RESULT || s->kind == PLACE_ARGUMENT ? s->ordinal + RESULT_ORDINAL : s->ordinal;
	snprintf(own, sizeof own, "%llx ", (unsigned long long)site_identity(s->unit, s->linkage, ordinal));
	return str_starts(book_say(b, b->place.at[place].own), own);
}

/* Where in the thread the fault was: the entry of its lane, SIZE_MAX not there. */
static size_t fault_at(const struct canon *c, const struct canon_lane *lane, const struct fault_place *s, uint64_t first)
{
	uint8_t *known = mem_take(c->book->place.count + 1);    /* 1 it is, 2 it is not */
	uint64_t wanted = (first - 1) * s->events + s->part - 1;
	size_t found = SIZE_MAX;
	for (size_t i = 0; i < lane->events.count && found == SIZE_MAX; i++) {
		const struct canon_event *e = &lane->events.at[i];
		if (e->kind != event_kind_at(s))
			continue;
		if (!known[e->place])
			known[e->place] = is_site(c->book, e->place, s) ? 1 : 2;
		if (known[e->place] == 1 && wanted-- == 0)
			found = i;
	}
	mem_free(known);
	return found;
}

/* The first deviation of a thread behind the entry where the fault is, which is none itself; its place in both lanes.  false: there is none. */
static bool later_deviation(const struct thread_diff *t, size_t fault, size_t *golden, size_t *other)
{
	for (size_t k = 0; k < t->stretches.count; k++) {
		const struct stretch *s = &t->stretches.at[k];
		size_t from = s->other > fault ? 0 : fault + 1 - s->other;
		if (!s->aligned && s->other + s->other_count <= fault)
			continue;
		for (size_t i = from; s->aligned && i < s->other_count; i++)
			if (memcmp(&t->golden->events.at[s->golden + i], &t->other->events.at[s->other + i], sizeof(struct canon_event))) {
				*golden = s->golden + i;
				*other = s->other + i;
				return true;
			}
		if (!s->aligned) {
			*golden = s->golden;
			*other = s->other > fault ? s->other : fault + 1;
			return true;
		}
	}
	return false;
}

static void note_where(struct result *r, const struct diff *d, const struct thread_diff *t, size_t golden, size_t other)
{
	const struct canon_lane *lane = t->other && other < t->other->events.count ? t->other : t->golden;
	size_t at = lane == t->other ? other : golden;
	snprintf(r->kind, sizeof r->kind, "%s", deviation_words[t->first]);
	snprintf(r->thread, sizeof r->thread, "%s", t->path);
	if (lane && at < lane->events.count) {
		const struct named_place *p = &d->other->book->place.at[lane->events.at[at].place];
		snprintf(r->file, sizeof r->file, "%s", book_say(d->other->book, p->file));
		r->line = p->line;
	}
}

/* What the fault itself put there is no deviation: only what came of it.  false: nothing did. */
static bool note_deviation(struct result *r, const struct diff *d, const char *thread, size_t fault)
{
	const struct thread_diff **sorted = diff_sorted(d);
	bool any = false;
	for (uint32_t i = 0; i < d->deviating; i++) {
		const struct thread_diff *t = sorted[i];
		bool own = !strcmp(t->path, thread) && t->golden && t->other && fault != SIZE_MAX;
		size_t golden = t->at_golden, other = t->at_other;
		if (own && other == fault && !later_deviation(t, fault, &golden, &other))
			continue;
		if (own)
			r->after = other >= fault ? (int64_t)(other - fault) : -2;
		if (!any)
			note_where(r, d, t, golden, other);
		any = true;
		r->threads++;
	}
	mem_free(sorted);
	return any;
}

/* Was this function entered or called behind the fault?  The number of that event, or -1. */
static int64_t called_at(const struct canon *c, const char *function)
{
	int64_t first = -1;
	for (uint32_t i = 0; i < c->lane_count; i++)
		for (size_t k = 0; k < c->lanes[i].events.count; k++) {
			const struct canon_event *e = &c->lanes[i].events.at[k];
			const struct named_place *p = &c->book->place.at[e->place];
			bool is = (e->kind == EV_ENTER && !strcmp(book_say(c->book, p->function), function)) ||
				(e->kind == EV_CALL && !strcmp(book_say(c->book, p->variable), function));
			if (is && (first < 0 || c->lanes[i].order.at[k] < first))
				first = c->lanes[i].order.at[k];
		}
	return first;
}

/* The number of the event by which it was detected, or -1. */
static int64_t detected_at(const struct campaign_config *c, const struct golden_run *g, const struct canon *canon, const struct result *r, const char *room)
{
	int64_t called = c->detect_function && called_at(&g->canon, c->detect_function) < 0 ? called_at(canon, c->detect_function) : -1;
	if (called >= 0)
		return called;
	bool is = (c->detect_exit >= 0 && r->exit == c->detect_exit && g->exit != c->detect_exit) ||
		(c->detect_signal > 0 && r->exit == 128 + c->detect_signal) ||
		(c->detect_stdout && outputs_match(room, OUTPUT_STDOUT, c->detect_stdout) && !outputs_match(g->room, OUTPUT_STDOUT, c->detect_stdout)) ||
		(c->detect_stderr && outputs_match(room, OUTPUT_STDERR, c->detect_stderr) && !outputs_match(g->room, OUTPUT_STDERR, c->detect_stderr));
	return is ? (int64_t)canon->events : -1;
}

static enum became outcome(const struct campaign_config *c, const struct golden_run *g, const struct diff *d, const struct result *r, bool deviates, bool late,
	const char *room)
{
	if (r->latency >= 0)
		return BECAME_DETECTED;
	if (late)
		return d->end == DEV_DEADLOCK ? BECAME_DEADLOCK : BECAME_HANG;
	if (trace_fact(d->other->trace, "signal"))
		return BECAME_CRASH;
	if (r->exit != g->exit || !outputs_same(c, g->room, room))
		return BECAME_SILENT;
	return deviates ? BECAME_LATENT : BECAME_MASKED;
}

static void judge(struct result *r, const struct campaign_config *c, struct golden_run *g, const struct fault_place *real, const struct fault_site *site,
	const struct fault_order *order, bool late, const char *room, struct err *why)
{
	struct trace *t;
	struct canon canon;
	struct diff d;
	if (open_run(&t, &canon, &g->book, room, why) < 0) {
		r->failed = true;
		return;
	}
	diff_make(&d, &g->canon, &canon);
	size_t fault = SIZE_MAX;
	uint64_t moment = 0;
	for (uint32_t i = 0; i < canon.lane_count; i++)
		if (!strcmp(canon.lanes[i].path, site->thread) && (fault = fault_at(&canon, &canon.lanes[i], real, site->first)) != SIZE_MAX)
			moment = canon.lanes[i].order.at[fault];
	bool deviates = note_deviation(r, &d, site->thread, fault);
	int64_t detected = detected_at(c, g, &canon, r, room);
	r->latency = detected >= (int64_t)moment ? detected - (int64_t)moment : detected >= 0 ? 0 : -1;
	r->outcome = !order->made ? BECAME_NOT_ACTIVATED : outcome(c, g, &d, r, deviates, late, room);
	diff_release(&d);
	canon_release(&canon);
	trace_close(t);
}

static void keep_trace(const char *room, const char *folder, const char *keep)
{
	char from[8192], to[8192];
	snprintf(from, sizeof from, "%s/%s", room, TRACE_FILE);
	snprintf(to, sizeof to, "%s%s%s", *keep == '/' ? "" : folder, *keep == '/' ? "" : "/", keep);
	outputs_move(from, to);
}

void experiment_try(const struct experiment *e, const struct campaign_config *c, struct golden_run *g, const char *keep, struct result *r)
{
	struct err why = { .text = "" };
	struct fault fault;
	struct fault_site site;
	struct fault_order order;
	char room[4200] = "";
	bool late = false;
	uint64_t begin = now_ms();
	char name[32];
	snprintf(name, sizeof name, "%d", (int)getpid());
	memset(r, 0, sizeof *r);
	r->latency = r->after = -1;
	const struct fault_place *place = NULL;
	if (fault_parse(&fault, e->fault, &why) == 0 && fault_site_parse(&site, e->site, &why) == 0)
		place = fault_aim(&fault, &g->places, &site, &order, &why);
	if (place && make_room(room, c, g, name, &why) == 0 && (r->exit = run_here(c, g, room, &order, g->limit_ms, &late, &why)) >= 0)
		judge(r, c, g, fault_really_at(&fault, &g->places, place), &site, &order, late, room, &why);
	else
		r->failed = true;
	r->ms = now_ms() - begin;
	snprintf(r->why, sizeof r->why, "%s", why.text);
	if (keep && !r->failed)
		keep_trace(room, g->folder, keep);
	remove_room(room);
}
