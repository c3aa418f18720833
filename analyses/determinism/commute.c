/* analyses/determinism/commute.c -- see commute.h.  Cost: one look at a table for each access. */
#include "analyses/determinism/commute.h"

#include <string.h>

#include "base/map.h"
#include "base/vec.h"
#include "model/update.h"

#define LOCKS_MOST 8u                           /* held at once; more are not looked at */

struct updater { const struct place *place; uint8_t kind; bool atomic; uint32_t locks[LOCKS_MOST], lock_count; };
struct begun { uint64_t address; uint32_t size, at, stamp; };           /* a load whose store is to come */

struct commute {
	struct model *model;
	const char *module;
	struct updates *updates;
	struct map value_of;                    /* place -> 1 + value, 1 + NONE: no such site */
	struct map banned;                      /* loads */
	bool fresh;                             /* one was banned on this walk */
	VEC(struct updater) updaters;           /* number - 1 */
	struct names updater_index;             /* their bytes */
	struct map begun_index;                 /* thread << 32 | load -> 1 + index */
	VEC(struct begun) begun;
	struct map word_index;                  /* words some update was begun at -> 1 + index */
	VEC(struct { uint32_t stamp[8]; }) words;       /* when each byte was written last */
	uint32_t clock;
};

struct commute *commute_new(struct model *m, const char *module)
{
	struct commute *c = mem_take(sizeof *c);
	c->model = m;
	c->module = module;
	c->updates = updates_new(model_code(m));
	return c;
}

void commute_begin(struct commute *c)
{
	map_release(&c->begun_index);
	map_release(&c->word_index);
	vec_clear(&c->begun);
	vec_clear(&c->words);
	vec_clear(&c->updaters);
	names_release(&c->updater_index);
	c->clock = 0;
	c->fresh = false;
}

void commute_free(struct commute *c)
{
	if (!c)
		return;
	commute_begin(c);
	map_release(&c->value_of);
	map_release(&c->banned);
	vec_release(&c->begun);
	vec_release(&c->words);
	vec_release(&c->updaters);
	updates_free(c->updates);
	mem_free(c);
}

static uint32_t value_of(struct commute *c, const struct place *place)
{
	bool fresh;
	uint64_t *slot = map_put(&c->value_of, (uint64_t)(uintptr_t)place, &fresh);
	if (fresh)
		*slot = place->ordinal == UINT32_MAX || strcmp(place->module, c->module) ? NONE :
			model_site(c->model, place->unit, place->linkage, place->ordinal);
	return (uint32_t)*slot;
}

/* The event is what the code says is there. */
static bool fits(const struct value *v, const struct event *ev)
{
	uint8_t kind = v->op == OP_LOAD ? EV_READ : v->op == OP_STORE ? EV_WRITE : v->op == OP_RMW ? EV_RMW : 0;
	return kind && ev->kind == kind && ev->size == v->bytes && !ev->in_flight && !ev->nest && (ev->object & 7) + ev->size <= 8;
}

static struct update update_of(struct commute *c, const struct event *ev)
{
	uint32_t value = ev->kind == EV_READ || ev->kind == EV_WRITE || ev->kind == EV_RMW ? value_of(c, ev->place) : NONE;
	if (value == NONE || !fits(&model_code(c->model)->values.at[value], ev))
		return (struct update){ 0 };
	struct update u = updates_at(c->updates, value);
	return map_get(&c->banned, u.load) ? (struct update){ 0 } : u;
}

bool commute_may(struct commute *c, const struct event *ev)
{
	return update_of(c, ev).kind != SUM_NONE;
}

static uint32_t updater_number(struct commute *c, const struct order *o, const struct event *ev, struct spot spot, uint8_t kind)
{
	struct updater u;
	memset(&u, 0, sizeof u);                /* holes too: its bytes are its name */
	u.place = ev->place;
	u.kind = kind;
	u.atomic = ev->kind == EV_RMW;
	u.lock_count = order_locks_at(o, spot, u.locks, LOCKS_MOST);
	if (u.lock_count > LOCKS_MOST)
		u.lock_count = LOCKS_MOST;
	uint32_t number = names_put(&c->updater_index, (const char *)&u, sizeof u);
	if (number == c->updaters.count)
		vec_push(&c->updaters, u);
	return number + 1;
}

static uint32_t last_written(struct commute *c, uint64_t address, uint32_t size)
{
	uint64_t *slot = map_put(&c->word_index, address & ~7ull, NULL);
	uint32_t last = 0;
	if (!*slot) {
		vec_add(&c->words);
		*slot = c->words.count;
	}
	for (uint32_t i = 0; i < size; i++) {
		uint32_t stamp = c->words.at[*slot - 1].stamp[(address & 7) + i];
		last = stamp > last ? stamp : last;
	}
	return last;
}

void commute_written(struct commute *c, uint64_t word, uint8_t mask)
{
	uint64_t *slot = c->word_index.count ? map_get(&c->word_index, word) : NULL;
	if (!slot)
		return;
	c->clock++;
	for (unsigned i = 0; i < 8; i++)
		if (mask >> i & 1)
			c->words.at[*slot - 1].stamp[i] = c->clock;
}

static bool ends_well(struct commute *c, const struct event *ev, struct spot spot, uint32_t load)
{
	uint64_t *slot = map_get(&c->begun_index, (uint64_t)spot.thread << 32 | load);
	struct begun *b = slot ? &c->begun.at[*slot - 1] : NULL;
	return b && b->address == ev->object && b->size == ev->size && b->at == spot.at &&
		b->stamp == last_written(c, ev->object, ev->size);
}

uint32_t commute_note(struct commute *c, const struct order *o, const struct event *ev, struct spot spot)
{
	struct update u = update_of(c, ev);
	if (u.kind == SUM_NONE)
		return 0;
	if (ev->kind == EV_READ) {
		uint64_t *slot = map_put(&c->begun_index, (uint64_t)spot.thread << 32 | u.load, NULL);
		if (!*slot) {
			vec_add(&c->begun);
			*slot = c->begun.count;
		}
		uint32_t stamp = last_written(c, ev->object, ev->size);
		c->begun.at[*slot - 1] = (struct begun){ ev->object, ev->size, spot.at, stamp };
	} else if (ev->kind == EV_WRITE && !ends_well(c, ev, spot, u.load)) {
		*map_put(&c->banned, u.load, NULL) = 1;
		c->fresh = true;
		return 0;
	}
	return updater_number(c, o, ev, spot, u.kind);
}

bool commute_pair(const struct commute *c, uint32_t a, uint32_t b)
{
	if (!a || !b)
		return false;
	const struct updater *x = &c->updaters.at[a - 1], *y = &c->updaters.at[b - 1];
	if (x->kind != y->kind)
		return false;
	if (x->atomic && y->atomic)
		return true;
	for (uint32_t i = 0; i < x->lock_count; i++)
		for (uint32_t k = 0; k < y->lock_count; k++)
			if (x->locks[i] == y->locks[k])
				return true;
	return false;
}

bool commute_is_sound(const struct commute *c)
{
	return !c->fresh;
}
