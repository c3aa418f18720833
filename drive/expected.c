/* drive/expected.c -- see expected.h. */
#include "drive/expected.h"

#include <string.h>

/* Behind the step: nothing of it was done. */
static bool is_open(const struct schedule_step *step, const struct steer_result *r)
{
	return step->what == STEP_RUN && step->thread < r->threads.count && r->threads.at[step->thread].done < step->nth;
}

bool expected_left(const struct schedule *s, const struct steer_result *r, size_t *step)
{
	size_t at = r->script_used;
	if (r->outcome != OUTCOME_LEFT) {
		while (at < s->steps.count && !is_open(&s->steps.at[at], r))
			at++;
		if (at >= s->steps.count)
			return false;
	}
	while (at + 1 < s->steps.count && s->steps.at[at].what != STEP_RUN && s->steps.at[at].what != STEP_FLUSH)
		at++;
	if (at >= s->steps.count)
		at = s->steps.count ? s->steps.count - 1 : 0;
	*step = at;
	return true;
}

bool expected_outcome(const struct schedule *s, const struct steer_result *r)
{
	if (s->outcome != r->outcome)
		return false;
	if ((s->outcome == OUTCOME_EXIT || s->outcome == OUTCOME_SIGNAL) && s->value != r->value)
		return false;
	return s->outcome == OUTCOME_DEADLOCK || !*s->text || strcmp(s->text, r->text) == 0;
}

bool expected_waits(const struct schedule *s, const struct steer_result *r)
{
	if (s->outcome != OUTCOME_DEADLOCK || s->waits.count == 0)
		return true;
	for (size_t i = 0; i < s->waits.count; i++) {
		const struct schedule_wait *w = &s->waits.at[i];
		const struct steer_thread *t = w->thread < r->threads.count ? &r->threads.at[w->thread] : NULL;
		if (!t || !t->waits || t->kind != w->kind || t->waits_for != w->holder)
			return false;
	}
	return true;
}

bool expected_events(const struct schedule *s, const struct steer_result *r)
{
	return s->events == 0 || s->events == r->steps;
}

bool expected_end(const struct schedule *s, const struct steer_result *r)
{
	size_t step;
	if (r->interrupted || expected_left(s, r, &step))
		return false;
	return s->outcome == OUTCOME_NONE || (expected_outcome(s, r) && expected_waits(s, r) && expected_events(s, r));
}
