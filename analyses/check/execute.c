/* analyses/check/execute.c -- runs for classes the search found and none has shown.
 * They wait until there are some, and are made several at a time.  They count in the order in which they were found, and none behind the one that ends it: what
 * comes out does not hang on how many are made at a time.  One that ended while a thread was to do what no run has shown waits for the end of the search: the
 * run that shows it may be of the same class. */
#include "analyses/check/check_inside.h"

#define BATCH         256u
#define WORTH_ANOTHER 200u              /* so many executions: another process to make them in */

void work_turns(struct work *w, const doings *way, const struct further *further, size_t count, struct schedule *out)
{
	if (!turns_make(&w->threads, way, further, count, out))
		work_incomplete(w, "more than 256 stores wait, and one that others see is the oldest: the runtime keeps no more");
}

void work_schedule(struct work *w, const struct further *further, size_t count, struct schedule *out)
{
	doings way = { 0 };
	explore_way(w->search, &way);
	work_turns(w, &way, further, count, out);
	vec_release(&way);
}

void execute_later(struct work *w, const struct explore_found *f)
{
	struct flight x = { .class = f->class };
	if (classes_is_executed(&w->classes, f->class))
		return;
	work_schedule(w, NULL, 0, &x.schedule);
	if (f->is_open)
		vec_push(&w->late, x);
	else
		vec_push(&w->waiting, x);
}

bool execute_is_due(const struct work *w) { return w->waiting.count >= BATCH; }

static void drop(flights *all)
{
	for (size_t i = 0; i < all->count; i++) {
		schedule_release(&all->at[i].schedule);
		if (all->at[i].done)
			run_done_release(&all->at[i].run);
	}
	vec_release(all);
}

void execute_drop(struct work *w)
{
	drop(&w->waiting);
	drop(&w->late);
}

/* 0; 1: states are others now. */
static int land(struct work *w, struct flight *x, bool counts)
{
	x->done = false;
	if (!counts) {
		run_done_release(&x->run);
		return 0;
	}
	work_count(w, &x->run, &x->end);
	if (w->threads.grown || w->threads.came_back)
		return 1;
	if (!classes_is_executed(&w->classes, x->class))
		work_incomplete(w, "a run did not end as the search had foreseen");
	return 0;
}

/* Is one more to be given now, beside so many that fly? */
static bool may_send(struct work *w, uint64_t flying)
{
	uint64_t worth = 1 + w->out->executions / WORTH_ANOTHER, room = worth < w->setup.jobs ? worth : w->setup.jobs;
	if (flying >= room || (flying && w->o->most_runs && w->made + flying >= w->o->most_runs))
		return false;
	return work_goes_on(w);
}

static int receive(struct work *w, flights *all)
{
	struct run_done done;
	struct run_end end;
	if (work_take(w, &done, &end) < 0)
		return -1;
	struct flight *x = &all->at[done.tag];
	x->run = done;
	x->end = end;
	x->done = true;
	return 0;
}

/* What a run that was made to learn has shown meanwhile need not be made again. */
static void leave_out(struct work *w, flights *all)
{
	size_t kept = 0;
	for (size_t i = 0; i < all->count; i++) {
		if (classes_is_executed(&w->classes, all->at[i].class))
			schedule_release(&all->at[i].schedule);
		else
			all->at[kept++] = all->at[i];
	}
	all->count = kept;
}

static int fly(struct work *w, flights *all)
{
	size_t given = 0, landed = 0;
	int got = 0;
	for (;;) {
		for (; given < all->count && got == 0 && may_send(w, given - landed); given++)
			runs_give(w->runs, &(struct run_order){ .schedule = &all->at[given].schedule, .events = MOST_STEPS, .max_steps = w->most_steps, .tag = given });
		if (given == landed)
			return got;
		if (receive(w, all) < 0)
			return -1;
		for (; landed < given && all->at[landed].done; landed++)
			got |= land(w, &all->at[landed], got == 0 && work_is_sound(w));
	}
}

int execute_found(struct work *w, bool all)
{
	leave_out(w, &w->waiting);
	int got = fly(w, &w->waiting);
	drop(&w->waiting);
	if (got != 0 || !all)
		return got;
	leave_out(w, &w->late);
	got = fly(w, &w->late);
	drop(&w->late);
	return got;
}
