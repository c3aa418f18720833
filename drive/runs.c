/* drive/runs.c -- see runs.h.  A pool of workers, each a server (server.h) with at most one run in progress; orders nobody is
 * free for wait in a queue.  A server that is gone is started again.  A program that cannot be served (it ends or becomes
 * another one before its first visible event, or somebody else starts it) is run by steer_run(), one process after the other.
 *
 * A run that is to keep a checkpoint is given twice: first to become one, then to go on from it.  One that is to be compared is given
 * again, in full, to a server started for it. */
#include "drive/runs.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/str.h"
#include "drive/kept.h"
#include "drive/program.h"
#include "drive/server.h"
#include "drive/stdin.h"
#include "wire/serve.h"

#define DRAIN_NAP_MS 2
#define LOOK_MS      50                 /* limits of time, and whether somebody wants us to stop, are looked at this often */
#define PATIENCE     2.0                /* seconds a server has to end a run it was told to end */
#define REFUSALS     3u                 /* runs that could not become a checkpoint, and none that could: no more are asked to */

struct worker {
	struct server *server;          /* NULL: to be started */
	int input;                      /* standard input of its runs, one after the other; 0: not opened yet */
	bool busy, stopping;
	struct run_order order;
	struct steer_options options;   /* of the run in progress */
	struct race_watch *races;       /* of its runs, or NULL */
	struct records *records;        /* the same */
	double started, stopped;
	bool timed_out;
	struct kept kept;               /* checkpoints its server has */
	bool from_kept;                 /* the run in progress goes on from one */
	bool again;                     /* the run in progress is `held` made again, in full */
	struct run_done held;
};

struct runs {
	struct runs_setup setup;
	bool plain;                     /* the program cannot be served */
	struct worker *workers;
	VEC(struct run_order) orders;
	size_t next;                    /* orders that wait */
	int output;
	struct program_signals signals;
	sigset_t open_mask;
	struct runs_kept counts;
	unsigned refusals;
};

static struct steer_options options_of(const struct runs *r, struct worker *w, const struct run_order *order)
{
	struct steer_options o = r->setup.like;
	o.schedule = order->schedule;
	o.policy = order->policy;
	o.depth = order->depth;
	o.seed = order->seed;
	o.length = order->length;
	o.ways = order->ways;
	o.events = order->events;
	o.save_trace = order->save_trace;
	o.loose = o.loose || order->loose;
	o.prompt = order->prompt;
	o.late = order->late;
	o.lingers = order->lingers;
	o.max_steps = order->max_steps ? order->max_steps : o.max_steps;
	if (r->setup.races && !w->races)
		w->races = race_watch_new(NULL);
	if (r->setup.records && !w->records)
		w->records = records_new();
	o.races = w->races;
	o.records = w->records;
	o.runs = order->runs;
	o.trace_of = order->trace_of;
	o.trace_who = order->trace_who;
	o.go_on_with = order->go_on_with;
	o.turn_count = order->turn_count;
	memcpy(o.turns, order->turns, sizeof o.turns);
	return o;
}

/* ---------------------------------------------------------------- open, close */

/* 0; 1: it cannot be served; -1 and why. */
static int start_worker(struct runs *r, struct worker *w, struct err *why)
{
	if (!w->input)
		w->input = stdin_again();
	struct server_setup setup = { .like = &r->setup.like, .input = w->input, .most_memory = r->setup.most_memory };
	if (w->server)
		return 0;
	sigset_t blocked;
	sigprocmask(SIG_SETMASK, &r->open_mask, &blocked);      /* the program is not to inherit what we block */
	int result = server_start(&w->server, &setup, why);
	sigprocmask(SIG_SETMASK, &blocked, NULL);
	return result;
}

static void end_server(struct worker *w)
{
	server_end(w->server);
	w->server = NULL;
	kept_forget(&w->kept);
}

static bool can_serve(const struct steer_options *o)
{
	return !o->debugger && !o->stop_at && !o->input;
}

/* Of several that are open at a time the first blocks signals, and the programs of all have what it found. */
static unsigned open_count;
static sigset_t first_mask;

static unsigned usual_jobs(void)
{
	return sysconf(_SC_NPROCESSORS_ONLN) > 0 ? (unsigned)sysconf(_SC_NPROCESSORS_ONLN) : 1;
}

uint64_t runs_memory(unsigned jobs)
{
	return (uint64_t)sysconf(_SC_AVPHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / 2 / (jobs ? jobs : usual_jobs());
}

struct runs *runs_open(const struct runs_setup *setup, struct err *why)
{
	struct runs *r = mem_take(sizeof *r);
	r->setup = *setup;
	r->setup.like.save_trace = NULL;
	r->setup.like.apart = true;
	if (!r->setup.jobs)
		r->setup.jobs = usual_jobs();
	if (!r->setup.most_memory)
		r->setup.most_memory = runs_memory(r->setup.jobs);
	r->output = memfd_create("raddle-output", MFD_CLOEXEC);
	if (r->output < 0) {
		err_set(why, "cannot make memory for the program's output: %s", str_error(errno));
		mem_free(r);
		return NULL;
	}
	r->workers = mem_take(r->setup.jobs * sizeof *r->workers);
	program_signals_take(&r->signals);
	if (!open_count)
		sigprocmask(SIG_SETMASK, NULL, &first_mask);
	r->open_mask = first_mask;
	r->plain = !can_serve(&setup->like);
	int started = r->plain ? 1 : start_worker(r, &r->workers[0], why);
	r->plain = started > 0;
	if (!r->plain && open_count++ == 0)
		program_signals_block(NULL);
	else if (r->plain)
		program_signals_leave(&r->signals);
	if (started >= 0)
		return r;
	runs_close(r);
	return NULL;
}

void runs_close(struct runs *r)
{
	if (!r)
		return;
	for (unsigned i = 0; i < r->setup.jobs; i++) {
		end_server(&r->workers[i]);
		if (r->workers[i].again)
			run_done_release(&r->workers[i].held);
		race_watch_free(r->workers[i].races);
		records_free(r->workers[i].records);
		if (r->workers[i].input > 0)
			close(r->workers[i].input);
	}
	if (!r->plain && --open_count == 0)
		sigprocmask(SIG_SETMASK, &r->open_mask, NULL);
	if (!r->plain)
		program_signals_leave(&r->signals);
	close(r->output);
	vec_release(&r->orders);
	mem_free(r->workers);
	mem_free(r);
}

/* ---------------------------------------------------------------- a process for each run */

static double children_seconds(void)
{
	struct rusage u;
	getrusage(RUSAGE_CHILDREN, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
}

static int take_plain(struct runs *r, struct run_done *out, struct err *why)
{
	struct run_order order = r->orders.at[r->next++];
	struct steer_options o = options_of(r, &r->workers[0], &order);
	out->tag = order.tag;
	o.output = r->output;
	o.apart = true;
	o.most_memory = r->setup.most_memory;
	if (ftruncate(r->output, 0) < 0 || lseek(r->output, 0, SEEK_SET) < 0)
		return err_set(why, "cannot empty the memory for the program's output: %s", str_error(errno));
	double before = children_seconds();
	sigset_t blocked;
	sigprocmask(SIG_SETMASK, &r->open_mask, &blocked);      /* others may be open, which block them */
	int result = steer_run(&o, &out->result, why);
	sigprocmask(SIG_SETMASK, &blocked, NULL);
	if (result < 0)
		return -1;
	out->seconds = children_seconds() - before;
	out->records = r->workers[0].records;
	run_done_output(out, r->output);
	return 1;
}

/* ---------------------------------------------------------------- workers */

static unsigned waiting(const struct runs *r)
{
	return (unsigned)(r->orders.count - r->next);
}

unsigned runs_room(const struct runs *r)
{
	unsigned free = 0;
	for (unsigned i = 0; i < r->setup.jobs; i++)
		free += !r->workers[i].busy;
	if (r->plain)
		free = 1;
	return free > waiting(r) ? free - waiting(r) : 0;
}

static bool may_keep(const struct runs *r, const struct run_order *o)
{
	return o->schedule && o->keep <= o->schedule->steps.count && !o->save_trace && !r->setup.races && !r->setup.records && !o->ways && !o->events &&
		o->runs <= 1 && !r->counts.differs;
}

/* The run goes on from the last checkpoint that fits, or becomes one first. */
static int give(struct runs *r, struct worker *w)
{
	const struct run_order *o = &w->order;
	bool may = may_keep(r, o) && !w->again;
	if (kept_fit(&w->kept, w->server, may ? o : NULL) < 0)
		return -1;
	bool make = may && !r->counts.refused && o->keep > kept_steps(&w->kept) && w->kept.at.count < KEPT_MOST;
	w->options.keep_at = make ? o->keep : 0;
	w->from_kept = w->kept.at.count && !make;
	return server_give(w->server, &w->options);
}

/* 0, or -1 and why: it cannot be made. */
static int begin(struct runs *r, struct worker *w, const struct run_order *order, struct err *why)
{
	w->options = options_of(r, w, order);
	w->order = *order;
	w->busy = true;
	w->stopping = w->timed_out = w->from_kept = false;
	w->started = clock_seconds();
	for (int tries = 0; tries < 2; tries++) {
		if (start_worker(r, w, why) != 0)
			break;
		stdin_rewind(w->input);
		if (give(r, w) == 0)
			return 0;
		end_server(w);
	}
	return err_set(why, "the program does not start any more as it did before");
}

/* At once if somebody is free for it; whoever has to be started first is started when results are asked for. */
void runs_give(struct runs *r, const struct run_order *order)
{
	struct err why;
	for (unsigned i = 0; !r->plain && !waiting(r) && i < r->setup.jobs; i++) {
		struct worker *w = &r->workers[i];
		if (!w->busy && w->server && begin(r, w, order, &why) == 0)
			return;
		w->busy = w->busy && w->server;
	}
	vec_push(&r->orders, *order);
}

/* Orders that wait go to whoever is free.  0, or -1 and why and *tag: this one could not be begun; 1: since somebody wants us to stop. */
static int hand_out(struct runs *r, uint64_t *tag, struct err *why)
{
	for (unsigned i = 0; i < r->setup.jobs && waiting(r); i++) {
		if (r->workers[i].busy)
			continue;
		*tag = r->orders.at[r->next].tag;
		int result = begin(r, &r->workers[i], &r->orders.at[r->next++], why);
		if (result < 0) {
			r->workers[i].busy = false;
			return program_interrupted() || program_forwarded() ? 1 : -1;
		}
	}
	if (!waiting(r)) {
		vec_clear(&r->orders);
		r->next = 0;
	}
	return 0;
}

static void await_any(struct runs *r)
{
	struct pollfd fds[64];
	nfds_t count = 0;
	long ms = LOOK_MS;
	for (unsigned i = 0; i < r->setup.jobs && count < 64; i++) {
		const struct worker *w = &r->workers[i];
		if (!w->busy || !w->server)
			continue;
		fds[count++] = (struct pollfd){ .fd = server_fd(w->server), .events = POLLIN };
		if (server_drains(w->server))
			ms = DRAIN_NAP_MS;
	}
	struct timespec nap = { .tv_nsec = ms * 1000000 };
	ppoll(fds, count, &nap, &r->open_mask);
}

static void watch(struct runs *r, struct worker *w)
{
	bool stop = program_interrupted() || program_forwarded();
	w->timed_out = w->timed_out || (r->setup.like.max_seconds && clock_seconds() - w->started > r->setup.like.max_seconds);
	if (!w->stopping && (stop || w->timed_out)) {
		w->stopping = true;
		w->stopped = clock_seconds();
		server_stop_run(w->server);
	}
}

/* The run is over.  1, or -1 and why. */
static int take(struct runs *r, struct worker *w, struct run_done *out, struct err *why)
{
	struct server_run about;
	w->busy = false;
	out->tag = w->order.tag;
	if (server_take(w->server, &out->result, &about, why) < 0) {
		end_server(w);
		return -1;
	}
	out->from_kept = w->from_kept;
	out->records = w->records;
	out->copying = about.copying;
	out->seconds = about.seconds;
	out->leftovers = about.leftovers;
	run_done_output(out, server_output(w->server));
	struct steer_result *result = &out->result;
	if (w->timed_out) {
		steer_result_is_late(result, r->setup.like.max_seconds);
	} else if (about.ended == ENDED_MEMORY) {
		snprintf(result->text, sizeof result->text, MEMORY_TEXT, (unsigned long long)(r->setup.most_memory >> 20));
	} else if (about.ended == ENDED_STOPPED) {
		result->interrupted = true;
	}
	return 1;
}

/* The server died in the middle of a run, or does not answer. */
static int lost(struct runs *r, struct worker *w, struct run_done *out, struct err *why)
{
	server_lost(w->server);
	int result = take(r, w, out, why);
	if (result > 0 && !out->result.text[0])
		snprintf(out->result.text, sizeof out->result.text, "and with it the process it was copied from");
	end_server(w);
	return result;
}

/* ---------------------------------------------------------------- checkpoints */

struct runs_kept runs_kept(const struct runs *r)
{
	return r->counts;
}

/* The run has become a checkpoint: now it goes on from there. */
static int go_on(struct runs *r, struct worker *w)
{
	r->counts.made++;
	kept_add(&w->kept, &w->order);
	int result = give(r, w);
	if (result == 0 && w->stopping)
		server_stop_run(w->server);
	return result;
}

static bool is_known(const struct worker *w, const struct run_done *d)
{
	return !w->stopping && !w->timed_out && !d->result.interrupted;
}

static void count(struct runs *r, const struct worker *w, const struct run_done *d)
{
	uint32_t refused = w->options.keep_at ? d->result.keep_refused : 0;
	r->counts.used += d->from_kept;
	if (refused && !r->counts.made && ++r->refusals >= REFUSALS)
		r->counts.refused = refused;
}

/* Is it to be made again?  Then it is, and is not done yet. */
static bool again(struct runs *r, struct worker *w, struct run_done *d)
{
	struct err why;
	if (!d->from_kept || r->counts.used % RUNS_CHECK_ONE_IN != 1 || !is_known(w, d))
		return false;
	w->held = *d;
	w->again = true;
	end_server(w);
	if (begin(r, w, &w->order, &why) == 0) {
		memset(d, 0, sizeof *d);
		return true;
	}
	w->again = w->busy = false;
	return false;
}

static bool is_same(const struct steer_result *a, const struct steer_result *b)
{
	return a->steps == b->steps && a->outcome == b->outcome && a->value == b->value && steer_log_hash(a) == steer_log_hash(b);
}

/* It was made again, as `d` has it.  That is what counts. */
static void compare(struct runs *r, struct worker *w, struct run_done *d)
{
	w->again = false;
	r->counts.checked++;
	d->differs = is_known(w, d) && !is_same(&w->held.result, &d->result);
	r->counts.differs = r->counts.differs || d->differs;
	run_done_release(&w->held);
}

/* A run is over, as `result` of taking it says.  0: it is not done after all. */
static int finish(struct runs *r, struct worker *w, struct run_done *d, int result)
{
	if (result < 0 && w->again) {           /* what it was at first will have to do */
		*d = w->held;
		w->again = false;
		return 1;
	}
	if (result < 0)
		return result;
	if (w->again)
		compare(r, w, d);
	else
		count(r, w, d);
	return again(r, w, d) ? 0 : 1;
}

/* Ctrl-C came before it could. */
static int not_begun(struct run_done *out)
{
	schedule_init(&out->result.log);
	out->result.interrupted = true;
	return 1;
}

int runs_take(struct runs *r, struct run_done *out, struct err *why)
{
	memset(out, 0, sizeof *out);
	if (r->plain)
		return waiting(r) ? take_plain(r, out, why) : 0;
	for (;;) {
		bool busy = false;
		int begun = hand_out(r, &out->tag, why);
		if (begun > 0)
			return not_begun(out);
		if (begun < 0)
			return -1;
		for (unsigned i = 0; i < r->setup.jobs; i++) {
			struct worker *w = &r->workers[i];
			if (!w->busy)
				continue;
			busy = true;
			int got = server_look(w->server), result = 0;
			if (got == SERVER_KEPT)
				got = go_on(r, w);
			if (got < 0 || (w->stopping && clock_seconds() - w->stopped > PATIENCE))
				result = finish(r, w, out, lost(r, w, out, why));
			else if (got > 0)
				result = finish(r, w, out, take(r, w, out, why));
			else
				watch(r, w);
			if (result)
				return result;
		}
		if (!busy)
			return 0;
		await_any(r);
	}
}

void run_done_output(struct run_done *d, int from)
{
	off_t bytes = lseek(from, 0, SEEK_END);
	d->output_bytes = bytes > 0 ? (uint64_t)bytes : 0;
	size_t kept = d->output_bytes < RUNS_OUTPUT ? (size_t)d->output_bytes : RUNS_OUTPUT;
	char piece[4096];
	for (ssize_t got; d->output.count < kept; ) {
		got = pread(from, piece, sizeof piece, (off_t)d->output.count);
		if (got <= 0)
			break;
		for (ssize_t i = 0; i < got && d->output.count < kept; i++)
			vec_push(&d->output, piece[i]);
	}
}

void run_done_release(struct run_done *d)
{
	steer_result_release(&d->result);
	vec_release(&d->output);
}
