/* rt/linger.c -- a strand about to exit waits, for a while, for what the others still do.
 *
 * An exit cuts the other threads off where they are, and when it comes is as open as any other order: it may come late.  In a run that `lingers` (wire/steer.h) a strand
 * at its EXIT is chosen when none of the others
 *   can go on: who tries in vain what it tried before cannot, nor who waits for the outside, nor who sleeps beyond LINGER_NS behind the exit;
 *   or has made as many events of its own since as the run allows, so that a program whose threads never end does.
 * Among the others the choice is that of the policy `first`.  What was chosen is in the log like any other choice: a replay knows nothing of this. */
#include "rt/steer.h"

#define LINGER_NS 3000000000ull              /* virtual; a watchdog of seconds is not meant to see the end of the program */

static uint64_t since;                       /* when the first came to its exit; 0 none has */
static bool over;                            /* an exit was chosen */

static bool may_linger(const struct strand *s)
{
	return s->at_point && s->ask.kind != EV_EXIT && s->lingered < steer->lingers;
}

static bool is_exiting(const struct strand *s)
{
	return s->at_point && s->ask.kind == EV_EXIT;
}

static bool goes_on(const struct strand *s)
{
	return may_linger(s) && !steer_spins(s) && (steer_ways_now(s) & WAY_GO);
}

/* Who has slept, or waited, long enough first; what another process may bring is not waited for. */
static struct strand *next_awake(void)
{
	struct strand *found = NULL;
	for (uint32_t i = 0; steer_deadlines && i < steer_strand_count(); i++) {
		struct strand *s = steer_strand(i);
		if (may_linger(s) && s->ask.deadline && s->ask.deadline < since + LINGER_NS && (steer_ways_now(s) & WAY(ANSWER_TIMEOUT)) && !steer_is_outside(s) &&
			(!found || s->ask.deadline < found->ask.deadline))
			found = s;
	}
	return found;
}

static struct strand *first_of(bool (*wanted)(const struct strand *))
{
	for (uint32_t i = 0; i < steer_strand_count(); i++)
		if (wanted(steer_strand(i)))
			return steer_strand(i);
	return NULL;
}

void linger(struct strand *from, struct choice *c)
{
	if (over || !c->strand || (!since && c->strand->ask.kind != EV_EXIT))
		return;
	since = since ? since : steer_clock();
	struct strand *s = goes_on(from) ? from : first_of(goes_on), *late = s ? NULL : next_awake();
	if (s || late)
		*c = (struct choice){ .strand = s ? s : late, .answer = s ? ANSWER_GO : ANSWER_TIMEOUT };
	else if (first_of(is_exiting))
		*c = (struct choice){ .strand = first_of(is_exiting), .answer = ANSWER_GO };
	over = c->strand->ask.kind == EV_EXIT;
	c->strand->lingered++;
}
