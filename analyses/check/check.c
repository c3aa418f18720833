/* analyses/check/check.c -- see check.h: runs the program where the search does not know on, and once for every class.
 * Each run shows a class no run before it has shown: either a thread does what it was never seen to do, or the class is one the
 * search found and none has executed (execute.c).  So there are as many runs as classes. */
#include "analyses/check/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "analyses/check/ahead.h"
#include "analyses/check/certificate.h"
#include "analyses/check/check_inside.h"
#include "base/clock.h"

#define FEW_STEPS    20000u             /* events of one run before it is asked whether its threads only go round */

/* Bounds of one search: of what a program has without end, or more of than can be tried. */
struct bounds { uint64_t threads; uint32_t values; bool follows; };         /* follows: accesses of library functions */
#define FEW_THREADS   2u
#define MOST_THREADS  6u
#define FEW_VALUES    4u
#define MORE_RUNS     4000u             /* a search within wider bounds takes so many at most, */
#define MORE_STATES   500000u


static const struct failure_rule any_failure = { 0 };

#define KEEP_EVERY   0.1                /* seconds, before what was learned is kept again (resume.h); */
#define KEEP_SHARE   20                 /* and so often the time that took */

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

void work_incomplete(struct work *w, const char *why)
{
	if (w->out->verdict == CHECK_SAFE)
		w->out->verdict = CHECK_INCOMPLETE;
	if (!*w->out->why)
		snprintf(w->out->why, sizeof w->out->why, "%s", why);
}

static void enough(struct work *w, const char *why)
{
	w->enough |= !*w->out->why;
	work_incomplete(w, why);
}

/* What was learned goes into the file, but for what makes the search incomplete: whoever goes on from there finds that again. */
static void keep(struct work *w)
{
	double from = clock_seconds();
	if (!w->resume || w->broken || *w->threads.trouble || *w->threads.doubted || (*w->out->why && !w->enough))
		return;
	w->broken = resume_keep(w->resume, &w->threads, &w->ends, w->most_steps, w->why) < 0;
	w->kept_at = clock_seconds();
	w->keep_every = KEEP_SHARE * (w->kept_at - from) > KEEP_EVERY ? KEEP_SHARE * (w->kept_at - from) : KEEP_EVERY;
}

/* ---------------------------------------------------------------- one run */

/* Keeps the run if it failed as none before; true: it is no longer the caller's. */
static bool keep_bug(struct work *w, struct run_done *done)
{
	struct buffer key = { 0 };
	if (failure_is_unknown(done) || done->result.late || !failure_is(&any_failure, done))
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

/* Code nobody watches empties the store buffer: what would come of the stores later is not seen.  Bugs are still looked for. */
static void early(struct work *w, struct steer_result *r)
{
	static const char what[] = "code nobody watches is called while stores wait, which brings them to memory";
	struct source at;
	char *why = w->threads.doubted;
	if (*why)
		return;
	snprintf(why, sizeof w->threads.doubted, "%s", what);
	if (places_source(r->places, r->early.at[0], &at)) {
		const char *slash = strrchr(at.file, '/');
		snprintf(why, sizeof w->threads.doubted, "%.80s:%u: %s", slash ? slash + 1 : at.file, at.line, what);
	}
}

int work_take(struct work *w, struct run_done *done, struct run_end *end)
{
	if (runs_take(w->runs, done, w->why) != 1)
		return -1;
	if (done->result.interrupted) {         /* somewhere, or before it began */
		*end = (struct run_end){ .count = 0 };
		return 0;
	}
	threads_learn(&w->threads, &done->result, records_live(done->records), end);
	surroundings_objects(&w->threads.around, done->result.places);
	if (!w->resume || done->result.fixed_addresses)
		return 0;
	run_done_release(done);
	err_set(w->why, "a state needs memory to lie where it lay in the process before, and this system does not permit that ('raddle doctor' says more)");
	w->why->code = 2;
	return -1;
}

/* The search has found where these runs ended, and that they go on from there for ever; unless code nobody watches ends that. */
static void judge_stuck(struct work *w, struct key class)
{
	for (size_t i = 0; i < w->stuck.count;) {
		struct stuck *x = &w->stuck.at[i];
		if (x->class.high != class.high || x->class.low != class.low) {
			i++;
			continue;
		}
		if (*w->threads.trouble || !keep_bug(w, &x->run))
			run_done_release(&x->run);
		*x = w->stuck.at[--w->stuck.count];
	}
}

static void not_for_ever(struct work *w)
{
	work_incomplete(w, "a run that does not end");
	run_done_release(&w->stuck.at[--w->stuck.count].run);
}

/* It was of this class, as far as the search can tell. */
static void mark_run(struct work *w, const struct run_end *end, size_t place)
{
	const struct space *s = explore_space(w->search);
	struct key class = class_of(s, end->at, s->thread_count);
	threads_are_ends(&w->threads, end->at, s->thread_count);
	bool for_ever = classes_execute(&w->classes, class);
	for (size_t i = 0; end->spins && i < w->stuck.count; i++)
		if (w->stuck.at[i].end == place)
			w->stuck.at[i].class = class;
	if (end->spins && for_ever)
		judge_stuck(w, class);
}

/* The line in which two outputs first differ, as text. */
static void add_line(const char *at, size_t bytes, size_t from, struct buffer *out)
{
	char line[81];
	size_t end = from, begin = from;
	while (begin > 0 && at[begin - 1] != '\n')
		begin--;
	while (end < bytes && at[end] != '\n' && at[end] && end - begin < sizeof line - 1)
		end++;
	snprintf(line, sizeof line, "%.*s", (int)(end - begin), at ? at + begin : "");
	buffer_quote(out, line);
}

/* It did not write what others wrote: a finding, once.  True: whoever goes on from a state has to make this run again. */
static bool keep_output(struct work *w, struct run_done *done)
{
	size_t same = 0, had = w->written.count;
	if (!w->o->same_output || failure_is(&any_failure, done) || failure_is_unknown(done))
		return false;
	if (!w->has_written) {
		buffer_add(&w->written, done->output.at, done->output.count);
		w->has_written = true;
		return w->search;               /* but for the first of all, which is always made again */
	}
	while (same < had && same < done->output.count && done->output.at[same] == (char)w->written.at[same])
		same++;
	if ((same == had && same == done->output.count) || w->out->outputs.count)
		return false;
	struct check_found *f = vec_add(&w->out->outputs);
	buffer_print(&f->line, "output differs: '");
	add_line((const char *)w->written.at, had, same, &f->line);
	buffer_print(&f->line, "' in one execution, '");
	add_line(done->output.at, done->output.count, same, &f->line);
	buffer_print(&f->line, "' in another");
	buffer_add(&f->line, "", 1);
	buffer_add(&f->output, done->output.at, done->output.count);
	f->same = same;
	f->schedule = done->result.log;
	schedule_init(&done->result.log);
	w->out->verdict = CHECK_BUG;
	return true;
}

static bool is_over(const struct work *w)
{
	return w->o->most_seconds > 0 && clock_seconds() - w->began > w->o->most_seconds;
}

static bool is_stopped(const void *work)
{
	const struct work *w = work;
	return is_over(w) || (w->o->is_stopped && w->o->is_stopped());
}

/* It had its steps and goes on: who did not get a turn in them might have ended it, and who did may be at work. */
static bool is_cut_off(const struct run_done *done)
{
	return done->result.outcome == OUTCOME_LIVELOCK && (done->result.late || !strcmp(done->result.text, STEER_STILL_RUNS));
}

void work_count(struct work *w, struct run_done *done, const struct run_end *end)
{
	bool is_endless = end->spins || is_cut_off(done);       /* as far as the steps it was given show */
	w->out->executions++;
	w->made++;
	if (done->result.interrupted || w->threads.cut)
		is_over(w) ? enough(w, "the time allowed is over") : enough(w, "it was interrupted");
	else if (done->result.late)
		work_incomplete(w, "a run took too long, and nobody knows whether it would have ended (--timeout)");
	else if (done->result.outcome == OUTCOME_LIVELOCK && !end->spins)
		work_incomplete(w, *w->threads.trouble ? w->threads.trouble : "a run that does not end");
	if (done->result.early.count)
		early(w, &done->result);
	if (done->result.interrupted || w->threads.cut) {       /* where it would have ended is not known */
		run_done_release(done);
		return;
	}
	bool is_bug = !is_endless && keep_bug(w, done), is_odd = !is_bug && !is_endless && keep_output(w, done);
	size_t place = ends_add(&w->ends, end, end->spins || is_bug || is_odd);
	if (end->spins)                         /* a bug if the search says that it could not have ended */
		vec_push(&w->stuck, ((struct stuck){ .end = place, .run = *done }));
	else if (!is_bug)
		run_done_release(done);
	if (w->search && !w->threads.grown && !end->discarded)
		mark_run(w, end, place);
	if (*w->threads.trouble)
		work_incomplete(w, w->threads.trouble);
}

/* 0 and what came of it; -1 and why. */
static int make_run(struct work *w, const struct schedule *schedule, struct run_done *done, struct run_end *end)
{
	for (;;) {
		runs_give(w->runs, &(struct run_order){ .schedule = schedule, .events = MOST_STEPS, .max_steps = w->most_steps });
		if (work_take(w, done, end) < 0)
			return -1;
		if (done->result.outcome != OUTCOME_LIVELOCK || done->result.late || end->spins || w->most_steps == MOST_STEPS || w->threads.too_many)
			return 0;
		w->most_steps = MOST_STEPS;
		run_done_release(done);
	}
}

static int run(struct work *w, const struct schedule *schedule)
{
	struct run_done done;
	struct run_end end;
	if (make_run(w, schedule, &done, &end) < 0)
		return -1;
	work_count(w, &done, &end);
	return 0;
}

bool work_is_sound(const struct work *w)
{
	return !w->broken && (w->out->verdict == CHECK_SAFE || (w->out->verdict == CHECK_BUG && w->o->keep_going && !*w->out->why));
}

bool work_goes_on(struct work *w)
{
	if (w->out->verdict == CHECK_INCOMPLETE || (w->out->verdict == CHECK_BUG && !w->o->keep_going))
		return false;
	if (w->o->most_runs && w->made >= w->o->most_runs)
		enough(w, "the runs allowed were made");
	if (w->most_made && (w->made >= w->most_made || (w->search && explore_states(w->search) >= w->most_states)))
		enough(w, "wider bounds take too long");
	if (is_over(w))
		enough(w, "the time allowed is over");
	if (w->o->progress && !w->o->progress(w->out->executions, explore_open(w->search) + w->waiting.count + w->late.count))
		enough(w, "it was interrupted");
	if (clock_seconds() - w->kept_at > w->keep_every)
		keep(w);
	return work_is_sound(w);
}

/* ---------------------------------------------------------------- the search */

static bool is_wanted(void *work, struct key class)
{
	return !classes_is_executed(&((struct work *)work)->classes, class);
}

/* A schedule that leads to where the search does not know on; if the thread has come back to the beginning of a loop there, then on to what no run has shown. */
static void schedule_unknown(struct work *w, struct step step, uint32_t node, struct schedule *out)
{
	struct ahead a = { .node = node, .head = NO_NODE, .wanted = is_wanted, .who = w };
	struct further further = { node, step.woken == TIMES_OUT, step.woken };
	bool goes_on = false;
	doings way = { 0 };
	if (w->threads.nodes.at[node].deed == DEED_UNKNOWN)
		a.head = ahead_guess(&w->threads, node);
	explore_way(w->search, &way);
	if (a.head != NO_NODE)
		goes_on = ahead_find(explore_space(w->search), explore_state(w->search), &a, &way);
	if (goes_on)
		further = (struct further){ a.unknown_node, a.unknown.woken == TIMES_OUT, a.unknown.woken };
	work_turns(w, &way, &further, !goes_on || a.unknown.thread != NOBODY, out);
	vec_release(&way);
}

/* What does the thread do there?  A run that leads there shows it. */
static int learn_more(struct work *w, struct step step)
{
	struct schedule schedule;
	uint32_t node = explore_node(w->search, step.thread);
	struct node before = w->threads.nodes.at[node];
	size_t nodes = w->threads.nodes.count;
	schedule_unknown(w, step, node, &schedule);
	int got = run(w, &schedule);
	schedule_release(&schedule);
	bool learned = w->threads.grown || w->threads.nodes.count != nodes || w->threads.nodes.at[node].deed != before.deed;
	if (got == 0 && !learned)
		work_incomplete(w, w->out->verdict == CHECK_BUG ? "where a thread fails its next step is not shown, and other threads beside it are not explored" :
			*w->threads.doubted ? w->threads.doubted : "a thread could not be brought to where its next step was to be learned");
	return got;
}

/* "bank.c:41: race: 'balance' written by T_0_0, read by T_0_1 at bank.c:57". */
static void race_say(const struct work *w, const struct adjacent *r, struct buffer *out)
{
	static const char *const done[] = { [DEED_READ] = "read", [DEED_WRITE] = "written", [DEED_UPDATE] = "updated" };
	const struct node *n[2];
	const char *place[2], *tab[2];
	for (int i = 0; i < 2; i++) {
		n[i] = &w->threads.nodes.at[r->node[i]];
		place[i] = names_text(&w->threads.places, n[i]->place);
		tab[i] = strchr(place[i], '\t');
	}
	const char *name = tab[0][1] ? tab[0] + 1 : tab[1] + 1;
	buffer_print(out, "%.*s: race: '%s' %s%s by %s, %s%s by %s at %.*s", (int)(tab[0] - place[0]), place[0], *name ? name : "memory",
		n[0]->plain ? "" : "atomically ", done[n[0]->deed], names_text(&w->threads.paths, n[0]->thread),
		n[1]->plain ? "" : "atomically ", done[n[1]->deed], names_text(&w->threads.paths, n[1]->thread), (int)(tab[1] - place[1]), place[1]);
	buffer_add(out, "", 1);
}

/* One of the two is in an atomic section, in which an assumption may end the run before the other has its turn: a schedule in which that one comes first, and
 * the section then begins.  No steps: neither is in one. */
static void schedule_around_section(struct work *w, const struct adjacent *r, struct schedule *out)
{
	const struct space *s = explore_space(w->search);
	uint32_t inside = space_inside(s, explore_state(w->search)), begin = NO_NODE;
	doings way = { 0 };
	size_t kept = 0, first;
	schedule_init(out);
	if (inside == NOBODY || r->waits[0] || r->waits[1])
		return;
	explore_way(w->search, &way);
	for (first = way.count; first > 0 && begin == NO_NODE; first--) {
		const struct node *n = &w->threads.nodes.at[way.at[first - 1].node];
		if (n->thread == inside && n->deed == DEED_ATOMIC)
			begin = way.at[first - 1].node;
	}
	for (size_t i = 0; i < way.count; i++)
		if (i < first || w->threads.nodes.at[way.at[i].node].thread != inside)
			way.at[kept++] = way.at[i];
	way.count = kept;
	uint32_t other = r->node[w->threads.nodes.at[r->node[0]].thread == inside];
	if (begin != NO_NODE && w->threads.nodes.at[other].thread != inside)
		work_turns(w, &way, (struct further[]){ { .node = other }, { .node = begin } }, 2, out);
	vec_release(&way);
}

/* Two threads are about to race where the search stands: a schedule that has them do so. */
static void raced(struct work *w, const struct adjacent *r)
{
	uint32_t one = w->threads.nodes.at[r->node[0]].place, other = w->threads.nodes.at[r->node[1]].place;
	char pair[64];
	struct further further[2];
	size_t known = w->raced.count, count = 0;
	int length = snprintf(pair, sizeof pair, "%u %u", one < other ? one : other, one < other ? other : one);
	names_put(&w->raced, pair, (size_t)length);
	if (w->raced.count == known)
		return;
	for (int i = 0; i < 2; i++)
		if (!r->waits[i])
			further[count++] = (struct further){ .node = explore_node(w->search, w->threads.nodes.at[r->node[i]].thread) };
	struct check_found *race = vec_add(&w->out->races);
	race_say(w, r, &race->line);
	for (int i = 0; i < 2; i++) {
		const char *place = names_text(&w->threads.places, w->threads.nodes.at[r->node[i]].place);
		snprintf(race->place[i], sizeof race->place[i], "%.*s", (int)strcspn(place, "\t"), place);
	}
	work_schedule(w, further, count, &race->schedule);
	schedule_around_section(w, r, &race->otherwise);
	w->out->verdict = CHECK_BUG;
}

/* A class ends where the search stands. */
static void found(struct work *w, const struct explore_found *f)
{
	uint32_t nodes[MAX_THREADS];
	if (!classes_find(&w->classes, f->class, f->spins))
		return;
	threads_are_ends(&w->threads, nodes, explore_nodes(w->search, nodes));
	if (f->spins)
		judge_stuck(w, f->class);
	if (!w->o->estimate)
		execute_later(w, f);
}

/* Where runs ended, by the classes of this search. */
static void mark_runs(struct work *w)
{
	struct run_end end;
	bool again;
	size_t from = 0;
	classes_release(&w->classes);
	for (size_t place = 0; ends_next(&w->ends, &place, &end, &again); from = place)
		if (!end.discarded)
			mark_run(w, &end, from);
}

/* Every class the search found was executed, every run was of a class it found. */
static void compare(struct work *w)
{
	while (w->stuck.count)
		not_for_ever(w);
	if (w->out->verdict != CHECK_INCOMPLETE && !classes_are_sound(&w->classes))
		work_incomplete(w, "a run ended as the search had not foreseen");
}

/* 0; 1: states are others now; -1 and why. */
static int search(struct work *w)
{
	struct explore_found f;
	for (;;) {
		enum explore_answer answer = explore_go(w->search, &f);
		int got = 0;
		if (answer == EXPLORE_FULL)
			work_incomplete(w, "there are too many states");
		if (*w->threads.trouble)
			work_incomplete(w, w->threads.trouble);
		if (answer == EXPLORE_CLASS) {
			found(w, &f);
			if (!execute_is_due(w))
				continue;
		}
		if (answer == EXPLORE_RACE)
			raced(w, &f.race);
		if (answer != EXPLORE_DONE && !work_goes_on(w))
			return 0;
		if (answer == EXPLORE_UNKNOWN)
			got = learn_more(w, f.unknown);
		else if (answer == EXPLORE_DONE && w->threads.came_back)
			return 1;               /* all that is known now makes other classes */
		else if (answer == EXPLORE_CLASS || answer == EXPLORE_DONE)
			got = execute_found(w, answer == EXPLORE_DONE);
		if (got != 0 || w->threads.grown)
			return got < 0 ? -1 : 1;
		if (answer != EXPLORE_DONE)
			continue;
		if (work_is_sound(w) && !w->o->estimate)
			compare(w);
		return 0;
	}
}

static int explore_all(struct work *w)
{
	w->threads.came_back = false;
	explore_free(w->search);
	w->search = *w->threads.trouble ? NULL : explore_new(&w->threads);
	if (*w->threads.trouble) {
		work_incomplete(w, w->threads.trouble);
		return 0;
	}
	mark_runs(w);
	int got = search(w);
	execute_drop(w);
	return got;
}

/* ---------------------------------------------------------------- all of it */

/* The run nobody steers is the first of all, and says of what is in the file whether it is of this program: memory may lie elsewhere now. */
static int go_on_from_file(struct work *w)
{
	struct run_done done;
	struct run_end end;
	size_t nodes = w->threads.nodes.count;
	if (make_run(w, NULL, &done, &end) < 0)
		return -1;
	keep_output(w, &done);
	run_done_release(&done);
	w->out->executions = w->ends.count;
	if (!resume_fits(w->resume, &w->threads.around, w->why))
		return -1;
	if (!*w->threads.trouble && w->threads.nodes.count == nodes)
		return 0;
	err_set(w->why, "state '%s' does not fit: the program does something else now than when it was kept", w->o->state);
	w->why->code = 3;
	return err_hint(w->why, "its environment, its libraries or where memory lies are others; remove the file to begin anew");
}

/* The first run, or what was learned before. */
static int begin(struct work *w)
{
	int kept = 0;
	struct resume_about about = { w->o->argv, w->o->model, w->setup.like.heap, w->o->trusted, w->o->same_output };
	if (w->o->state && !w->bound && w->threads.values == FEW_VALUES && !w->threads.follows_libraries && resume_open(&w->resume, w->o->state, &about, w->why) < 0)
		return -1;
	if (w->resume)
		kept = resume_take(w->resume, &w->threads, &w->ends, &w->most_steps, w->why);
	return kept < 0 ? -1 : kept ? go_on_from_file(w) : run(w, NULL);
}

/* Whatever ended the search before it had seen everything, a bug or somebody's wish, nothing is certified then. */
static int certify(struct work *w)
{
	if (w->threads.has_sections || w->threads.has_assumptions)
		w->out->uncertified = "programs with atomic sections or assumptions have none";
	else if (w->threads.follows_libraries)
		w->out->uncertified = "programs in which library functions access what was looked at have none";
	if (!w->o->certificate || *w->out->why || w->threads.bounded || w->out->uncertified || (w->out->verdict == CHECK_BUG && !w->o->keep_going))
		return 0;
	w->out->certified = certificate_write(w, w->why) == 0;
	return w->out->certified ? 0 : -1;
}

static int explore(struct work *w)
{
	int got = begin(w);
	if (got < 0)
		return -1;
	do
		got = explore_all(w);
	while (got > 0 && work_goes_on(w));
	if (*w->threads.doubted)
		work_incomplete(w, w->threads.doubted);
	w->out->classes = w->classes.found;
	w->out->states = w->search ? explore_states(w->search) : 0;
	w->out->cut = w->enough;
	w->out->estimate = classes_estimate(&w->classes, w->search ? explore_share(w->search) : 0);
	w->out->share = w->search ? explore_share(w->search) : 0;
	keep(w);
	if (got < 0 || w->broken)
		return -1;
	return certify(w);
}

/* A search within bounds that came to its end is none of the whole program. */
static void say_bounds(struct work *w)
{
	char threads[64] = "", values[64] = "";
	if (!w->threads.bounded || *w->out->why)
		return;
	if (w->bound)
		snprintf(threads, sizeof threads, "%llu threads that one thread creates", (unsigned long long)w->bound);
	if (w->threads.has_wide)
		snprintf(values, sizeof values, "%u values of a number", w->threads.values);
	snprintf(w->out->why, sizeof w->out->why, "bounded to %s%s%s", threads, *threads && *values ? ", and to " : "", values);
	w->out->is_bounded = true;
	if (w->out->verdict == CHECK_SAFE)
		w->out->verdict = CHECK_INCOMPLETE;
}

static void work_release(struct work *w)
{
	runs_close(w->runs);
	explore_free(w->search);
	threads_release(&w->threads);
	names_release(&w->raced);
	buffer_release(&w->written);
	resume_close(w->resume);
	ends_release(&w->ends);
	for (size_t i = 0; i < w->stuck.count; i++)
		run_done_release(&w->stuck.at[i].run);
	vec_release(&w->stuck);
	classes_release(&w->classes);
}

static struct runs_setup setup_of(const struct check_options *o, uint64_t bound)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	return (struct runs_setup){ .jobs = o->jobs ? o->jobs : cores > 0 ? (unsigned)cores : 1, .records = true,
		.like = { .stays = true, .states = true, .argv = o->argv, .unchecked = true, .loose = true, .max_steps = MOST_STEPS, .bound = bound ? bound : MAX_THREADS - 1,
			.max_seconds = o->run_seconds ? o->run_seconds : CHECK_RUN_SECONDS, .model = o->model, .heap = o->reuse ? HEAP_APART_REUSE : HEAP_APART } };
}

static int search_within(const struct check_options *o, struct bounds b, bool is_first, double began, struct check_result *out, struct bounds *next, struct err *why)
{
	struct work w = { .o = o, .out = out, .why = why, .began = began, .most_steps = FEW_STEPS, .keep_every = KEEP_EVERY, .bound = b.threads };
	if (!is_first)
		w.most_made = MORE_RUNS, w.most_states = MORE_STATES;
	w.setup = setup_of(o, b.threads);
	threads_init(&w.threads);
	w.threads.trusted = o->trusted;
	w.threads.model = o->model;
	w.threads.reuses = o->reuse;
	w.threads.values = b.values;
	w.threads.follows_libraries = b.follows;
	w.threads.is_unbounded = !b.threads;
	w.threads.is_over = is_stopped;
	w.threads.who = &w;
	w.runs = runs_open(&w.setup, why);
	int got = w.runs ? explore(&w) : -1;
	say_bounds(&w);
	*next = (struct bounds){ w.threads.too_many || w.bound ? (w.bound ? w.bound + 1 : FEW_THREADS) : 0,
		w.threads.has_wide && b.values < MOST_CHOICES ? b.values * 4 : b.values, b.follows };
	if (w.threads.shares_by_library && o->model == MODEL_SC)
		*next = (struct bounds){ b.threads, b.values, true };
	out->like = w.setup.like;
	snprintf(out->granted, sizeof out->granted, "%s", w.threads.granted);
	work_release(&w);
	return got;
}

/* Is there something to be found within wider bounds? */
static bool goes_wider(const struct check_options *o, const struct check_result *out, struct bounds was, struct bounds next)
{
	if (next.follows && !was.follows)
		return out->verdict == CHECK_INCOMPLETE;
	bool wider = next.threads > was.threads || next.values > was.values;
	bool ended = out->is_bounded || (next.threads && !was.threads);
	return wider && ended && out->verdict == CHECK_INCOMPLETE && next.threads <= MOST_THREADS && !o->estimate;
}

/* A search within wider bounds, if there is time for one.  What it has not brought to its end says nothing, but for bugs. */
static int search_wider(const struct check_options *o, double began, struct check_result *out, struct bounds b, struct bounds *next, struct err *why)
{
	struct check_result was = *out;
	struct bounds beyond;
	out->verdict = CHECK_SAFE;
	out->is_bounded = out->cut = false;
	*out->why = 0;
	int got = search_within(o, b, !was.is_bounded, began, out, &beyond, why);
	*next = beyond;
	if (got == 0 && out->verdict == CHECK_INCOMPLETE && !out->is_bounded && was.is_bounded) {
		snprintf(out->why, sizeof out->why, "%s", was.why);
		out->classes = was.classes;
		*next = b;
	}
	return got;
}

int check_program(const struct check_options *o, struct check_result *out, struct err *why)
{
	double before = spent(), began = o->began > 0 ? o->began : clock_seconds();
	struct bounds b = { 0, FEW_VALUES, false }, next;
	memset(out, 0, sizeof *out);
	int got = search_within(o, b, true, began, out, &next, why);
	while (got == 0 && goes_wider(o, out, b, next)) {
		if (next.follows && !b.follows)
			out->executions = 0;    /* it begins again */
		b = next;
		got = search_wider(o, began, out, b, &next, why);
	}
	out->like.loose = out->like.stays = false;
	out->seconds = clock_seconds() - began;
	out->cpu_seconds = spent() - before;
	return got;
}

static void one_release(struct check_found *f)
{
	schedule_release(&f->schedule);
	schedule_release(&f->otherwise);
	buffer_release(&f->line);
	buffer_release(&f->output);
}

void check_result_release(struct check_result *r)
{
	for (size_t i = 0; i < r->bugs.count; i++) {
		run_done_release(&r->bugs.at[i].run);
		buffer_release(&r->bugs.at[i].key);
	}
	vec_release(&r->bugs);
	for (size_t i = 0; i < r->races.count; i++)
		one_release(&r->races.at[i]);
	for (size_t i = 0; i < r->outputs.count; i++)
		one_release(&r->outputs.at[i]);
	vec_release(&r->races);
	vec_release(&r->outputs);
}
