/* analyses/predict/closed.c -- see closed.h. */
#include "analyses/predict/closed.h"

#include <stdlib.h>

#define DOUBTS_MOST     2u              /* questions of a group too hard to be decided, until no more are asked */

/* Is there an order of these events that keeps what they need?  *rule says why not (to be freed). */
static enum closed aim_closed(struct work *w, const struct recording *r, const struct aim *aim, char **rule, struct err *why)
{
	char *said = NULL;
	size_t bytes = 0;
	enum order_answer answer = ORDER_UNKNOWN;
	FILE *explain = open_memstream(&said, &bytes);
	int got = values_ask(&w->values, r, aim, VALUES_MUST, &answer, explain, why);
	if (explain)
		fclose(explain);
	if (got == 0 && answer == ORDER_NO) {
		free(*rule);
		*rule = said;
		return VALUES_CLOSE;
	}
	free(said);
	said = NULL;
	explain = got == 0 && answer == ORDER_YES ? open_memstream(&said, &bytes) : NULL;
	if (got == 0 && answer == ORDER_YES)
		got = values_ask(&w->values, r, aim, VALUES_MAY, &answer, explain, why);
	if (explain)
		fclose(explain);
	if (got == 0 && answer == ORDER_NO) {
		free(*rule);
		*rule = said;
		return VALUES_UNLIKELY;
	}
	free(said);
	return got < 0 ? VALUES_ERROR : answer == ORDER_UNKNOWN ? VALUES_DOUBT : VALUES_OPEN;
}

/* Those of a group that were not tried so far: the first that is possible, or some of those in doubt, are its aims from here on. */
static enum closed further_closed(struct work *w, const struct recording *r, struct aims_group *group, char **rule, struct err *why)
{
	struct aim doubt[DOUBTS_MOST];
	size_t doubts = 0;
	enum closed closed, worst = VALUES_CLOSE;
	for (size_t i = 0; i < group->further.count && doubts < DOUBTS_MOST; i++) {
		struct aim aim = further_aim(group, i);
		if (!work_may_run(w))
			return VALUES_OPEN;             /* interrupted, or no runs are left: not decided */
		closed = aim_closed(w, r, &aim, rule, why);
		if (closed == VALUES_ERROR)
			return closed;
		if (closed == VALUES_OPEN) {
			group->aims.at[0] = aim;
			group->aims.count = 1;
			return closed;
		}
		worst = closed > worst ? closed : worst;
		if (closed == VALUES_DOUBT)
			doubt[doubts++] = aim;
	}
	if (doubts)
		group->aims.count = 0;
	for (size_t i = 0; i < doubts; i++)
		vec_push(&group->aims, doubt[i]);
	return worst;
}

/* Of the aims that are to be tried: the one with least against it. */
static enum closed aims_closed(struct work *w, const struct recording *r, const struct aims_group *group, char **rule, struct err *why)
{
	enum closed closed = VALUES_CLOSE, worst = closed;
	if (!w->values.model && w->setup->model)
		w->setup->model(w->setup->with, &w->values.model, &w->values.depend);
	for (size_t i = 0; i < group->aims.count && closed != VALUES_ERROR && worst < VALUES_DOUBT; i++) {
		closed = aim_closed(w, r, &group->aims.at[i], rule, why);
		worst = closed > worst ? closed : worst;
	}
	return closed == VALUES_ERROR ? closed : worst;
}

enum closed closed_at_first(struct work *w, const struct recording *r, const struct goal *g, const struct aims_group *group, struct err *why)
{
	char *rule = NULL;
	enum closed closed = g->raced ? VALUES_OPEN : aims_closed(w, r, group, &rule, why);
	free(rule);
	return closed;
}

enum closed closed_by_values(struct work *w, const struct recording *r, struct goal *g, struct aims_group *group, struct err *why)
{
	char *rule = NULL;
	if ((!g->finding && !w->setup->settle) || g->raced)
		return VALUES_OPEN;
	enum closed worst = aims_closed(w, r, group, &rule, why), closed = worst;
	if (worst == VALUES_DOUBT)
		worst = VALUES_OPEN;
	if (closed != VALUES_ERROR && worst != VALUES_OPEN) {
		closed = further_closed(w, r, group, &rule, why);
		worst = closed > worst ? closed : worst;
	}
	if (closed != VALUES_ERROR && worst <= VALUES_UNLIKELY && g->finding && (worst == VALUES_UNLIKELY || g->state != GOAL_SPECULATIVE)) {
		g->finding->rule = work_rule(w, rule);
		g->finding->assumed = group->unasked ? work_not_all : g->finding->assumed;
	}
	free(rule);
	return closed == VALUES_ERROR ? closed : worst;
}
