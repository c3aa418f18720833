/* analyses/predict/closed.c -- see closed.h. */
#include "analyses/predict/closed.h"

#include <stdlib.h>

#define DOUBTS_MOST     2u              /* questions of a group too hard to be decided, until no more are asked */

/* The rule against it, kept with the findings. */
static const char *kept_rule(struct work *w, char *said)
{
	const char *rule = work_rule(w, said);
	free(said);
	return rule;
}

void closed_open_model(struct work *w)
{
	if (!w->values.model && w->setup->model)
		w->setup->model(w->setup->with, &w->values.model, &w->values.depend);
}

int closed_by_rules(struct work *w, const struct recording *r, const struct aim *aim, struct err *why)
{
	if (r->closes_nothing)
		return 0;
	closed_open_model(w);
	if (!w->values.model && !w->sc.runs)
		return 1;                       /* a trace and nothing else: it is all that is spoken of */
	enum order_answer answer = ORDER_UNKNOWN;
	if (values_ask(&w->values, r, aim, VALUES_MUST, &answer, NULL, why) < 0)
		return -1;
	return answer == ORDER_NO;
}

/* Where nothing is closed for good, what one table of all reads says need not be asked any closer.  1, 0, -1 and why. */
static int is_apart(struct work *w, const struct recording *r, struct aim *aim, struct err *why)
{
	char *said = NULL;
	size_t bytes = 0;
	FILE *explain = open_memstream(&said, &bytes);
	int apart = values_apart(&w->values, r, aim, explain, why);
	if (explain)
		fclose(explain);
	if (apart == 1)
		aim->rule = kept_rule(w, said);
	else
		free(said);
	return apart;
}

static enum closed ask(struct work *w, const struct recording *r, struct aim *aim, struct err *why)
{
	static const struct { enum values_hold hold; enum closed closed; } pass[] = { { VALUES_MUST, VALUES_CLOSE }, { VALUES_MAY, VALUES_UNLIKELY } };
	int apart = r->closes_nothing ? is_apart(w, r, aim, why) : 0;
	if (apart)
		return apart < 0 ? VALUES_ERROR : VALUES_UNLIKELY;
	for (int i = 0; i < 2; i++) {
		char *said = NULL;
		size_t bytes = 0;
		enum order_answer answer = ORDER_UNKNOWN;
		FILE *explain = open_memstream(&said, &bytes);
		int got = values_ask(&w->values, r, aim, pass[i].hold, &answer, explain, why);
		if (explain)
			fclose(explain);
		if (got == 0 && answer == ORDER_NO) {
			aim->rule = kept_rule(w, said);
			return r->closes_nothing ? VALUES_UNLIKELY : pass[i].closed;
		}
		free(said);
		if (got < 0 || answer != ORDER_YES)
			return got < 0 ? VALUES_ERROR : VALUES_DOUBT;
	}
	return VALUES_OPEN;
}

int made_from_read(struct work *w, const struct recording *r, const struct aim *aim, struct err *why)
{
	closed_open_model(w);
	return values_depend(&w->values, r, aim, why);
}

int kept_script(struct work *w, const struct recording *r, const struct aim *aim, uint32_t way, struct schedule *out, struct err *why)
{
	closed_open_model(w);
	int got = values_script(&w->values, r, aim, way < 2 ? VALUES_MAY : VALUES_ANY, way % 2, out, why);
	if (got == 0 && way < 2)
		got = values_script(&w->values, r, aim, VALUES_MUST, way, out, why);
	w->out->thought = w->values.spent;
	return got;
}

/* Is there an order of these events that keeps what they need?  *rule says why not, and stays as it is if there is. */
static enum closed aim_closed(struct work *w, const struct recording *r, struct aim *aim, const char **rule, struct err *why)
{
	closed_open_model(w);
	if (!aim->asked) {
		aim->closed = (int8_t)ask(w, r, aim, why);
		aim->asked = true;
		w->out->thought = w->values.spent;
	}
	*rule = aim->rule ? aim->rule : *rule;
	return (enum closed)aim->closed;
}

/* Those of a group that were not tried so far: the first that is possible, or some of those in doubt, are its aims from here on. */
static enum closed further_closed(struct work *w, const struct recording *r, struct aims_group *group, const char **rule, struct err *why)
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
static enum closed aims_closed(struct work *w, const struct recording *r, struct aims_group *group, const char **rule, struct err *why)
{
	enum closed closed = VALUES_CLOSE, worst = closed;
	for (size_t i = 0; i < group->aims.count && closed != VALUES_ERROR && worst < VALUES_DOUBT; i++) {
		closed = aim_closed(w, r, &group->aims.at[i], rule, why);
		worst = closed > worst ? closed : worst;
	}
	return closed == VALUES_ERROR ? closed : worst;
}

bool closed_at_first(struct work *w, const struct recording *r, const struct goal *g, struct aims_group *group, enum closed *closed, struct err *why)
{
	const char *rule = "";
	bool fresh = false;
	*closed = g->raced ? VALUES_OPEN : VALUES_CLOSE;
	for (size_t i = 0; i < group->aims.count && !g->raced && *closed < VALUES_DOUBT; i++) {
		if (!group->aims.at[i].asked && fresh)
			return false;
		fresh |= !group->aims.at[i].asked;
		enum closed now = aim_closed(w, r, &group->aims.at[i], &rule, why);
		if (now == VALUES_ERROR) {
			*closed = now;
			return true;
		}
		*closed = now > *closed ? now : *closed;
	}
	return true;
}

enum closed closed_by_values(struct work *w, const struct recording *r, struct goal *g, struct aims_group *group, struct err *why)
{
	const char *rule = "";
	if ((!g->finding && !w->setup->settle) || g->raced || g->kind == AIM_HANDLED)
		return VALUES_OPEN;
	enum closed worst = aims_closed(w, r, group, &rule, why), closed = worst;
	if (worst == VALUES_DOUBT)
		worst = VALUES_OPEN;
	if (closed != VALUES_ERROR && worst != VALUES_OPEN) {
		closed = further_closed(w, r, group, &rule, why);
		worst = closed > worst ? closed : worst;
	}
	if (closed != VALUES_ERROR && worst <= VALUES_UNLIKELY && g->finding && (worst == VALUES_UNLIKELY || g->state != GOAL_SPECULATIVE)) {
		g->finding->rule = rule;
		g->finding->assumed = group->unasked ? work_not_all : g->finding->assumed;
	}
	return closed == VALUES_ERROR ? closed : worst;
}
