/* analyses/predict/dams.c -- see dams.h.
 *
 * Schedules of the hundreds of candidates of a server differ in what they are made for, and are left for few reasons: a thread is to go on that waits for a client, who waits for what the
 * schedule holds back; or for a lock that another thread has, which is not to go on.  What such a run stood in front of, and how far each thread had come (*done*, by thread), stands for another schedule
 * of the same recording that wants the same thread past the same event, if
 *   outside   every other thread has done no more that is noticed there (writes, closes, signals, as the recording has them) than in that run: the outside has been
 *             told no more, and what it did not answer then, for a second, it does not answer now;
 *   held      the thread that has the lock has come exactly as far: it has it.
 * Neither is a proof.  A thread may have gone another way to as many events, and a client may have a mind of its own: so more than one run has to have been left there, and only candidates are spared runs
 * so that values are not known to permit (struct goal, shares).  Nothing is closed by it: such a candidate is speculative, with the step.
 * Cost: of a schedule its steps x dams; of a dam 8 bytes a thread. */
#include "analyses/predict/dams.h"

#include <string.h>

#include "wire/steer.h"

/* Which number of a schedule's a thread of its run has. */
static uint32_t number_of(const struct schedule *script, const struct steer_thread *t)
{
	return schedule_thread(script, t->path);
}

/* *holder: NO_PART, it is the outside.  False: it waits for something else, or is not known to wait. */
static bool waits_for(const struct schedule *script, const struct run_done *run, const struct steer_thread *t, uint32_t *holder)
{
	*holder = NO_PART;
	if (!strncmp(run->result.text, LEFT_OUTSIDE, strlen(LEFT_OUTSIDE)))
		return true;
	if (!t->waits || t->kind != EV_LOCK || t->waits_for >= run->result.threads.count)
		return false;
	*holder = number_of(script, &run->result.threads.at[t->waits_for]);
	return *holder != NO_PART;
}

void dams_note(struct work *w, const struct schedule *script, const struct run_done *run, uint64_t left)
{
	const struct schedule_step *step = &script->steps.at[run->result.script_used];
	const struct steer_thread *stands = NULL;
	struct dam dam = { .recording = w->out->recordings, .thread = step->thread, .left = left, .from = w->dammed.count, .threads = (uint32_t)script->threads.count };
	for (size_t i = 0; i < run->result.threads.count; i++)
		if (number_of(script, &run->result.threads.at[i]) == step->thread)
			stands = &run->result.threads.at[i];
	if (step->what != STEP_RUN || !stands || stands->done >= step->nth || !waits_for(script, run, stands, &dam.holder))
		return;
	dam.point = stands->done + 1;
	for (uint32_t t = 0; t < dam.threads; t++)
		vec_push(&w->dammed, 0);
	for (size_t i = 0; i < run->result.threads.count; i++) {
		uint32_t number = number_of(script, &run->result.threads.at[i]);
		if (number != NO_PART)
			w->dammed.at[dam.from + number] = run->result.threads.at[i].done;
	}
	vec_push(&w->dams, dam);
}

/* How much a thread has told others by then; where that is not known, as much as it has done. */
static uint64_t told(const struct work *w, uint32_t thread, uint64_t done)
{
	bool known = w->at_hand && w->at_hand->points && thread < trace_thread_count(w->at_hand->trace);
	return known ? recording_told(w->at_hand, thread, done) : done;
}

/* `step` wants its thread past where one stood; the others have come as far as done[] says. */
static bool holds(const struct work *w, const struct dam *d, const struct schedule_step *step, const uint64_t *done)
{
	const uint64_t *then = w->dammed.at + d->from;
	if (d->recording != w->out->recordings || step->thread != d->thread || step->nth < d->point || done[d->thread] >= d->point)
		return false;
	if (d->holder != NO_PART)
		return done[d->holder] == then[d->holder];
	for (uint32_t t = 0; t < d->threads; t++)
		if (t != d->thread && told(w, t, done[t]) > told(w, t, then[t]))
			return false;
	return true;
}

uint64_t dams_ahead(const struct work *w, const struct schedule *script, uint32_t enough, size_t *at)
{
	uint64_t left = 0, *done = mem_take((script->threads.count + 1) * sizeof *done);
	for (size_t i = 0; i < script->steps.count && !left && w->dams.count; i++) {
		const struct schedule_step *step = &script->steps.at[i];
		uint32_t times = 0;
		for (size_t k = 0; step->what == STEP_RUN && k < w->dams.count && times < enough; k++)
			if (w->dams.at[k].threads == script->threads.count && holds(w, &w->dams.at[k], step, done) && ++times == enough)
				left = w->dams.at[k].left;
		*at = i;
		if (step->what == STEP_RUN)
			done[step->thread] = step->nth;
	}
	mem_free(done);
	return left;
}

void dams_release(struct work *w)
{
	vec_release(&w->dams);
	vec_release(&w->dammed);
}
