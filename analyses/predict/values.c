/* analyses/predict/values.c -- see values.h. */
#include "analyses/predict/values.h"

#include "analyses/predict/script.h"

#define ASK_BUDGET 20000u               /* steps of one question */
#define ASK_EVERY  65536u               /* events, whether to go on */

/* ---- the trace with its accesses ---- */

static uint32_t site_of(struct values *v, const struct place *place)
{
	uint64_t *slot = map_put(&v->by_place, (uint64_t)(uintptr_t)place, NULL);
	if (!*slot) {
		uint32_t site = place->ordinal == UINT32_MAX || !*place->linkage ? NONE : model_site(v->model, place->unit, place->linkage, place->ordinal);
		*slot = site + 1ull;
	}
	return (uint32_t)(*slot - 1);
}

static bool touches_marked(const struct recording *r, const struct event *ev)
{
	struct touched range[2];
	uint32_t count = event_is_access(ev) || ev->kind == EV_INPUT || ev->kind == EV_OUTPUT ? event_touches(ev, NULL, range) : 0;
	for (uint32_t i = 0; i < count; i++)
		for (uint64_t at = range[i].start & ~7ull, k = 0; at < range[i].start + range[i].bytes && k < SCREEN_RANGE; at += 8, k += 8)
			if (screen_marks(&r->screen, at))
				return true;
	return false;
}

void values_release(struct values *v)
{
	order_free(v->order);
	vec_release(&v->site);
	map_release(&v->by_place);
	v->order = NULL;
}

/* 0, or 1: it is not to go on, or -1 and why. */
static int read_accesses(struct values *v, const struct recording *r, struct err *why)
{
	struct merged *m;
	const struct event *ev;
	uint64_t read = 0;
	int got;
	if (v->order)
		return 0;
	if (merged_open(&m, r->trace, why) < 0)
		return -1;
	v->order = order_new(r->trace);
	order_watch(v->order, v->goes_on, v->with);
	while ((got = merged_next_in_place(m, &ev, why)) > 0) {
		if (read++ % ASK_EVERY == 0 && v->goes_on && !v->goes_on(v->with))
			break;
		if (!touches_marked(r, ev)) {
			order_note(v->order, ev);
			continue;
		}
		uint32_t node = order_note_access(v->order, ev);
		while (v->site.count <= node)
			vec_push(&v->site, NONE);
		v->site.at[node] = site_of(v, ev->place);
	}
	merged_close(m);
	if (got == 0)
		order_seal(v->order);
	else
		values_release(v);
	return got;
}

/* ---- which reads matter ---- */

#define CALLS_A_LINE 4u                 /* with more it is not known which of them an event is of */

struct held { const struct values *v; struct answer on[AIM_MOMENTS * CALLS_A_LINE]; uint32_t count; };

/* What the doings of these instructions depend on: of several on all of it, of none on nothing that is known. */
static void hold_for(struct values *v, struct held *h, const struct moment *m)
{
	uint32_t first = h->count, site = site_of(v, m->place);
	if (site != NONE && model_code(v->model)->values.at[site].op == OP_CALL && !model_calls_library(v->model, site))
		return;                         /* it happened somewhere inside */
	for (uint32_t i = 0; i <= CALLS_A_LINE; i++) {
		uint32_t one = site != NONE ? (i ? NONE : site) : model_call_at(v->model, m->place->file, m->place->line, i);
		if (one == NONE)
			return;
		struct answer a = i < CALLS_A_LINE ? depend_on(v->depend, one, PART_REACH | PART_ADDRESS) : (struct answer){ .everything = true };
		if (a.everything) {
			h->count = first;
			return;
		}
		h->on[h->count++] = a;
	}
}

static bool keeps(void *context, uint32_t node)
{
	const struct held *h = context;
	uint32_t site = node < h->v->site.count ? h->v->site.at[node] : NONE;
	for (uint32_t i = 0; i < h->count && site != NONE; i++)
		if (answer_has(&h->on[i], site))
			return true;
	return false;
}

int values_ask(struct values *v, const struct recording *r, const struct aim *aim, enum order_answer *answer, FILE *explain, struct err *why)
{
	struct held held = { .v = v };
	struct aim here = *aim;
	*answer = ORDER_UNKNOWN;
	if (!v->model || r->cut)
		return 0;
	int got = read_accesses(v, r, why);
	if (got != 0)
		return got < 0 ? -1 : 0;
	for (uint32_t i = 0; i < aim->count; i++) {
		here.at[i].spot = order_spot(v->order, aim->at[i].spot.thread, aim->at[i].index);
		hold_for(v, &held, &aim->at[i]);
	}
	struct order_read reads = { .keeps = keeps, .context = &held, .bold = true };
	*answer = script_ask(v->order, &here, &reads, ASK_BUDGET, NULL, explain);
	return 0;
}
