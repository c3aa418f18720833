/* drive/prefix.c -- see prefix.h. */
#include "drive/prefix.h"

#include "base/vec.h"

static bool is_same(const struct schedule_step *a, const struct schedule_step *b)
{
	return a->what == b->what && a->thread == b->thread && a->nth == b->nth && a->answer == b->answer;
}

/* Events of the run when it has done this turn, as far as its script says: how long a turn without a number lasts is not known. */
static uint64_t add_turn(uint64_t *done, const struct schedule_step *s, uint64_t events)
{
	if (s->what != STEP_RUN || s->nth >= SCHEDULE_NTH_MAX || s->nth <= done[s->thread])
		return events;
	events += s->nth - done[s->thread];
	done[s->thread] = s->nth;
	return events;
}

uint64_t prefix_keep(const struct schedule *s, const struct schedule *other, uint64_t unit)
{
	uint64_t *done = mem_take((s->threads.count + 1) * sizeof *done), events = 0, reached = 0, keep = 0;
	for (size_t i = 0; unit && i < s->steps.count && i < other->steps.count && is_same(&s->steps.at[i], &other->steps.at[i]); i++) {
		events = add_turn(done, &s->steps.at[i], events);
		if (events / unit > reached) {
			reached = events / unit;
			keep = i + 1;
		}
	}
	mem_free(done);
	return keep;
}
