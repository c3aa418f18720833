/* drive/record.c -- runs a program with a ring to write into, and drains it until the program is gone.
 * The program is our child and otherwise left alone: same terminal, same group, its own signals. */
#include "drive/record.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/str.h"
#include "drive/drain.h"
#include "drive/late.h"
#include "drive/leftover.h"
#include "drive/object.h"
#include "drive/offspring.h"
#include "drive/program.h"
#include "drive/ring.h"
#include "drive/salvage.h"
#include "drive/stuck.h"
#include "trace/format.h"

#define STREAM_RING    (8ull << 20)          /* small: what goes through it stays in the cache; */
#define STREAM_LEAST   (1ull << 20)          /* smaller still where the file may not take even that */
#define DEFAULT_LIMIT  (4ull << 30)
#define NAP_NS         20000000              /* between two looks at the ring when nobody calls */

static pid_t child;

static uint64_t size_limit(const struct record_options *o)
{
	struct statvfs disk;
	char folder[4096];
	if (o->max_size)
		return o->max_size;
	file_folder(o->output, folder, sizeof folder);
	if (statvfs(folder, &disk) < 0)
		return DEFAULT_LIMIT;
	uint64_t quarter = (uint64_t)disk.f_bavail * disk.f_frsize / 4;
	return quarter < DEFAULT_LIMIT ? quarter : DEFAULT_LIMIT;
}

/* The ring is written at the end too, and never takes more than its own size. */
static uint64_t ring_size(const struct record_options *o, uint64_t limit)
{
	if (o->last)
		return o->last;
	return limit / 2 > STREAM_RING ? STREAM_RING : limit / 2 < STREAM_LEAST ? STREAM_LEAST : limit / 2;
}

/* Starts the program; its pid, or -1 and why when exec failed. */
static pid_t start(const struct record_options *o, const char *path, const struct ring *r, struct err *why)
{
	char where[64];
	snprintf(where, sizeof where, o->fixed ? "%04d:%010d:%d" : "%d:%d:%d", r->fd, (int)r->head->recorder, (int)o->level);
	setenv(RING_ENV, where, 1);
	struct program_start how = { .path = path, .argv = o->argv, .environment = environ, .output = o->program_output,
		.input = o->program_input, .bound = o->limit_ms != 0, .fixed_addresses = o->fixed, .own_group = o->apart, .apart = o->apart };
	return program_start(&how, NULL, why);
}

/* ---------------------------------------------------------------- while it runs */

struct session {
	struct ring ring;
	struct leftover leftover;                /* of which the ring is a part, if `made` */
	struct drain *drain;
	int status;                              /* of the program itself */
	bool ended, told_waits;
	bool apart;                              /* in a group of its own */
	uint64_t ended_at;                       /* CLOCK_MONOTONIC, ns */
	struct late limit;
	uint64_t most;                           /* segments; 0 no limit */
	bool late, idle;                         /* it was ended; though nobody in it ran */
	bool alone;                              /* no process of the program is left, orphans included */
	struct offspring offspring;
	unsigned left;                           /* processes it left behind, which were ended */
	double cpu;                              /* seconds of all that were waited for */
};

static void nap(struct session *s)
{
	struct ring_head *h = s->ring.head;
	struct timespec time = { .tv_nsec = NAP_NS };
	uint32_t seen = __atomic_load_n(&h->full_futex, __ATOMIC_SEQ_CST);
	__atomic_store_n(&h->drainer_sleeps, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&h->full_futex, __ATOMIC_SEQ_CST) == seen)
		syscall(SYS_futex, &h->full_futex, FUTEX_WAIT, seen, &time, NULL, 0);
	__atomic_store_n(&h->drainer_sleeps, 0, __ATOMIC_SEQ_CST);
}

static bool was_killed(int status)
{
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

/* It had come to an end of its own already when it was found late, and was not yet gone: its memory was written down, perhaps. */
static void take_back_late(struct session *s)
{
	if (s->idle)
		stuck_forget(&s->ring);
	s->late = s->idle = false;
}

static double seconds_of(const struct rusage *used)
{
	return (double)used->ru_utime.tv_sec + (double)used->ru_stime.tv_sec +
		((double)used->ru_utime.tv_usec + (double)used->ru_stime.tv_usec) * 1e-6;
}

/* Collects the dead: our child, and its orphans, which come to us. */
static void reap(struct session *s)
{
	int status;
	struct rusage usage;
	pid_t pid;
	while ((pid = wait4(-1, &status, WNOHANG, &usage)) > 0) {
		if (pid == child && s->late && !was_killed(status))
			take_back_late(s);
		else if (s->late && !s->idle)
			stuck_forget(&s->ring);
		drain_process_ended(s->drain, pid, status);
		s->cpu += seconds_of(&usage);
		if (pid != child)
			continue;
		s->status = status;
		s->ended = true;
		s->ended_at = clock_ns();
		late_without(&s->limit);
	}
	if (pid < 0 && errno == ECHILD)
		s->ended = s->alone = true;
}

static void tell_waits(struct session *s)
{
	if (!program_interrupted() || s->told_waits)
		return;
	s->told_waits = true;
	drain_print_waits(s->drain);
}

static bool is_late(struct session *s)
{
	pid_list all = { 0 };
	if (!late_is_time(&s->limit))
		return false;
	offspring_list(&s->offspring, &all);
	bool late = late_is(&s->limit, &all);
	vec_release(&all);
	return late;
}

static void end_if_late(struct session *s)
{
	bool endless = s->most && drain_segments(s->drain) > s->most;
	if (!s->ended && s->apart && program_interrupted())     /* the terminal does not reach it */
		kill(child, SIGKILL);
	if (s->ended || s->late || (!endless && !is_late(s)))
		return;
	s->late = true;
	s->idle = !endless && s->limit.idle;
	if (s->idle)
		stuck_mark(&s->ring, child);
	kill(child, SIGKILL);
}

static void has_ended(void *with, pid_t pid, int status)
{
	struct session *s = with;
	drain_process_ended(s->drain, pid, status);
}

static bool is_alone(const struct session *s)
{
	pid_list all = { 0 };
	offspring_list(&s->offspring, &all);
	bool alone = !all.count;
	vec_release(&all);
	return alone;
}

/* With a limit nobody outlives the run: those a late program has made end with it; those one left behind that ended itself, too, unless they are recorded and still do something. */
static void end_left_behind(struct session *s)
{
	bool endless = s->most && drain_segments(s->drain) > s->most, asked = program_interrupted() || program_forwarded();
	if (!s->limit.limit_ns || !s->ended || s->alone)
		return;
	if (!is_alone(s)) {
		if (!s->late && !endless && !asked && drain_any_open(s->drain) && !is_late(s))
			return;
		unsigned count = offspring_end(&s->offspring, has_ended, s);
		s->left += s->late ? 0 : count;
	}
	s->alone = true;
	drain_collect_gone(s->drain, true);
}

static void attend(struct session *s, bool quiet)
{
	bool said = quiet || s->limit.limit_ns;
	for (;;) {
		unsigned written = drain_step(s->drain);
		tell_waits(s);
		end_if_late(s);
		reap(s);
		if (!written || s->ended)
			drain_collect_gone(s->drain, s->alone);
		end_left_behind(s);
		if (s->ended && (s->limit.limit_ns ? s->alone : !drain_any_open(s->drain)))
			return;
		if (s->ended && (program_interrupted() || program_forwarded()))
			return;
		if (s->ended && !said && (said = true))
			fprintf(stderr, "raddle: the program has ended but left processes behind, which are still recorded; "
				"Ctrl-C ends the recording\n");
		if (!written || (written < s->ring.ordinary / 2 && !ring_has_waiters(&s->ring)))
			nap(s);                  /* rare long looks disturb a busy program less than many short ones */
	}
}

/* ---------------------------------------------------------------- what it came to */

/* CPU of program and recorder over that of the program without what writing its events took.  That was not measured and is known
 * within bounds alone: nothing at all, or for each event what one of a contended lock takes.  0: these are too far apart, or it was too short. */
static double slow_down(const struct session *s, const struct drain_totals *t)
{
	struct rusage own = { 0 };
	double without = s->cpu - t->happened * 100e-9;
	if (s->left || without < 0.1 || s->cpu > 1.2 * without)
		return 0;
	getrusage(RUSAGE_SELF, &own);
	return (s->cpu + seconds_of(&own)) / ((s->cpu + without) / 2);
}

static void say_summary(const struct record_options *o, const struct session *s, const struct drain_totals *t)
{
	char events[STR_NUMBER], bytes[STR_NUMBER];
	double slowed = slow_down(s, t);
	fprintf(stderr, "raddle: recorded %s events of %u thread%s in '%s'%s (%s)", str_grouped(events, t->events),
		t->threads, t->threads == 1 ? "" : "s", o->output, t->files > 1 ? " and others" : "", str_bytes(bytes, t->bytes));
	if (slowed > 0)
		fprintf(stderr, ", slowed down about %.1fx", slowed);
	if (t->lost)
		fprintf(stderr, "; lost %s", str_grouped(events, t->lost));
	if (t->stopped)
		fprintf(stderr, "; stopped early");
	if (t->no_room)
		fprintf(stderr, "; no room for %u threads, processes or objects", t->no_room);
	fprintf(stderr, "; not seen: %s\n", t->unseen[0] ? t->unseen : "libc only");
}

static void summary_as_json(const struct record_options *o, const struct session *s, const struct drain_totals *t)
{
	struct json j;
	double slowed = slow_down(s, t);
	json_summary(&j, stdout);
	json_put_text(&j, "trace", o->output);
	json_put_number(&j, "events", t->events);
	json_put_number(&j, "bytes", t->bytes);
	json_put_number(&j, "threads", t->threads);
	json_put_number(&j, "files", t->files);
	json_put_number(&j, "lost", t->lost);
	json_put_number(&j, "no_room", t->no_room);
	json_key(&j, "slow_down");
	if (slowed > 0)
		json_real(&j, slowed);
	else
		json_text(&j, NULL);
	json_put_bool(&j, "complete", !t->stopped && !t->turned);
	json_put_text(&j, "not_seen", t->unseen);
	json_summary_end(&j);
}

static int nothing_recorded(const struct record_options *o, const char *path, int status, struct err *why)
{
	struct stat facts;
	struct err ignored;
	if (WIFSIGNALED(status) && object_build(path, &ignored) == OBJECT_RADDLE) {
		err_set(why, "'%s' was ended by signal %d (%s) before raddle's runtime began: nothing was recorded, and there is no trace", o->argv[0],
			WTERMSIG(status), strsignal(WTERMSIG(status)));
	} else if (stat(path, &facts) == 0 && facts.st_mode & (S_ISUID | S_ISGID)) {
		err_set(why, "nothing was recorded: '%s' has other rights than who runs it (setuid or setgid)", o->argv[0]);
		err_hint(why, "record a copy of it without that bit, as its owner");
	} else {
		return program_none_started(o->argv[0], path, why);
	}
	why->code = 3;
	return -1;
}

/* In a file, if killing all of us is to lose nothing; else, and where there cannot be one, in memory. */
static int make_ring(const struct record_options *o, struct session *s, uint64_t limit, struct err *why)
{
	struct leftover_ring how = { o->last ? RING_LAST : RING_STREAM, o->level, ring_size(o, limit), o->no_values };
	if (o->outlives && leftover_make(&s->leftover, &s->ring, o->output, &how, o->argv, why) == 0)
		return 0;
	if (o->outlives)
		fprintf(stderr, "raddle: if raddle is killed this recording cannot be salvaged: '%s': %s\n", s->leftover.path, why->text);
	return ring_make(&s->ring, how.mode, o->level, how.bytes, o->no_values, why);
}

static void release(struct session *s)
{
	leftover_remove(&s->leftover);
	offspring_release(&s->offspring);
	ring_release(&s->ring);
}

/* What an earlier recording of this name left, which was killed, comes first: it is kept as .old then. */
static int salvage_earlier(const struct record_options *o, struct err *why)
{
	struct salvaged got;
	char events[STR_NUMBER];
	if (!o->outlives || !salvage_is_there(o->output))
		return 0;
	if (salvage(o->output, &got, why) < 0)
		return -1;
	if (got.recordings)
		fprintf(stderr, "raddle: an earlier recording into '%s' was killed; its %s events are salvaged, in '%s.old'\n", o->output,
			str_grouped(events, got.events), o->output);
	return 0;
}

int record_run(const struct record_options *o, struct err *why)
{
	struct session s = { .most = o->limit_segments, .apart = o->apart };
	struct drain_totals totals;
	struct program_signals signals;
	char path[4096];
	bool plain;
	if (program_find(o->argv[0], path, sizeof path, why) < 0 || program_check_starter(path, &plain, why) < 0 ||
		(o->full && program_check_full(path, why) < 0) || (!o->sink && program_check_output(o->output, why) < 0))
		return -1;
	uint64_t limit = o->sink ? UINT64_MAX : size_limit(o);
	if (salvage_earlier(o, why) < 0 || make_ring(o, &s, limit, why) < 0)
		return -1;
	struct fault_order *fault = ring_fault(&s.ring);
	if (o->fault)
		*fault = *o->fault;
	offspring_begin(&s.offspring);
	late_begin(&s.limit, o->limit_ms);
	program_signals_take(&signals);
	if (plain && !o->quiet)
		fprintf(stderr, "raddle: '%s' was not built with raddle; programs it starts that were are recorded\n", o->argv[0]);
	struct drain_setup setup = { .ring = &s.ring, .output = o->output, .argv = o->argv, .level = o->level,
		.max_size = limit, .sink = o->sink, .leftover = s.leftover.made ? &s.leftover : NULL,
		.trace_flags = (o->last ? TRACE_LAST : 0) | (o->no_values ? TRACE_NO_VALUES : 0) };
	s.drain = drain_new(&setup);
	child = start(o, path, &s.ring, why);
	program_signals_for(child);
	if (child < 0) {
		drain_finish(s.drain, &totals);
		release(&s);
		return -1;
	}
	attend(&s, o->quiet);
	bool any = drain_saw_any(s.drain);
	drain_finish(s.drain, &totals);
	if (o->fault) {
		*o->fault = *fault;
		o->fault->ended = s.ended_at;
	}
	if (o->late)
		*o->late = s.late;
	if (o->left)
		*o->left = s.left;
	if (o->signalled)
		*o->signalled = WIFSIGNALED(s.status);
	release(&s);
	if (!any)
		return nothing_recorded(o, path, s.status, why);
	if (!o->quiet)
		say_summary(o, &s, &totals);
	if (o->json)
		summary_as_json(o, &s, &totals);
	return program_exit_code(s.status);
}
