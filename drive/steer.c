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
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/str.h"
#include "drive/drain.h"
#include "drive/environment.h"
#include "drive/program.h"
#include "drive/ring.h"
#include "drive/steer_inside.h"
#include "trace/format.h"
#include "wire/tls.h"
#include "wire/version.h"

/* Untouched memory costs nothing, and what is mapped must not depend on the run: other mappings would lie elsewhere. */
#define SCRIPT_ROOM     (8u << 20)              /* steps; a longer script makes the memory larger */
#define LOG_ROOM        (8u << 20)              /* steps */
#define WAYS_ROOM       (16u << 20)
#define EVENTS_ROOM     (16u << 20)
#define STREAM_RING     (32ull << 20)
#define AREAS_RING      (128u << 10)            /* nobody writes records */
#define TRACE_LIMIT     (4ull << 30)
#define DRAIN_NAP_MS    2
#define REALTIME_BASE   1767225600000000000ull  /* virtual time begins with the year 2026, */
#define MONOTONIC_BASE  1000000000000ull        /* 1000 seconds after the machine was started */

static uint64_t strands_at(void) { return 4096; }
static uint64_t script_at(void) { return strands_at() + STEER_STRANDS * sizeof(struct steer_strand); }

/* ---------------------------------------------------------------- orders */

static void put_step(struct steer_step *to, const struct schedule *s, const struct schedule_step *from, const struct steer_options *o)
{
	*to = (struct steer_step){ .what = from->what, .strand = from->thread, .nth = from->nth, .answer = from->answer };
	if (o->unchecked || o->loose)
		return;
	to->kind = from->kind;
	if (from->place.module != NO_PART && !o->other_build)
		to->place = (uint64_t)s->modules.at[from->place.module].index << 48 | (from->place.offset + 1);
}

static void put_script(struct shared *m, const struct steer_options *o)
{
	const struct schedule *s = o->schedule;
	for (size_t i = 0; s && i < s->threads.count; i++)
		snprintf(shared_strand(m, (uint32_t)i)->path, PATH_BYTES, "%s", s->threads.at[i].path);
	m->head->strand_count = s ? (uint32_t)s->threads.count : 0;
	for (size_t i = 0; s && i < s->steps.count; i++)
		put_step(m->script + i, s, &s->steps.at[i], o);
}

static void put_head(struct shared *m, const struct steer_options *o)
{
	struct steer_head *h = m->head;
	h->version = WIRE_STEER_VERSION;
	h->policy = o->policy;
	h->seed = o->seed;
	h->depth = o->depth;
	h->switching = o->switching;
	h->heap = o->heap;
	h->time = o->time;
	h->length = o->length;
	h->max_steps = o->max_steps;
	h->loose = o->loose;
	h->stop_at = o->stop_at;
	h->realtime_base = REALTIME_BASE;
	h->monotonic_base = MONOTONIC_BASE;
	h->input = o->input;
	h->input_fd = o->input_fd;
	h->strands_at = strands_at();
	h->script_at = script_at();
	h->script_count = m->script_count;
	h->log_at = m->log_at;
	h->log_room = LOG_ROOM;
	h->ways_at = m->ways_at;
	h->ways_room = m->ways_room;
	h->events_at = m->events_at;
	h->events_room = m->events_room;
	h->bytes = m->bytes;
	h->magic = STEER_MAGIC;
}

static int shared_make(struct shared *m, const struct steer_options *o, struct err *why)
{
	m->script_count = o->schedule ? o->schedule->steps.count : 0;
	m->log_at = script_at() + (m->script_count > SCRIPT_ROOM ? m->script_count : SCRIPT_ROOM) * sizeof(struct steer_step);
	m->ways_at = m->log_at + (uint64_t)LOG_ROOM * sizeof(struct steer_step);
	m->ways_room = o->ways < WAYS_ROOM ? o->ways : WAYS_ROOM;
	m->events_at = m->ways_at + WAYS_ROOM * sizeof(struct steer_ways);
	m->events_room = o->events < EVENTS_ROOM ? o->events : EVENTS_ROOM;
	m->bytes = m->events_at + EVENTS_ROOM * sizeof(struct steer_event);
	m->fd = memfd_create("raddle-steer", 0);
	if (m->fd < 0 || ftruncate(m->fd, (off_t)m->bytes) < 0)
		return err_set(why, "cannot make memory to steer through: %s", str_error(errno));
	m->fd = ring_move_high(m->fd);
	m->head = mmap(NULL, m->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, m->fd, 0);
	if (m->head == MAP_FAILED) {
		close(m->fd);
		return err_set(why, "cannot map memory to steer through: %s", str_error(errno));
	}
	m->script = (struct steer_step *)((char *)m->head + script_at());
	m->log = (struct steer_step *)((char *)m->head + m->log_at);
	m->log_room = LOG_ROOM;
	put_script(m, o);
	put_head(m, o);
	return 0;
}

static void shared_release(struct shared *m)
{
	munmap(m->head, m->bytes);
	close(m->fd);
}

struct steer_strand *shared_strand(const struct shared *m, uint32_t i)
{
	check(i < STEER_STRANDS);
	return (struct steer_strand *)((char *)m->head + strands_at()) + i;
}

/* ---------------------------------------------------------------- the run */

struct session {
	const struct steer_options *o;
	struct shared shared;
	struct ring ring;
	struct drain *drain;                    /* NULL: no trace */
	pid_t child;
	int handle;                             /* pidfd, or -1 */
	sigset_t open_mask;
	struct timespec started;
	bool ended, timed_out;
	int status;
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

/* The program can read this, so it is the same in every run: no process number of ours.  Only a recording needs that, for
 * programs started by the program; those of a steered one are not followed. */
static int start(struct session *s, const char *path, bool *fixed, struct err *why)
{
	char ring[64], steer[64], debugger[4096];
	char **words = s->o->debugger ? debugger_words(s->o, path) : NULL;
	struct environment_setting more[] = { { RING_ENV, ring }, { STEER_ENV, steer }, { NULL, NULL } };
	snprintf(ring, sizeof ring, "%d:0:%d", s->ring.fd, MODE_STEER);
	snprintf(steer, sizeof steer, "%d", s->shared.fd);
	char **environment = environment_make(words ? NULL : s->o->schedule, more);
	struct program_start how = { .path = path, .argv = words ? words : s->o->argv, .environment = environment, .own_group = true,
		.fixed_addresses = !s->o->random_addresses, .output = s->o->output, .apart = s->o->apart };
	int result = 0;
	if (words) {
		result = program_find(words[0], debugger, sizeof debugger, why);
		how.path = debugger;
	}
	s->child = result < 0 ? -1 : program_start(&how, fixed, why);
	environment_free(environment);
	mem_free(words);
	return s->child < 0 ? -1 : 0;
}

static void reap(struct session *s, int flags)
{
	int status;
	pid_t pid;
	while ((pid = waitpid(s->drain ? -1 : s->child, &status, flags | WUNTRACED)) > 0) {
		if (pid == s->child && WIFSTOPPED(status)) {
			program_terminal_back();
			kill(getpid(), SIGSTOP);                 /* Ctrl-Z stops us both, fg wakes us both */
			program_terminal_again(s->child);
			kill(-s->child, SIGCONT);
			continue;
		}
		if (WIFSTOPPED(status))
			continue;
		if (s->drain)
			drain_process_ended(s->drain, pid, status);
		if (pid != s->child)
			continue;
		s->status = status;
		s->ended = true;
		if (!s->drain)
			return;
	}
}

static double seconds_since(const struct timespec *then)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - then->tv_sec) + (double)(now.tv_nsec - then->tv_nsec) * 1e-9;
}

/* Until the child ends, a signal for us comes, or it is time to look again. */
static void nap(const struct session *s, bool drained)
{
	struct pollfd fd = { .fd = s->handle, .events = POLLIN };
	long ms = s->handle < 0 ? 1 : drained ? DRAIN_NAP_MS : s->o->max_seconds ? 50 : 500;
	struct timespec time = { .tv_sec = 0, .tv_nsec = ms * 1000000 };
	ppoll(&fd, s->handle >= 0, &time, &s->open_mask);
}

static void attend(struct session *s)
{
	bool killed = false;
	for (;;) {
		unsigned written = s->drain ? drain_step(s->drain) : 0;
		reap(s, WNOHANG);
		if (s->ended)
			return;
		s->timed_out = s->timed_out || (s->o->max_seconds && seconds_since(&s->started) > s->o->max_seconds);
		if (!killed && (s->timed_out || program_interrupted() || program_forwarded())) {
			kill(-s->child, SIGKILL);
			killed = true;
		}
		if (!written)
			nap(s, s->drain != NULL);
	}
}

static void wait_for_it(struct session *s)
{
	static const int numbers[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };
	sigset_t ours;
	sigemptyset(&ours);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		sigaddset(&ours, numbers[i]);
	sigprocmask(SIG_BLOCK, &ours, &s->open_mask);            /* they come while we nap, and at no other moment */
	s->handle = (int)syscall(SYS_pidfd_open, s->child, 0);
	attend(s);
	if (s->handle >= 0)
		close(s->handle);
	sigprocmask(SIG_SETMASK, &s->open_mask, NULL);
}

static void open_trace(struct session *s, bool fixed)
{
	struct drain_setup setup = { .ring = &s->ring, .output = s->o->save_trace, .argv = s->o->argv, .level = MODE_STEER,
		.max_size = TRACE_LIMIT, .order = ORDER_TOTAL, .moves = !fixed };
	if (!s->o->save_trace)
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
	if (ring_make(&s->ring, RING_STREAM, MODE_STEER, o->save_trace ? STREAM_RING : AREAS_RING, false, why) < 0)
		return -1;
	s->ring.head->keep = o->save_trace != NULL;
	if (shared_make(&s->shared, o, why) == 0)
		return 0;
	ring_release(&s->ring);
	return -1;
}

static int not_steered(const struct steer_options *o, struct err *why)
{
	err_set(why, "nothing was steered: '%s' started no program built with raddle", o->argv[0]);
	err_hint(why, "build the program it starts with CC=raddle-cc (CXX=raddle-c++)");
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
	program_signals_take(&signals);
	clock_gettime(CLOCK_MONOTONIC, &s.started);
	int result = start(&s, path, &out->fixed_addresses, why);
	if (result == 0) {
		open_trace(&s, out->fixed_addresses);
		wait_for_it(&s);
		program_terminal_back();
		out->status = s.status;
		out->interrupted = !s.timed_out && (program_interrupted() || program_forwarded());
		result = result_take(out, &s.shared, &s.ring, s.child, why);
		if (s.drain)
			drain_finish(s.drain, &totals);
		if (result == 0 && s.timed_out) {
			out->outcome = OUTCOME_LIVELOCK;
			snprintf(out->text, sizeof out->text, "still running after %u second%s", o->max_seconds, o->max_seconds == 1 ? "" : "s");
		}
		if (result == 0 && out->outcome != OUTCOME_EXIT)
			kill(-s.child, SIGKILL);
		if (result > 0)
			result = not_steered(o, why);
	}
	program_signals_leave(&signals);
	shared_release(&s.shared);
	ring_release(&s.ring);
	if (result < 0)
		steer_result_release(out);
	return result;
}
