/* drive/trunk.c -- see trunk.h; what is said: wire/serve.h.
 *   (1) while a copy runs the run itself waits: both write to the same memories, and it puts its own back when it goes on;
 *   (2) where it stands all its records are handed over and taken, so the ring is empty; after a copy it is made so again. */
#include "drive/trunk.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/str.h"
#include "drive/program.h"
#include "drive/ring.h"
#include "drive/steer_inside.h"
#include "trace/format.h"
#include "wire/serve.h"
#include "wire/tls.h"

#define NAP_MS 2

struct trunk {
	const struct steer_options *like;
	struct shared shared;
	struct ring ring;
	struct drain *drain;
	pid_t pid;
	int channel;
	bool fixed_addresses;
};

/* ---------------------------------------------------------------- start */

static int start_program(struct trunk *t, const char *path, int theirs, struct err *why)
{
	struct program_start how = { .path = path, .argv = t->like->argv, .bound = true, .apart = true, .fixed_addresses = !t->like->random_addresses };
	t->shared.head->serve_fd = theirs;
	t->pid = memories_start(&t->ring, &t->shared, t->like->schedule, &how, &t->fixed_addresses, why);
	return t->pid < 0 ? -1 : 0;
}

static int make_memories(struct trunk *t, struct err *why)
{
	struct steer_options o = *t->like;
	o.keep_at = KEEP_PARTS;
	return memories_make(&t->ring, &t->shared, &o, true, KEEP_RECORDS, why);
}

static void release(struct trunk *t)
{
	struct drain_totals totals;
	close(t->channel);
	if (t->pid > 0) {
		kill(-t->pid, SIGKILL);
		kill(t->pid, SIGKILL);
		while (waitpid(t->pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	drain_finish(t->drain, &totals);
	memories_release(&t->ring, &t->shared);
}

void trunk_end(struct trunk *t)
{
	if (t)
		release(t);
	mem_free(t);
}

static int make_all(struct trunk *t, struct err *why)
{
	int ends[2];
	char path[4096];
	const struct steer_options *o = t->like;
	if (program_find(o->path ? o->path : o->argv[0], path, sizeof path, why) < 0 || program_check(path, why) < 0 || make_memories(t, why) < 0)
		return -1;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0) {
		memories_release(&t->ring, &t->shared);
		return err_set(why, "cannot make a socket: %s", str_error(errno));
	}
	t->channel = ends[0];
	int theirs = ring_move_high(ends[1]), got = start_program(t, path, theirs, why);
	close(theirs);
	struct drain_setup setup = { .ring = &t->ring, .argv = o->argv, .level = MODE_STEER, .max_size = UINT64_MAX, .sink = o->sink, .order = ORDER_TOTAL,
		.model = o->model, .heap = o->heap };
	t->drain = drain_new(&setup);
	if (got < 0)
		release(t);
	return got;
}

/* ---------------------------------------------------------------- the run itself */

static int say(struct trunk *t, enum serve_word word)
{
	struct serve_command c = { .word = word, .most_memory = t->like->most_memory };
	return send(t->channel, &c, sizeof c, MSG_NOSIGNAL) == sizeof c ? 0 : -1;
}

/* The next packet, records taken meanwhile.  1; 0 time is over; -1 the run is gone. */
static int hear(struct trunk *t, struct serve_report *r, double until)
{
	for (;;) {
		struct pollfd fd = { .fd = t->channel, .events = POLLIN };
		bool written = drain_step(t->drain) > 0;
		if (poll(&fd, 1, written ? 0 : NAP_MS) > 0) {
			ssize_t got = recv(t->channel, r, sizeof *r, MSG_DONTWAIT);
			if (got >= 0 || (errno != EAGAIN && errno != EINTR))
				return got == sizeof *r ? 1 : -1;
		}
		if (until > 0 && clock_seconds() > until)
			return 0;
	}
}

static double time_is_over(const struct trunk *t)
{
	return t->like->max_seconds ? clock_seconds() + t->like->max_seconds + START_SECONDS : 0;
}

static int refused(uint32_t why_not, struct err *why)
{
	static const char *const words[] = { "its threads are the kernel's", "its time is real", "there is no memory", "it has a pipe, a socket or another descriptor two runs would share",
		"a signal handler runs" };
	if (why_not >= KEEP_THREADS && why_not - KEEP_THREADS < sizeof words / sizeof *words)
		err_set(why, "%s", words[why_not - KEEP_THREADS]);
	else
		err_set(why, "it has made system call %u: what that leaves behind two runs would share", why_not - 1);
	return 0;
}

/* Until it stands at its next place. */
static int stands(struct trunk *t, struct err *why)
{
	struct serve_report r;
	int got = hear(t, &r, time_is_over(t));
	if (got <= 0 || r.what != REPORT_KEPT || r.pid != t->pid) {
		return err_set(why, "the run without a fault did not come there again");
	}
	if (r.status)
		return refused((uint32_t)r.status, why);
	while (drain_step(t->drain) > 0)
		;
	return 1;
}

int trunk_start(struct trunk **out, const struct steer_options *like, struct err *why)
{
	struct trunk *t = mem_take(sizeof *t);
	check(like->sink && like->fault && like->fault->at);
	*out = NULL;
	t->like = like;
	if (make_all(t, why) < 0) {
		mem_free(t);
		return -1;
	}
	*out = t;
	return stands(t, why);
}

int trunk_on(struct trunk *t, const struct fault_order *order, struct err *why)
{
	ring_reset(&t->ring);
	*ring_fault(&t->ring) = *order;
	if (say(t, SERVE_ON) == 0)
		return stands(t, why);
	return err_set(why, "the run without a fault has ended");
}

/* ---------------------------------------------------------------- one that parts */

/* Until the copy has ended.  1; 0 it was ended by us; -1 the run it parted from is gone. */
static int await_end(struct trunk *t, struct serve_report *r)
{
	int got = hear(t, r, t->like->max_seconds ? clock_seconds() + t->like->max_seconds : 0);
	if (got != 0)
		return got;
	return say(t, SERVE_STOP) < 0 || hear(t, r, clock_seconds() + START_SECONDS) <= 0 ? -1 : 0;
}

int trunk_part(struct trunk *t, const char *room, struct fault_order *order, struct steer_result *out, struct err *why)
{
	struct serve_report r;
	struct drain_totals totals;
	memset(out, 0, sizeof *out);
	schedule_init(&out->log);
	check(strlen(room) < FAULT_ROOM);
	snprintf(ring_fault(&t->ring)->room, FAULT_ROOM, "%s", room);
	int got = say(t, SERVE_RUN) < 0 ? -1 : await_end(t, &r);
	uint64_t ended = clock_ns();
	bool late = got == 0;
	if (got < 0 || r.what != REPORT_DONE || r.status == -1 || t->shared.head->keep_refused == KEEP_FILES) {
		steer_result_release(out);
		return err_set(why, "a copy of the run could not be made"), 1;
	}
	out->status = r.status;
	out->left = r.ended == ENDED_ITSELF ? (unsigned)r.leftovers : 0;
	out->fixed_addresses = t->fixed_addresses;
	int result = result_take(out, &t->shared, &t->ring, r.pid, why);
	drain_process_ended(t->drain, t->pid, r.status);
	drain_finish(t->drain, &totals);
	*order = *ring_fault(&t->ring);
	order->ended = ended;
	if (result == 0 && late)
		steer_result_is_late(out, t->like->max_seconds);
	if (result)
		steer_result_release(out);
	return result ? 1 : 0;
}
