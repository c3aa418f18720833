/* drive/server.c -- see server.h.  A server has memories of its own, a socket, and memory for the output of its runs.
 *   (1) between runs nobody writes into the shared memories but us: an order is put there, then the server is told;
 *   (2) the server, not we, waits for a run: we know it only by what the server reports of it;
 *   (3) a run that became a checkpoint is a server inside the server: it takes the orders until it is left.  Output of runs made of it
 *       begins with what was written before. */
#include "drive/server.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/str.h"
#include "drive/drain.h"
#include "drive/handed.h"
#include "drive/program.h"
#include "drive/steer_inside.h"
#include "trace/format.h"
#include "wire/serve.h"
#include "wire/tls.h"

#define TRACE_LIMIT (4ull << 30)
#define LEAVING_MS  2000                /* a checkpoint has so long to end */

struct level { int32_t pid; off_t output; };

struct server {
	struct server_setup setup;
	struct shared shared;
	struct ring ring;
	pid_t pid;
	int channel, theirs, output;
	bool fixed_addresses;
	bool stays;                             /* the process of the last run waits for the next order */
	const struct steer_options *order;      /* of the run in progress; NULL: there is none */
	struct drain *drain;                    /* it keeps a trace */
	struct handed *handed;                  /* records of all runs of the order but the last */
	struct serve_report done;
	VEC(struct level) levels;               /* checkpoints, one in the other */
};

/* ---------------------------------------------------------------- start */

static int make_channel(struct server *s, struct err *why)
{
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return err_set(why, "cannot make a socket: %s", str_error(errno));
	s->channel = ends[0];
	s->theirs = ring_move_high(ends[1]);
	s->output = memfd_create("raddle-output", MFD_CLOEXEC);
	if (s->output >= 0)
		return 0;
	close(s->channel);
	close(s->theirs);
	return err_set(why, "cannot make memory for the program's output: %s", str_error(errno));
}

static int start_program(struct server *s, const char *path, struct err *why)
{
	struct program_start how = { .path = path, .argv = s->setup.like->argv, .fixed_addresses = !s->setup.like->random_addresses, .output = s->output,
		.apart = true, .input = s->setup.input };
	s->shared.head->serve = 1;
	s->shared.head->serve_fd = s->theirs;
	s->pid = memories_start(&s->ring, &s->shared, s->setup.like->schedule, &how, &s->fixed_addresses, why);
	close(s->theirs);
	return s->pid < 0 ? -1 : 0;
}

/* The next packet; 0 none within the time, -1 the server is gone. */
static int next_report(struct server *s, struct serve_report *r, int milliseconds)
{
	struct pollfd fd = { .fd = s->channel, .events = POLLIN };
	if (milliseconds && poll(&fd, 1, milliseconds) <= 0)
		return 0;
	ssize_t got = recv(s->channel, r, sizeof *r, MSG_DONTWAIT);
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	return got == sizeof *r ? 1 : -1;
}

/* Until it stands at its first point: 0.  1: it ended, or became another program, or another process of its did. */
static int await_ready(struct server *s)
{
	struct serve_report r;
	double start = clock_seconds();
	unsigned limit = s->setup.like->max_seconds;
	for (;;) {
		int got = next_report(s, &r, 100);
		if (got > 0)
			return r.what == REPORT_READY && r.pid == s->pid ? 0 : 1;
		if (got < 0 || program_interrupted() || program_forwarded() ||
			(limit && clock_seconds() - start > (limit > START_SECONDS ? limit : START_SECONDS)))
			return 1;
	}
}

int server_start(struct server **out, const struct server_setup *setup, struct err *why)
{
	const struct steer_options *o = setup->like;
	struct server *s = mem_take(sizeof *s);
	char path[4096];
	s->setup = *setup;
	s->handed = handed_new(&s->shared, &s->ring);
	*out = NULL;
	if (program_find(o->path ? o->path : o->argv[0], path, sizeof path, why) < 0 || program_check(path, why) < 0 ||
		memories_make(&s->ring, &s->shared, s->setup.like, true, 0, why) < 0) {
		handed_free(s->handed);
		mem_free(s);
		return -1;
	}
	if (make_channel(s, why) < 0) {
		handed_free(s->handed);
		memories_release(&s->ring, &s->shared);
		mem_free(s);
		return -1;
	}
	if (start_program(s, path, why) == 0 && await_ready(s) == 0) {
		*out = s;
		return 0;
	}
	int result = s->pid < 0 ? -1 : 1;
	server_end(s);
	return result;
}

static void wake(struct server *s)
{
	s->stays = false;
	__atomic_fetch_add(&s->shared.head->orders, 1, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &s->shared.head->orders, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* Nobody needs the process of the last run any more.  Ended by itself, it counts among those that were waited for. */
static void end_stayed(struct server *s)
{
	struct serve_report done;
	if (!s->stays)
		return;
	s->shared.head->stays = 0;
	wake(s);
	next_report(s, &done, LEAVING_MS);
}

void server_end(struct server *s)
{
	struct drain_totals totals;
	if (!s)
		return;
	end_stayed(s);
	close(s->channel);
	if (s->pid > 0) {
		kill(-s->pid, SIGKILL);
		kill(s->pid, SIGKILL);
		while (waitpid(s->pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	if (s->drain)
		drain_finish(s->drain, &totals);
	close(s->output);
	handed_free(s->handed);
	memories_release(&s->ring, &s->shared);
	vec_release(&s->levels);
	mem_free(s);
}

/* ---------------------------------------------------------------- runs */

/* To the server, or to the process of the last run if that waits. */
static int say_run(struct server *s)
{
	struct serve_command c = { .word = SERVE_RUN, .most_memory = s->setup.most_memory };
	if (!s->stays)
		return send(s->channel, &c, sizeof c, MSG_NOSIGNAL) == sizeof c ? 0 : -1;
	wake(s);
	return 0;
}

int server_give(struct server *s, const struct steer_options *o)
{
	off_t before = s->levels.count ? s->levels.at[s->levels.count - 1].output : 0;
	check(!s->order && (!s->levels.count || (!o->save_trace && !o->races && !o->records)) && (!s->stays || (o->stays && !o->save_trace)));
	s->order = o;
	if ((lseek(s->output, 0, SEEK_END) != before && ftruncate(s->output, before) < 0) || lseek(s->output, before, SEEK_SET) < 0)
		return -1;
	shared_order(&s->shared, o);
	s->shared.head->serve = 1;
	s->shared.head->serve_fd = s->theirs;
	s->shared.head->pid = 0;
	s->ring.head->keep = (o->save_trace || o->races || o->records || o->trace_of ? KEEP_RECORDS : 0) | (o->races ? KEEP_FRAMES : 0);
	if (o->races)
		race_watch_begin(o->races, &s->ring);
	if (o->records)
		records_begin(o->records, &s->ring);
	if (o->save_trace) {
		struct drain_setup setup = { .ring = &s->ring, .output = o->save_trace, .argv = o->argv, .level = MODE_STEER,
			.max_size = TRACE_LIMIT, .order = ORDER_TOTAL, .model = o->model, .heap = o->heap };
		s->drain = drain_new(&setup);
	}
	handed_begin(s->handed, o);
	return say_run(s);
}

int server_fd(const struct server *s)
{
	return s->channel;
}

bool server_drains(const struct server *s)
{
	return s->drain || s->shared.handed_room;        /* what races need of one run the ring has room for meanwhile */
}

/* The run has become a server. */
static int kept(struct server *s)
{
	struct level here = { .pid = s->done.pid, .output = lseek(s->output, 0, SEEK_END) };
	if (!s->order || !s->order->keep_at || here.output < 0)
		return -1;
	vec_push(&s->levels, here);
	s->order = NULL;
	return SERVER_KEPT;
}

static bool is_level(const struct server *s, int32_t pid)
{
	return s->levels.count && s->levels.at[s->levels.count - 1].pid == pid;
}

/* It has told something. */
static int reported(struct server *s)
{
	if (s->done.what == REPORT_KEPT)
		return kept(s);
	s->stays = s->done.what == REPORT_STAYS && s->order && s->order->stays;
	if (s->stays)
		s->done.status &= 0xff00;       /* it exited, whatever else it says */
	return s->stays || (s->done.what == REPORT_DONE && !is_level(s, s->done.pid)) ? 1 : -1;
}

int server_leave(struct server *s)
{
	struct serve_command c = { .word = SERVE_LEAVE };
	struct serve_report left;
	check(!s->order && s->levels.count);
	if (send(s->channel, &c, sizeof c, MSG_NOSIGNAL) != sizeof c || next_report(s, &left, LEAVING_MS) <= 0 ||
		left.what != REPORT_DONE || !is_level(s, left.pid))
		return -1;
	s->levels.count--;
	return 0;
}

int server_look(struct server *s)
{
	int got = next_report(s, &s->done, 0);
	int32_t run = __atomic_load_n(&s->shared.head->pid, __ATOMIC_ACQUIRE);
	if (got != 0 || !s->order || !run || run == s->pid || !handed_step(s->handed))   /* before, the ring's process is the server */
		return got > 0 ? reported(s) : got;
	if (s->drain)
		drain_step(s->drain);
	else if (s->order->races)
		race_watch_step(s->order->races);
	else if (s->order->records && __atomic_load_n(&s->shared.head->last_begun, __ATOMIC_ACQUIRE))
		records_step(s->order->records);        /* of a process that may stay, what is in the ring stays there */
	return 0;
}

void server_stop_run(struct server *s)
{
	struct serve_command c = { .word = SERVE_STOP };
	send(s->channel, &c, sizeof c, MSG_NOSIGNAL);
}

static void close_trace(struct server *s)
{
	struct drain_totals totals;
	if (!s->drain)
		return;
	drain_was_ended(s->drain, s->shared.head->outcome);
	drain_process_ended(s->drain, s->done.pid, s->done.status);
	drain_finish(s->drain, &totals);
	s->drain = NULL;
}

int server_take(struct server *s, struct steer_result *out, struct server_run *about, struct err *why)
{
	const struct steer_options *o = s->order;
	check(o);
	s->order = NULL;
	memset(out, 0, sizeof *out);
	schedule_init(&out->log);
	*about = (struct server_run){ .ended = s->done.ended, .seconds = (double)s->done.nanoseconds * 1e-9, .leftovers = s->done.leftovers,
		.copying = (double)s->done.copying * 1e-9 };
	out->status = s->done.status;
	out->fixed_addresses = s->fixed_addresses;
	int result = s->done.status == -1 ? err_set(why, "cannot copy the program to run it: no memory, or too many processes") :
		result_take(out, &s->shared, &s->ring, s->done.pid, why);
	if (handed_end(s->handed, out) < 0 && result == 0)
		result = 1;
	if (result > 0 && s->done.ended == ENDED_STOPPED)
		result = 0;                     /* before its first step: there is nothing to tell */
	if (result > 0)
		err_set(why, "the program has written over the memory it shares with raddle: what it did is not known");
	close_trace(s);
	if (result == 0 && o->races)
		result = race_watch_end(o->races, o->save_trace, &out->races, why);
	if (o->records)
		records_end(o->records);
	if (!s->stays && (o->save_trace || o->races || o->records || o->trace_of))
		ring_reset(&s->ring);
	if (result)
		steer_result_release(out);
	return result ? -1 : 0;
}

void server_lost(struct server *s)
{
	s->done = (struct serve_report){ .what = REPORT_DONE, .pid = s->shared.head->pid, .status = SIGKILL };
}

int server_output(const struct server *s)
{
	return s->output;
}
