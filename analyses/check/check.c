/* analyses/check/check.c -- see check.h: runs the program where the search does not know on, and once for every class.
 * Each run shows a class no run before it has shown: either a thread does what it was never seen to do, or the class is one the
 * search found and none has executed.  So there are as many runs as classes. */
#include "analyses/check/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "analyses/check/explore.h"
#include "analyses/check/pending.h"

#define MOST_STEPS   1000000u           /* events of one run, */
#define FEW_STEPS    20000u             /* and before it is asked whether its threads only go round */
#define MOST_SECONDS 60u

static const struct failure_rule any_failure = { 0 };

/* A run whose threads that did not wait only went round; its place in `ends`. */
struct stuck { size_t end; struct run_done run; };

struct work {
	const struct check_options *o;
	struct check_result *out;
	struct threads threads;
	struct explore *search;
	struct runs *runs;
	struct runs_setup setup;
	VEC(struct run_end) ends;
	VEC(struct stuck) stuck;
	uint64_t most_steps;
	double began;
	uint64_t left;                  /* classes still to be executed */
	struct err *why;
};

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Processor time of ours and of all that were waited for. */
static double spent(void)
{
	struct rusage u[2];
	getrusage(RUSAGE_SELF, &u[0]);
	getrusage(RUSAGE_CHILDREN, &u[1]);
	double all = 0;
	for (int i = 0; i < 2; i++)
		all += (double)(u[i].ru_utime.tv_sec + u[i].ru_stime.tv_sec) + (double)(u[i].ru_utime.tv_usec + u[i].ru_stime.tv_usec) / 1e6;
	return all;
}

static void incomplete(struct work *w, const char *why)
{
	if (w->out->verdict == CHECK_SAFE)
		w->out->verdict = CHECK_INCOMPLETE;
	if (!*w->out->why)
		snprintf(w->out->why, sizeof w->out->why, "%s", why);
}

/* ---------------------------------------------------------------- one run */

/* Stores of each thread that wait in a run, as far as its schedule has come. */
struct waiting { uint32_t node; uint64_t nth; };
typedef VEC(struct waiting) waits;
#define BUFFER_ROOM 256u                /* of the runtime: then the oldest leaves */

static void store_waits(struct work *w, waits *all, uint32_t node, uint64_t nth)
{
	if (all->count == BUFFER_ROOM) {
		if (w->threads.nodes.at[all->at[0].node].cell != NO_CELL)
			incomplete(w, "more than 256 stores wait, and one that others see is the oldest: the runtime keeps no more");
		memmove(all->at, all->at + 1, --all->count * sizeof *all->at);
	}
	vec_push(all, ((struct waiting){ node, nth }));
}

/* The store of this node reaches memory, and before it what only its thread has to do with. */
static void store_leaves(const struct work *w, waits *all, uint32_t node, struct schedule *out)
{
	size_t kept = 0, i = 0;
	for (; i < all->count; i++) {
		const struct node *n = &w->threads.nodes.at[all->at[i].node];
		if (n->cell == NO_CELL || all->at[i].node == node)
			schedule_step_add(out, STEP_FLUSH, n->thread, all->at[i].nth);
		else
			all->at[kept++] = all->at[i];
		if (all->at[i].node == node)
			break;
	}
	for (i++; i < all->count; i++)
		all->at[kept++] = all->at[i];
	all->count = kept;
}

/* Turns of threads that do these deeds in this order; `further`: and then one point more of this thread, whatever it is, told that its time is
 * up if that is the step. */
static void make_schedule(struct work *w, const doings *way, struct step further, struct schedule *out)
{
	uint64_t nth[MAX_THREADS] = { 0 };
	waits stores[MAX_THREADS] = { 0 };
	schedule_init(out);
	out->fixed_addresses = true;
	for (uint32_t i = 1; i < w->threads.paths.count; i++)
		schedule_thread_add(out, names_text(&w->threads.paths, i), "");
	for (size_t i = 0; i < way->count; i++) {
		const struct node *n = &w->threads.nodes.at[way->at[i].node];
		const struct done *d = &way->at[i], *next = i + 1 < way->count ? d + 1 : NULL;
		if (d->choice == DONE_STORE) {
			store_leaves(w, &stores[n->thread], d->node, out);
			continue;
		}
		nth[n->thread] += d->points;
		if (n->deed == DEED_WRITE && n->waits)
			store_waits(w, &stores[n->thread], d->node, nth[n->thread]);
		else if (pending_drains(n))
			vec_clear(&stores[n->thread]);
		if (d->late)
			schedule_step_add(out, STEP_ANSWER, n->thread, nth[n->thread])->answer = ANSWER_TIMEOUT;
		if (d->choice != NOBODY)
			schedule_step_add(out, STEP_CHOICE, n->thread, nth[n->thread])->answer = d->choice;
		bool stays = next && w->threads.nodes.at[next->node].thread == n->thread && next->choice == NOBODY && !next->late;
		if (nth[n->thread] && !stays)
			schedule_step_add(out, STEP_RUN, n->thread, nth[n->thread]);
	}
	for (uint32_t i = 0; i < MAX_THREADS; i++)
		vec_release(&stores[i]);
	if (further.thread == NOBODY)
		return;
	const struct node *n = &w->threads.nodes.at[explore_node(w->search, further.thread)];
	uint64_t there = nth[further.thread] + (n->deed == DEED_UNKNOWN || !n->points ? 1 : n->points);
	if (further.woken == TIMES_OUT)
		schedule_step_add(out, STEP_ANSWER, further.thread, there)->answer = ANSWER_TIMEOUT;
	schedule_step_add(out, STEP_RUN, further.thread, there);
}

/* Keeps the run if it failed as none before; true: it is no longer the caller's. */
static bool keep_bug(struct work *w, struct run_done *done)
{
	struct buffer key = { 0 };
	if (failure_is_unknown(done) || !failure_is(&any_failure, done))
		return false;
	failure_key(&any_failure, done, &key);
	w->out->verdict = CHECK_BUG;
	for (size_t i = 0; i < w->out->bugs.count; i++)
		if (!strcmp((const char *)w->out->bugs.at[i].key.at, (const char *)key.at)) {
			buffer_release(&key);
			return false;
		}
	vec_push(&w->out->bugs, ((struct check_bug){ *done, key }));
	return true;
}

/* Code nobody watches empties the store buffer: what would come of the stores later is not seen. */
static void early(struct work *w, struct steer_result *r)
{
	static const char what[] = "code nobody watches is called while stores wait, which brings them to memory";
	struct source at;
	char why[400] = "";
	if (places_source(r->places, r->early.at[0], &at)) {
		const char *slash = strrchr(at.file, '/');
		snprintf(why, sizeof why, "%.200s:%u: %s", slash ? slash + 1 : at.file, at.line, what);
	}
	incomplete(w, *why ? why : what);
}

/* A run that is over, and what is learned from it.  0; -1 and why. */
static int take(struct work *w, struct run_done *done, struct run_end *end)
{
	if (runs_take(w->runs, done, w->why) != 1)
		return -1;
	threads_learn(&w->threads, &done->result, records_live(done->records), end);
	return 0;
}

/* It counts; it is no longer the caller's. */
static void count(struct work *w, struct run_done *done, const struct run_end *end)
{
	w->out->executions++;
	if (done->result.interrupted)
		incomplete(w, "it was interrupted");
	else if (done->result.outcome == OUTCOME_LIVELOCK && !end->spins)
		incomplete(w, "a run that does not end");
	if (done->result.early.count)
		early(w, &done->result);
	vec_push(&w->ends, *end);
	if (end->spins)                         /* a bug if the search says that it could not have ended */
		vec_push(&w->stuck, ((struct stuck){ w->ends.count - 1, *done }));
	else if (!keep_bug(w, done))
		run_done_release(done);
	if (*w->threads.trouble)
		incomplete(w, w->threads.trouble);
}

/* 0; -1 and why. */
static int run(struct work *w, const struct schedule *schedule)
{
	struct run_done done;
	struct run_end end;
	for (;;) {
		runs_give(w->runs, &(struct run_order){ .schedule = schedule, .events = MOST_STEPS, .max_steps = w->most_steps });
		if (take(w, &done, &end) < 0)
			return -1;
		if (done.result.outcome != OUTCOME_LIVELOCK || end.spins || w->most_steps == MOST_STEPS)
			break;
		w->most_steps = MOST_STEPS;
		run_done_release(&done);
	}
	count(w, &done, &end);
	return 0;
}

static bool may_go_on(struct work *w)
{
	if (w->out->verdict == CHECK_INCOMPLETE || (w->out->verdict == CHECK_BUG && !w->o->keep_going))
		return false;
	if (w->o->most_runs && w->out->executions >= w->o->most_runs)
		incomplete(w, "the runs allowed were made");
	if (w->o->most_seconds > 0 && now() - w->began > w->o->most_seconds)
		incomplete(w, "the time allowed is over");
	if (w->o->progress && !w->o->progress(w->out->executions, explore_open(w->search) + w->left))
		incomplete(w, "it was interrupted");
	return w->out->verdict == CHECK_SAFE || (w->out->verdict == CHECK_BUG && w->o->keep_going && !*w->out->why);
}

/* ---------------------------------------------------------------- the search */

/* What does the thread do there?  A run that leads there shows it. */
static int learn_more(struct work *w, struct step step)
{
	doings way = { 0 };
	struct schedule schedule;
	uint32_t node = explore_node(w->search, step.thread);
	struct node before = w->threads.nodes.at[node];
	size_t nodes = w->threads.nodes.count;
	explore_way(w->search, &way);
	make_schedule(w, &way, step, &schedule);
	int got = run(w, &schedule);
	schedule_release(&schedule);
	vec_release(&way);
	bool learned = w->threads.grown || w->threads.nodes.count != nodes || w->threads.nodes.at[node].deed != before.deed;
	if (got == 0 && !learned)
		incomplete(w, w->out->verdict == CHECK_BUG ? "where a thread fails its next step is not shown, and other threads beside it are not explored" :
			"a thread could not be brought to where its next step was to be learned");
	return got;
}

static int explore_all(struct work *w)
{
	struct step unknown;
	explore_free(w->search);
	w->search = explore_new(&w->threads);
	if (*w->threads.trouble) {
		incomplete(w, w->threads.trouble);
		return 0;
	}
	for (;;) {
		enum explore_answer answer = explore_go(w->search, &unknown);
		if (answer == EXPLORE_FULL)
			incomplete(w, "there are too many states");
		if (*w->threads.trouble)
			incomplete(w, w->threads.trouble);
		if (answer != EXPLORE_UNKNOWN && answer != EXPLORE_PAUSED)
			return 0;
		if (!may_go_on(w))
			return 0;
		if (answer == EXPLORE_PAUSED)
			continue;
		if (learn_more(w, unknown) < 0)
			return -1;
		if (w->threads.grown)
			return 1;
	}
}

/* The search has found where this run ended, and whether it goes on from there. */
static void judge_stuck(struct work *w, size_t end, bool for_ever)
{
	for (size_t i = 0; i < w->stuck.count; i++) {
		if (w->stuck.at[i].end != end)
			continue;
		if (!for_ever)
			incomplete(w, "a run that does not end");
		if (!for_ever || !keep_bug(w, &w->stuck.at[i].run))
			run_done_release(&w->stuck.at[i].run);
		w->stuck.at[i] = w->stuck.at[--w->stuck.count];
		return;
	}
}

/* Marks what runs have shown; every one of them must be a class of the search. */
static void mark_executed(struct work *w, size_t from)
{
	for (size_t i = from; i < w->ends.count; i++) {
		const struct space *s = explore_space(w->search);
		struct found_class *c = explore_class(w->search, class_of(s, w->ends.at[i].at, s->thread_count));
		if (!c)
			incomplete(w, "a run ended as the search had not foreseen");
		else
			c->executed = true;
		if (w->ends.at[i].spins)
			judge_stuck(w, i, c && c->spins);
	}
}

/* ---------------------------------------------------------------- the rest of the classes */

/* Runs for classes no run has shown, several at a time.  They count in the order in which they were given, and none behind the one that ends it:
 * what comes out does not hang on how many there are. */
struct flight { struct schedule schedule; size_t class; bool done; struct run_done run; struct run_end end; };
struct flights { struct flight *at; uint64_t room, given, landed; };    /* the n-th is at[n % room] */
#define FLIGHTS_WORTH 200u              /* so many classes: another process to run them in */

static void send(struct work *w, struct flights *f, size_t class)
{
	struct flight *x = &f->at[f->given % f->room];
	doings way = { 0 };
	size_t count;
	explore_way_to(w->search, &explore_classes(w->search, &count)[class], &way);
	make_schedule(w, &way, (struct step){ NOBODY, NOBODY }, &x->schedule);
	vec_release(&way);
	x->class = class;
	x->done = false;
	runs_give(w->runs, &(struct run_order){ .schedule = &x->schedule, .events = MOST_STEPS, .max_steps = w->most_steps, .tag = f->given++ });
}

static int receive(struct work *w, struct flights *f)
{
	struct run_done done;
	struct run_end end;
	if (take(w, &done, &end) < 0)
		return -1;
	struct flight *x = &f->at[done.tag % f->room];
	x->run = done;
	x->end = end;
	x->done = true;
	return 0;
}

/* 0; 1: states are others now. */
static int land(struct work *w, struct flight *x, bool counts)
{
	size_t classes;
	schedule_release(&x->schedule);
	if (!counts) {
		run_done_release(&x->run);
		return 0;
	}
	count(w, &x->run, &x->end);
	if (w->threads.grown)
		return 1;
	mark_executed(w, w->ends.count - 1);
	if (!explore_classes(w->search, &classes)[x->class].executed)
		incomplete(w, "a run did not end as the search had foreseen");
	return 0;
}

static bool goes_on(const struct work *w)
{
	return w->out->verdict == CHECK_SAFE || (w->out->verdict == CHECK_BUG && w->o->keep_going && !*w->out->why);
}

/* The next class to execute, or how many there are. */
static size_t next_class(struct work *w, size_t from)
{
	size_t all;
	const struct found_class *c = explore_classes(w->search, &all);
	while (from < all && c[from].executed)
		from++;
	return from;
}

/* Is one more to be given now? */
static bool may_send(struct work *w, const struct flights *f)
{
	uint64_t flying = f->given - f->landed;
	if (flying == f->room || (flying && w->o->most_runs && w->out->executions + flying >= w->o->most_runs))
		return false;
	return may_go_on(w);
}

static int fly(struct work *w, struct flights *f, size_t all)
{
	int got = 0;
	size_t next = next_class(w, 0);
	for (;;) {
		w->left = all - next;
		while (next < all && got == 0 && may_send(w, f)) {
			send(w, f, next);
			next = next_class(w, next + 1);
		}
		if (f->given == f->landed)
			return got;
		if (receive(w, f) < 0)
			return -1;
		for (struct flight *x; f->landed < f->given && (x = &f->at[f->landed % f->room])->done; f->landed++)
			got |= land(w, x, got == 0 && goes_on(w));
	}
}

/* Classes no run has shown: each is executed, and must end as foretold. */
static int execute_rest(struct work *w)
{
	size_t all;
	mark_executed(w, 0);
	explore_classes(w->search, &all);
	uint64_t worth = 1 + all / FLIGHTS_WORTH;
	struct flights f = { .room = worth < w->setup.jobs ? worth : w->setup.jobs };
	f.at = mem_take(f.room * sizeof *f.at);
	int got = fly(w, &f, all);
	for (; f.landed < f.given; f.landed++) {                /* only if runs cannot be made any more */
		struct flight *x = &f.at[f.landed % f.room];
		schedule_release(&x->schedule);
		if (x->done)
			run_done_release(&x->run);
	}
	mem_free(f.at);
	w->left = 0;
	return got;
}

static int explore(struct work *w)
{
	int got = run(w, NULL);
	if (got < 0)
		return -1;
	do {
		got = explore_all(w);
		if (got == 0 && w->out->verdict == CHECK_SAFE)
			got = execute_rest(w);
		else if (got == 0 && w->out->verdict == CHECK_BUG && w->o->keep_going)
			got = execute_rest(w);
	} while (got > 0 && may_go_on(w));
	size_t count = 0;
	if (w->search)
		explore_classes(w->search, &count);
	w->out->classes = count;
	w->out->states = w->search ? explore_states(w->search) : 0;
	return got < 0 ? -1 : 0;
}

int check_program(const struct check_options *o, struct check_result *out, struct err *why)
{
	struct work w = { .o = o, .out = out, .why = why, .began = now(), .most_steps = FEW_STEPS };
	double before = spent();
	memset(out, 0, sizeof *out);
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	w.setup = (struct runs_setup){ .jobs = o->jobs ? o->jobs : cores > 0 ? (unsigned)cores : 1, .records = true, .like = { .stays = true, .states = true, .argv = o->argv, .unchecked = true, .loose = true, .max_steps = MOST_STEPS,
		.max_seconds = MOST_SECONDS, .model = o->model } };
	threads_init(&w.threads);
	w.threads.trusted = o->trusted;
	w.threads.model = o->model;
	w.runs = runs_open(&w.setup, why);
	int got = w.runs ? explore(&w) : -1;
	runs_close(w.runs);
	explore_free(w.search);
	threads_release(&w.threads);
	vec_release(&w.ends);
	for (size_t i = 0; i < w.stuck.count; i++)
		run_done_release(&w.stuck.at[i].run);
	vec_release(&w.stuck);
	out->like = w.setup.like;
	out->like.loose = out->like.stays = false;
	out->seconds = now() - w.began;
	out->cpu_seconds = spent() - before;
	return got;
}

void check_result_release(struct check_result *r)
{
	for (size_t i = 0; i < r->bugs.count; i++) {
		run_done_release(&r->bugs.at[i].run);
		buffer_release(&r->bugs.at[i].key);
	}
	vec_release(&r->bugs);
}
