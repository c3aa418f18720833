/* analyses/epa/draw.c -- the list of faults of a campaign: which place, in which thread, at which execution, which bit. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "analyses/epa/experiment.h"
#include "base/mix.h"

/* ---- where one type of fault can be made ---- */

struct spot { const struct fault_place *place; uint32_t thread; uint64_t times, up_to; uint32_t stratum; };
struct stratum { uint64_t first, count; };      /* of its executions, counted through all spots */

struct spots {
	struct fault like;
	VEC(struct spot) all;                   /* by stratum */
	VEC(struct stratum) strata;
	uint64_t total;
};

static bool needs_argument(const char *type)
{
	return !strcmp(type, "BitFlip") || !strcmp(type, "StuckAt") || !strcmp(type, "Value") || !strcmp(type, "Delay");
}

static uint64_t stratum_key(const struct campaign_config *c, const struct fault_place *s)
{
	uint64_t function = XXH64(s->linkage, strlen(s->linkage), 1);
	switch (c->draw) {
	case DRAW_PER_FUNCTION: return function;
	case DRAW_PER_KIND:     return s->kind;
	case DRAW_STRATIFIED:   return function * 31 + s->kind;
	default:                return 0;
	}
}

static void gather(struct spots *s, const struct campaign_config *c, const struct golden_run *g)
{
	struct map index = { 0 };
	char name[1024];
	bool fresh;
	for (size_t k = 0; k < g->places.all.count; k++) {
		const struct fault_place *place = &g->places.all.at[k];
		if (!(c->kinds & PLACE_BIT(place->kind)) || (c->schedule && !fault_is_steerable(&s->like, &g->places, place)))
			continue;
		if (!fault_applies(&s->like, &g->places, place) || strlen(place_say(place, name, sizeof name)) + PATH_BYTES + 32 > SITE_ROOM)
			continue;
		const struct fault_place *seen = c->schedule ? place_seen(&g->places, fault_really_at(&s->like, &g->places, place), true) : place;
		for (uint32_t i = 0; seen && i < g->canon.lane_count; i++) {     /* by path: threads of threads begin in any order */
			uint32_t thread = g->canon.lanes[i].thread;
			uint64_t times = counts_of(&g->counts, thread, seen);
			if (!times)
				continue;
			uint64_t *number = map_put(&index, stratum_key(c, place), &fresh);
			if (fresh) {
				*number = s->strata.count;
				vec_add(&s->strata);
			}
			s->strata.at[*number].count += times;
			vec_push(&s->all, ((struct spot){ place, thread, times, 0, (uint32_t)*number }));
		}
	}
	map_release(&index);
}

/* Executions of one stratum lie side by side. */
static void lay_out(struct spots *s)
{
	for (size_t k = 0; k < s->strata.count; k++) {
		s->strata.at[k].first = s->total;
		s->total += s->strata.at[k].count;
	}
	uint64_t *filled = mem_take((s->strata.count + 1) * sizeof *filled);
	VEC(struct spot) sorted = { 0 };
	for (size_t k = 0; k < s->strata.count; k++)
		for (size_t i = 0; i < s->all.count; i++)
			if (s->all.at[i].stratum == k) {
				struct spot spot = s->all.at[i];
				filled[k] += spot.times;
				spot.up_to = s->strata.at[k].first + filled[k];
				vec_push(&sorted, spot);
			}
	for (size_t i = 0; i < sorted.count; i++)
		s->all.at[i] = sorted.at[i];
	vec_release(&sorted);
	mem_free(filled);
}

static const struct spot *spot_at(const struct spots *s, uint64_t execution)
{
	size_t low = 0, high = s->all.count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (s->all.at[middle].up_to > execution)
			high = middle;
		else
			low = middle + 1;
	}
	return &s->all.at[low];
}

/* ---- one fault ---- */

static void draw_argument(struct experiment *e, const struct fault_place *s, uint64_t *state)
{
	const char *t = e->type;
	uint64_t bits = s->size ? 8ull * s->size : 64;
	if (!strcmp(t, "BitFlip") || !strcmp(t, "CallCorr") || !strcmp(t, "ThreadArg"))
		snprintf(e->fault, sizeof e->fault, "%s:%" PRIu64, t, mix_draw_below(state, bits));
	else if (!strcmp(t, "InvalPtr"))
		snprintf(e->fault, sizeof e->fault, "%s:%" PRIu64, t, mix_draw_below(state, 48));
	else if (!strcmp(t, "StuckAt")) {
		uint64_t value = mix_draw_below(state, 2);              /* before the bit, whatever the compiler */
		snprintf(e->fault, sizeof e->fault, "%s:%" PRIu64 ",%" PRIu64, t, mix_draw_below(state, bits), value);
	} else if (!strcmp(t, "Value"))
		snprintf(e->fault, sizeof e->fault, "%s:0x%" PRIx64, t, mix_draw(state));
	else if (!strcmp(t, "MallSize"))
		snprintf(e->fault, sizeof e->fault, "%s:%" PRIu64, t, mix_draw_below(state, 100));
	else if (!strcmp(t, "FileSize"))
		snprintf(e->fault, sizeof e->fault, "%s:%" PRIu64, t, 101 + mix_draw_below(state, 300));
	else if (!strcmp(t, "Delay"))
		snprintf(e->fault, sizeof e->fault, "%s:%" PRIu64, t, 1 + mix_draw_below(state, 20));
	else
		snprintf(e->fault, sizeof e->fault, "%s", t);
}

static void draw_one(struct experiment *e, const struct spots *s, const struct golden_run *g, uint64_t turn, uint64_t *state)
{
	char name[1024];
	const struct stratum *from = &s->strata.at[s->strata.count > 1 ? turn % s->strata.count : 0];
	uint64_t execution = from->first + mix_draw_below(state, from->count);
	const struct spot *spot = spot_at(s, execution);
	uint64_t nth = execution - (spot->up_to - spot->times) + 1;
	draw_argument(e, spot->place, state);
	snprintf(e->site, sizeof e->site, "%s:%s@%" PRIu64, trace_thread(g->trace, (struct thread_id){ spot->thread })->path,
		place_say(spot->place, name, sizeof name), nth);
	snprintf(e->file, sizeof e->file, "%s", spot->place->file);
	e->line = spot->place->line;
}

static int open_spots(struct spots *s, const char *type, const struct campaign_config *c, const struct golden_run *g, struct err *why)
{
	char like[64];
	memset(s, 0, sizeof *s);
	snprintf(like, sizeof like, "%s%s", type, !needs_argument(type) ? "" : !strcmp(type, "StuckAt") ? ":0,0" : ":1");
	if (fault_parse(&s->like, like, why) < 0)
		return -1;
	gather(s, c, g);
	lay_out(s);
	if (s->total)
		return 0;
	err_set(why, "'%s' can be made nowhere in '%.200s'", type, c->argv.at[0]);
	err_hint(why, c->kinds != UINT32_MAX ? "leave it out of 'types', or say more 'kinds' of places"
		: c->schedule && !strcmp(type, "Delay") ? "nobody else runs while a thread of a steered run waits; leave it out of 'types'" : "leave it out of 'types'");
	why->code = 2;
	return -1;
}

int draw_all(experiment_list *out, const struct campaign_config *c, const struct golden_run *g, struct err *why)
{
	struct spots *spots = mem_take(c->types.count * sizeof *spots);
	uint64_t state = c->seed;
	int got = 0;
	for (size_t t = 0; t < c->types.count && got == 0; t++)
		got = open_spots(&spots[t], c->types.at[t], c, g, why);
	for (uint64_t i = 0; i < c->runs && got == 0; i++)
		for (size_t t = 0; t < c->types.count; t++) {
			struct experiment *e = vec_add(out);
			e->id = out->count;
			snprintf(e->type, sizeof e->type, "%s", c->types.at[t]);
			draw_one(e, &spots[t], g, i, &state);
		}
	for (size_t t = 0; t < c->types.count; t++) {
		vec_release(&spots[t].all);
		vec_release(&spots[t].strata);
	}
	mem_free(spots);
	return got;
}
