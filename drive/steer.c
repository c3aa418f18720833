/* drive/steer.c -- runs a program once under rt/'s scheduler.
 *
 * Two memories are shared with it: the one of wire/steer.h (orders, decisions, end) and the ring (thread areas, modules, and the
 * records if a trace is wanted).  Offsets are ours and never read back; all that is read was written by a program that may
 * have scribbled over it: each number is held against its limit, each text gets its end.  What came of it: steer_result.c. */
#include "drive/steer.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/str.h"
#include "drive/drain.h"
#include "drive/guardian.h"
#include "drive/object.h"
#include "drive/offspring.h"
#include "drive/program.h"
#include "drive/ring.h"
#include "drive/stdin.h"
#include "drive/steer_inside.h"
#include "trace/format.h"
#include "wire/tls.h"

#define TRACE_LIMIT     (4ull << 30)
#define DRAIN_NAP_MS    2

/* ---------------------------------------------------------------- the run */

struct session {
	const struct steer_options *o;
	struct shared shared;
	struct ring ring;
	struct drain *drain;                    /* NULL: no trace */
	pid_t child;
	int handle;                             /* pidfd, or -1 */
	sigset_t open_mask;
	double started;
	bool ended, timed_out, too_large;
	unsigned left;                          /* behind by the program when it ended; ended */
	bool came;                      /* the program to its first event: its time counts from there */
	int status;
	struct offspring offspring;             /* with a limit of time nobody outlives the run */
	int steered_status;                     /* of the process that was steered: usually the child, else one it made */
};

/* The debugger's words, then the program's. */
static char **debugger_words(const struct steer_options *o, const char *path)
{
	VEC(char *) words = { 0 };
	for (int i = 0; o->debugger[i]; i++)
		vec_push(&words, o->debugger[i]);
	vec_push(&words, strchr(o->argv[0], '/') && !o->path ? o->argv[0] : (char *)path);
	for (int i = 1; o->argv[i]; i++)
		vec_push(&words, o->argv[i]);
	vec_push(&words, NULL);
	return words.at;
}

static int start(struct session *s, const char *path, bool *fixed, struct err *why)
{
	char debugger[4096], **words = s->o->debugger ? debugger_words(s->o, path) : NULL;
	struct program_start how = { .path = path, .argv = words ? words : s->o->argv, .fixed_addresses = !s->o->random_addresses, .output = s->o->output,
		.apart = s->o->apart };
	int result = 0;
	if (words) {
		result = program_find(words[0], debugger, sizeof debugger, why);
		how.path = debugger;
	}
	if (s->o->apart)
		how.input = stdin_again();
	s->child = result < 0 ? -1 : memories_start(&s->ring, &s->shared, words ? NULL : s->o->schedule, &how, fixed, why);
	if (how.input > 0)
		close(how.input);
	mem_free(words);
	return s->child < 0 ? -1 : 0;
}

static void reap(struct session *s, int flags)
{
	int status;
	pid_t pid;
	while ((pid = waitpid(s->drain ? -1 : s->child, &status, flags | WUNTRACED)) > 0) {
		if (pid == s->child && WIFSTOPPED(status) && (program_has_terminal() || !s->o->max_seconds)) {
			program_terminal_back();
			guardian_stop();                         /* Ctrl-Z stops us both, fg wakes us both */
			program_terminal_again(s->child);
			kill(-s->child, SIGCONT);
			continue;
		}
		if (WIFSTOPPED(status))
			continue;                       /* it stopped itself, and nobody is there to continue it: its time will be over */
		if (pid == s->shared.head->pid)
			s->steered_status = status;     /* its areas are still needed: see result_take() */
		else if (s->drain)
			drain_process_ended(s->drain, pid, status);
		if (pid != s->child)
			continue;
		s->status = status;
		s->ended = true;
		if (!s->drain)
			return;
	}
}

/* Until the child ends, a signal for us comes, or it is time to look again. */
static void nap(const struct session *s, bool drained)
{
	struct pollfd fd = { .fd = s->handle, .events = POLLIN };
	long ms = s->handle < 0 ? 1 : drained ? DRAIN_NAP_MS : s->o->max_seconds || s->o->most_memory ? 50 : 500;
	struct timespec time = { .tv_sec = 0, .tv_nsec = ms * 1000000 };
	ppoll(&fd, s->handle >= 0, &time, &s->open_mask);
}

/* How long a busy machine takes to start the program is not its affair. */
static bool is_over_time(struct session *s)
{
	unsigned limit = s->o->max_seconds;
	if (!s->came && __atomic_load_n(&s->shared.head->pid, __ATOMIC_RELAXED)) {
		s->came = true;
		s->started = clock_seconds();
	}
	return limit && clock_seconds() - s->started > (s->came || limit > START_SECONDS ? limit : START_SECONDS);
}

/* Bytes of memory a process has; 0: it is gone. */
static uint64_t memory_of(pid_t pid)
{
	char path[32];
	unsigned long long all, here = 0;
	snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
	FILE *f = fopen(path, "re");
	if (!f)
		return 0;
	if (fscanf(f, "%llu %llu", &all, &here) != 2)
		here = 0;
	fclose(f);
	return here * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void attend(struct session *s)
{
	bool killed = false;
	for (;;) {
		unsigned written = s->drain ? drain_step(s->drain) : s->o->races ? race_watch_step(s->o->races) :
			s->o->records ? records_step(s->o->records) : 0;
		reap(s, WNOHANG);
		if (s->ended)
			return;
		s->timed_out = s->timed_out || is_over_time(s);
		s->too_large = s->too_large || (s->o->most_memory && memory_of(s->child) > s->o->most_memory);
		if (!killed && (s->timed_out || s->too_large || program_interrupted() || program_forwarded())) {
			kill(-s->child, SIGKILL);
			killed = true;
		}
		if (!written)
			nap(s, s->drain || s->o->races || s->o->records);
	}
}

static void has_ended(void *with, pid_t pid, int status)
{
	struct session *s = with;
	if (pid == s->shared.head->pid)
		s->steered_status = status;
	else if (s->drain)
		drain_process_ended(s->drain, pid, status);
}

/* What it was asked to do is done: those it left behind end with it. */
static void end_left_behind(struct session *s)
{
	unsigned count = offspring_end(&s->offspring, has_ended, s);
	s->left = s->timed_out || s->too_large ? 0 : count;
}

static void wait_for_it(struct session *s)
{
	program_signals_block(&s->open_mask);
	s->handle = (int)syscall(SYS_pidfd_open, s->child, 0);
	attend(s);
	if (s->handle >= 0)
		close(s->handle);
	if (s->o->max_seconds)
		end_left_behind(s);
	sigprocmask(SIG_SETMASK, &s->open_mask, NULL);
}

static void open_trace(struct session *s, bool fixed)
{
	struct drain_setup setup = { .ring = &s->ring, .output = s->o->save_trace, .argv = s->o->argv, .level = MODE_STEER,
		.max_size = s->o->sink ? UINT64_MAX : TRACE_LIMIT, .sink = s->o->sink, .order = ORDER_TOTAL, .model = s->o->model, .heap = s->o->heap, .moves = !fixed };
	if (s->o->races)
		race_watch_begin(s->o->races, &s->ring);
	if (s->o->records)
		records_begin(s->o->records, &s->ring);
	if (!s->o->save_trace && !s->o->sink)
		return;
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	s->drain = drain_new(&setup);
}

static int prepare(struct session *s, char *path, size_t room, struct err *why)
{
	const struct steer_options *o = s->o;
	if (program_find(o->path ? o->path : o->argv[0], path, room, why) < 0 || program_check(path, why) < 0 ||
		(o->save_trace && program_check_output(o->save_trace, why) < 0))
		return -1;
	bool keeps = o->save_trace || o->sink || o->races || o->records;
	return memories_make(&s->ring, &s->shared, o, keeps, (keeps ? KEEP_RECORDS : 0) | (o->races ? KEEP_FRAMES : 0), why);
}

static int not_steered(const struct steer_options *o, const char *path, struct err *why)
{
	if (object_build(path, why) == OBJECT_RADDLE) {
		err_set(why, "nothing was steered: '%s' ended before its first event", o->argv[0]);
		err_hint(why, "does it run alone?  If it does it may be of another version of raddle: build it again with CC=raddle-cc (CXX=raddle-c++)");
	} else {
		return program_none_started(o->argv[0], path, why);
	}
	why->code = 3;
	return -1;
}

int steer_run(const struct steer_options *o, struct steer_result *out, struct err *why)
{
	struct session s = { .o = o };
	struct program_signals signals;
	struct drain_totals totals;
	char path[4096];
	memset(out, 0, sizeof *out);
	schedule_init(&out->log);
	if (prepare(&s, path, sizeof path, why) < 0) {
		steer_result_release(out);
		return -1;
	}
	if (o->max_seconds)
		offspring_begin(&s.offspring);
	program_signals_take(&signals);
	s.started = clock_seconds();
	uint64_t ended = 0;
	int result = start(&s, path, &out->fixed_addresses, why);
	if (result == 0) {
		open_trace(&s, out->fixed_addresses);
		wait_for_it(&s);
		ended = clock_ns();
		program_terminal_back();
		out->status = s.status;
		out->left = s.left;
		out->interrupted = !s.timed_out && (program_interrupted() || program_forwarded());
		result = result_take(out, &s.shared, &s.ring, s.child, why);
		if (s.drain) {
			drain_was_ended(s.drain, s.shared.head->outcome);
			drain_process_ended(s.drain, s.shared.head->pid, s.steered_status);
			drain_finish(s.drain, &totals);
		}
		if (o->records)
			records_end(o->records);
		if (result == 0 && o->races)
			result = race_watch_end(o->races, o->save_trace, &out->races, why);
		if (result == 0 && s.timed_out)
			steer_result_is_late(out, o->max_seconds);
		if (result == 0 && s.too_large)
			snprintf(out->text, sizeof out->text, MEMORY_TEXT, (unsigned long long)(o->most_memory >> 20));
		if (result == 0 && out->outcome != OUTCOME_EXIT)
			kill(-s.child, SIGKILL);
		if (result > 0)
			result = not_steered(o, path, why);
	}
	program_signals_leave(&signals);
	offspring_release(&s.offspring);
	if (o->fault) {
		*o->fault = *ring_fault(&s.ring);
		o->fault->ended = ended;
	}
	memories_release(&s.ring, &s.shared);
	if (result < 0)
		steer_result_release(out);
	return result;
}
