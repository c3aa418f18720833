/* tests/steer/outcomes.c -- every outcome a program has over all of its schedules with few preemptions.
 *   outcomes [-p <preemptions=2>] [-a] [-b] [-v] [-m <most runs=200000>] [-s <most events=20000>] [-r] [-M sc|tso|pso] <program> [<arguments>]
 * Prints the set, one outcome a line, sorted: how the program ended, then its standard output on one line.
 *
 * It is a search by prefixes.  A run follows a script and then goes on by itself: the running thread until it cannot, then the lowest
 * path.  From its log every other way to go on is tried: in front of each event behind the script, each other thread
 *   - where the running thread could have gone on: that is a preemption, at most -p of them;
 *   - where it could not, or yielded: that is free;
 * and at each choice of a number (whom a signal wakes) every other number, free.  With -a also each odd answer somebody could be
 * given (its time is up, it wakes for no reason), each counted as a preemption.
 * Under a weak memory model (-M) each store that could reach memory there does, counted as a preemption.
 * Only what lies behind a run's script is varied, so no schedule is run twice.
 *   -b   threads as kernel threads that pass a baton
 *   -k   write one schedule for each outcome, 1.sched, 2.sched, ... in the order they are found.
 *   -r   run the log of every run once more: it must end in the same way with the same output. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/vec.h"
#include "drive/steer.h"

struct step { uint32_t what, thread, answer; uint64_t nth; };
struct node {
	VEC(struct step) script;
	VEC(char *) paths;                      /* of the threads it names */
	unsigned cost;
	uint64_t fixed;                         /* events the script decides */
};
struct moment { uint32_t thread, step; uint64_t nth; bool flush; };      /* step: of the log, that covers it */

static unsigned most_preemptions = 2;
static bool keep, answers, baton, verbose, again;
static uint32_t model;
static uint64_t most_runs = 200000, most_events = 20000, runs, left;
static char **program;
static int output;
static VEC(char *) outcomes;
static VEC(struct node) todo;

static void fail(const char *what)
{
	printf("FAIL %s\n", what);
	exit(1);
}

/* ---- one run ---- */

static void to_schedule(struct schedule *s, const struct node *n)
{
	schedule_init(s);
	for (size_t i = 1; i < n->paths.count; i++)
		schedule_thread_add(s, n->paths.at[i], "");
	for (size_t i = 0; i < n->script.count; i++) {
		const struct step *x = &n->script.at[i];
		schedule_step_add(s, x->what, x->thread, x->nth)->answer = x->answer;
	}
}

static char *output_line(void)
{
	char bytes[4096];
	ssize_t count = pread(output, bytes, sizeof bytes - 1, 0);
	char *line = NULL;
	size_t length;
	FILE *out = open_memstream(&line, &length);
	while (count > 0 && bytes[count - 1] == '\n')
		count--;
	for (ssize_t i = 0; i < count; i++)
		if (bytes[i] == '\n')
			fputs(", ", out);
		else
			putc(bytes[i], out);
	fclose(out);
	return line;
}

static char *outcome_of(const struct steer_result *r)
{
	char said[STEER_SAY], *printed = output_line(), *all = NULL;
	if (asprintf(&all, "%s%s%s", steer_say(r, said), *printed ? ": " : "", printed) < 0)
		fail("no memory");
	free(printed);
	return all;
}

static void run_schedule(const struct schedule *s, struct steer_result *r)
{
	struct err why = { 0 };
	struct steer_options o = { .argv = program, .schedule = s, .unchecked = true, .output = output, .max_steps = most_events, .max_seconds = 20,
		.ways = most_events, .model = model, .switching = baton ? SWITCH_BATON : SWITCH_AUTO };
	if (ftruncate(output, 0) < 0 || lseek(output, 0, SEEK_SET) < 0)
		fail("cannot empty the output");
	if (++runs > most_runs)
		fail("more runs than allowed (-m)");
	if (steer_run(&o, r, &why) < 0)
		fail(why.text);
	if (r->interrupted)
		exit(130);
}

static void keep_schedule(struct steer_result *r)
{
	struct err why;
	char name[64];
	struct steer_options o = { .argv = program, .model = model, .max_steps = most_events };
	snprintf(name, sizeof name, "%zu.sched", outcomes.count);
	steer_complete(r, &o);
	if (schedule_write(&r->log, name, &why) < 0)
		fail(why.text);
}

/* 1: it is new. */
static bool add_outcome(char *text)
{
	for (size_t i = 0; i < outcomes.count; i++)
		if (strcmp(outcomes.at[i], text) == 0) {
			free(text);
			return false;
		}
	if (verbose)
		fprintf(stderr, "run %llu: %s\n", (unsigned long long)runs, text);
	vec_push(&outcomes, text);
	return true;
}

static void run_again(const struct steer_result *r, const char *expected)
{
	struct steer_result second;
	run_schedule(&r->log, &second);
	char *came = outcome_of(&second);
	if (strcmp(came, expected) != 0 || second.steps != r->steps) {
		printf("FAIL run again it ends otherwise: %s; expected %s\n", came, expected);
		schedule_print(&r->log, stdout);
		exit(1);
	}
	free(came);
	steer_result_release(&second);
}

/* ---- other ways to go on ---- */

static void node_release(struct node *n)
{
	for (size_t i = 0; i < n->paths.count; i++)
		free(n->paths.at[i]);
	vec_release(&n->paths);
	vec_release(&n->script);
}

/* The log up to and without event `i`, as a script. */
static struct node prefix(const struct steer_result *r, const struct moment *events, uint64_t i, unsigned cost)
{
	struct node n = { .cost = cost, .fixed = i + 1 };
	const struct moment *at = &events[i];
	for (size_t t = 0; t < r->log.threads.count; t++)
		vec_push(&n.paths, strdup(r->log.threads.at[t].path));
	size_t k = 0;
	for (; k < at->step; k++) {
		const struct schedule_step *s = &r->log.steps.at[k];
		bool answers = s->what == STEP_ANSWER || s->what == STEP_CHOICE;
		if (!answers || at->flush || s->thread != at->thread || s->nth < at->nth)
			vec_push(&n.script, ((struct step){ s->what, s->thread, s->answer, s->nth }));
	}
	if (i && events[i - 1].step == at->step)
		vec_push(&n.script, ((struct step){ STEP_RUN, at->thread, 0, at->nth - 1 }));
	return n;
}

static void go_on(struct node *n, uint32_t what, uint32_t thread, uint64_t nth, uint32_t answer)
{
	if (what != STEP_RUN)
		vec_push(&n->script, ((struct step){ what, thread, answer, nth }));
	if (what != STEP_FLUSH)
		vec_push(&n->script, ((struct step){ STEP_RUN, thread, 0, nth }));
	vec_push(&todo, *n);
}

/* Whose event was the last before the i-th. */
static uint32_t running_before(const struct moment *events, uint64_t i)
{
	while (i > 1 && events[i - 1].flush)
		i--;
	return events[i - 1].thread;
}

static void other_flushes(const struct steer_result *r, const struct moment *events, uint64_t i, unsigned cost)
{
	const struct schedule_step *chosen = events[i].flush ? &r->log.steps.at[events[i].step] : NULL;
	for (size_t k = 0; k < r->flushes.count && cost < most_preemptions; k++) {
		const struct steer_flush *f = &r->flushes.at[k];
		if (f->step != i || (chosen && chosen->thread == f->strand && chosen->nth == f->nth && chosen->answer == f->part))
			continue;
		struct node n = prefix(r, events, i, cost + 1);
		go_on(&n, STEP_FLUSH, f->strand, f->nth, f->part);
	}
}

static void other_threads(const struct steer_result *r, const struct moment *events, uint64_t i, const uint64_t *done, unsigned cost)
{
	uint32_t chosen = events[i].flush ? NO_PART : events[i].thread, before = running_before(events, i);
	const struct steer_ways *w = &r->ways.at[i];
	for (uint32_t t = 0; t < r->threads.count && t < 64; t++) {
		uint64_t bit = 1ull << t;
		unsigned price = before == chosen || t == before;
		struct node n;
		if (t != chosen && w->go & bit && cost + price <= most_preemptions) {
			n = prefix(r, events, i, cost + price);
			go_on(&n, STEP_RUN, t, done[t] + 1, 0);
		}
		for (uint32_t odd = ANSWER_TIMEOUT; answers && odd <= ANSWER_SPURIOUS && cost < most_preemptions; odd++)
			if ((odd == ANSWER_TIMEOUT ? w->timeout : w->spurious) & bit) {
				n = prefix(r, events, i, cost + 1);
				go_on(&n, STEP_ANSWER, t, done[t] + 1, odd);
			}
	}
}

static const struct schedule_step *choice_in(const struct steer_result *r, const struct moment *e)
{
	for (size_t k = 0; k < r->log.steps.count && k <= e->step; k++) {
		const struct schedule_step *s = &r->log.steps.at[k];
		if (s->what == STEP_CHOICE && s->thread == e->thread && s->nth == e->nth)
			return s;
	}
	return NULL;
}

static void expand(const struct steer_result *r, const struct node *from)
{
	VEC(struct moment) events = { 0 };
	uint64_t *done = mem_take((r->threads.count + 1) * sizeof *done);
	for (uint32_t k = 0; k < r->log.steps.count; k++) {
		const struct schedule_step *s = &r->log.steps.at[k];
		for (uint64_t n = done[s->thread] + 1; s->what == STEP_RUN && n <= s->nth; n++)
			vec_push(&events, ((struct moment){ s->thread, k, n, false }));
		if (s->what == STEP_RUN)
			done[s->thread] = s->nth;
		if (s->what == STEP_FLUSH)
			vec_push(&events, ((struct moment){ s->thread, k, s->nth, true }));
	}
	memset(done, 0, r->threads.count * sizeof *done);
	for (uint64_t i = 0; i < events.count; i++) {
		const struct moment *e = &events.at[i];
		if (i >= from->fixed && i > 0 && i < r->ways.count)
			other_threads(r, events.at, i, done, from->cost);
		if (i >= from->fixed && i > 0)
			other_flushes(r, events.at, i, from->cost);
		if (e->flush)
			continue;
		const struct schedule_step *choice = i + 1 >= from->fixed ? choice_in(r, e) : NULL;
		if (choice) {                            /* numbers below a forced one have had their turn */
			struct node n = prefix(r, events.at, i, from->cost);
			go_on(&n, STEP_CHOICE, e->thread, e->nth, choice->answer + 1);
		}
		done[e->thread] = e->nth;
	}
	mem_free(done);
	vec_release(&events);
}

static void visit(struct node *n)
{
	struct schedule s;
	struct steer_result r;
	to_schedule(&s, n);
	run_schedule(&s, &r);
	if (r.outcome == OUTCOME_LEFT) {
		left++;
	} else {
		if (r.log_lost)
			fail("a log is too long");
		char *text = outcome_of(&r);
		if (again)
			run_again(&r, text);
		if (r.outcome == OUTCOME_ASSUME)
			free(text);
		else if (add_outcome(text) && keep)
			keep_schedule(&r);
		expand(&r, n);
	}
	steer_result_release(&r);
	schedule_release(&s);
	node_release(n);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int main(int argc, char **argv)
{
	struct node first = { 0 };
	for (int c; (c = getopt(argc, argv, "+p:abkvrm:s:M:")) != -1;)
		switch (c) {
		case 'p': most_preemptions = (unsigned)atoi(optarg); break;
		case 'M':
			while (model_words[model] && strcmp(model_words[model], optarg) != 0)
				model++;
			if (!model_words[model])
				return 2;
			break;
		case 'a': answers = true; break;
		case 'b': baton = true; break;
		case 'v': verbose = true; break;
		case 'k': keep = true; break;
		case 'r': again = true; break;
		case 'm': most_runs = strtoull(optarg, NULL, 10); break;
		case 's': most_events = strtoull(optarg, NULL, 10); break;
		default: return 2;
		}
	if (optind == argc)
		return 2;
	program = argv + optind;
	output = memfd_create("output", MFD_CLOEXEC);
	vec_push(&first.paths, strdup("T_0"));
	vec_push(&todo, first);
	while (todo.count) {
		struct node n = todo.at[--todo.count];
		visit(&n);
	}
	qsort(outcomes.at, outcomes.count, sizeof *outcomes.at, by_text);
	for (size_t i = 0; i < outcomes.count; i++) {
		puts(outcomes.at[i]);
		free(outcomes.at[i]);
	}
	if (verbose)
		fprintf(stderr, "%llu runs, %llu of them impossible\n", (unsigned long long)runs, (unsigned long long)left);
	vec_release(&outcomes);
	vec_release(&todo);
	return 0;
}
