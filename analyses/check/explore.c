/* analyses/check/explore.c -- see explore.h.
 * A state is kept as a record: a hash of 128 bits, the state it came from and the step between them.  Its bytes are kept only while it
 * is open.  The way to a state is made again from the steps: those are all of deeds others notice, and what is learned later puts none of
 * these between them. */
#include "analyses/check/explore.h"

#include <string.h>
#include <xxhash.h>

#define MOST_STATES (1u << 28)
#define VISITS_A_PAUSE (1u << 14)       /* some hundredths of a second */

struct record { uint64_t high; uint32_t from; uint16_t thread, woken; };
#define NO_RECORD UINT32_MAX
static uint32_t wide(uint16_t woken) { return (uint32_t)(int32_t)(int16_t)woken; }    /* of a record */

struct explore {
	struct space space;
	VEC(struct record) records;
	struct map by_hash;             /* low half -> record */
	VEC(uint32_t) open;             /* records, */
	VEC(char) states;               /* and their states, one behind the other, */
	VEC(uint32_t) sizes;            /* of so many bytes */
	VEC(struct found_class) classes;
	struct map by_class;            /* low half of its key -> class */
	steps steps;
	struct state *here, *then;      /* the state being looked at, if `looking`; the next */
	struct state *alike;            /* what is hashed of one */
	uint32_t record;
	bool looking;
	uint64_t visited;
};

const struct space *explore_space(const struct explore *s) { return &s->space; }
uint64_t explore_states(const struct explore *s) { return s->records.count; }
uint64_t explore_open(const struct explore *s) { return s->open.count; }
uint32_t explore_node(const struct explore *s, uint32_t thread) { return space_node(s->here, thread); }

struct class_key class_of(const struct space *s, const uint32_t *nodes, uint32_t count)
{
	uint32_t anchors[MAX_THREADS];
	for (uint32_t i = 0; i < MAX_THREADS; i++)
		anchors[i] = i < count ? space_anchor(s, nodes[i]) : NO_NODE;
	XXH128_hash_t h = XXH3_128bits(anchors, sizeof anchors);
	return (struct class_key){ h.low64, h.high64 };
}

/* The place for a key in a map of low halves; keys that share one stand behind each other. */
static uint64_t *slot(struct map *m, uint64_t low, uint64_t high, bool *fresh, uint64_t (*high_of)(const struct explore *, uint64_t), const struct explore *s)
{
	uint64_t *at;
	while (at = map_put(m, low, fresh), !*fresh && high_of(s, *at) != high)
		low += 0x9e3779b97f4a7c15u;
	return at;
}

static uint64_t record_high(const struct explore *s, uint64_t record) { return s->records.at[record].high; }
static uint64_t class_high(const struct explore *s, uint64_t found) { return s->classes.at[found].key.high; }

static void keep_open(struct explore *s, const struct state *state)
{
	size_t bytes = space_bytes(&s->space, state), need = s->states.count + bytes;
	vec_push(&s->open, (uint32_t)s->records.count);
	vec_push(&s->sizes, (uint32_t)bytes);
	if (need > s->states.room)
		s->states.at = mem_resize(s->states.at, s->states.room = need * 2);
	memcpy(s->states.at + s->states.count, state, bytes);
	s->states.count = need;
}

static void take_open(struct explore *s)
{
	s->record = s->open.at[--s->open.count];
	uint32_t bytes = s->sizes.at[--s->sizes.count];
	s->states.count -= bytes;
	memcpy(s->here, s->states.at + s->states.count, bytes);
	s->looking = true;
}

/* Its record; *fresh: it was not known. */
static uint32_t add_state(struct explore *s, const struct state *state, uint32_t from, struct step step, bool *fresh)
{
	space_alike(&s->space, state, s->alike);
	XXH128_hash_t h = XXH3_128bits(s->alike, space_bytes(&s->space, s->alike));
	uint64_t *at = slot(&s->by_hash, h.low64, h.high64, fresh, record_high, s);
	if (!*fresh)
		return (uint32_t)*at;
	*at = s->records.count;
	keep_open(s, state);
	vec_push(&s->records, ((struct record){ h.high64, from, (uint16_t)step.thread, (uint16_t)step.woken }));
	return (uint32_t)s->records.count - 1;
}

struct explore *explore_new(struct threads *t)
{
	struct explore *s = mem_take(sizeof *s);
	bool fresh;
	space_shape(&s->space, t);
	s->here = mem_take(s->space.most_bytes + sizeof(uint32_t));
	s->then = mem_take(s->space.most_bytes + sizeof(uint32_t));
	s->alike = mem_take(s->space.most_bytes + sizeof(uint32_t));
	space_begin(&s->space, s->then, NULL);
	add_state(s, s->then, NO_RECORD, (struct step){ 0, NOBODY }, &fresh);
	return s;
}

void explore_free(struct explore *s)
{
	if (!s)
		return;
	vec_release(&s->records);
	map_release(&s->by_hash);
	vec_release(&s->open);
	vec_release(&s->states);
	vec_release(&s->sizes);
	vec_release(&s->classes);
	map_release(&s->by_class);
	vec_release(&s->steps);
	mem_free(s->here);
	mem_free(s->then);
	mem_free(s->alike);
	mem_free(s);
}

static void add_class(struct explore *s, const struct state *at, uint32_t record, bool spins)
{
	uint32_t nodes[MAX_THREADS];
	bool fresh;
	for (uint32_t i = 0; i < s->space.thread_count; i++)
		nodes[i] = space_node(at, i);
	struct class_key key = class_of(&s->space, nodes, s->space.thread_count);
	uint64_t *found = slot(&s->by_class, key.low, key.high, &fresh, class_high, s);
	if (!fresh)
		return;
	*found = s->classes.count;
	vec_push(&s->classes, ((struct found_class){ .key = key, .record = record, .spins = spins }));
}

/* The step has led to s->then.  Where a loop comes back to its beginning, the program may go round for ever. */
static void come_to(struct explore *s, struct step step)
{
	bool fresh;
	uint32_t record = add_state(s, s->then, s->record, step, &fresh);
	if (!fresh && space_is_at_head(&s->space, s->then, step.thread) && space_spins_in_vain(&s->space, s->then, s->alike))
		add_class(s, s->then, record, true);
}

enum explore_answer explore_go(struct explore *s, struct step *unknown)
{
	while (s->looking || s->open.count) {
		if (!s->looking)
			take_open(s);
		s->steps.count = 0;
		unknown->thread = NOBODY;
		space_settle(&s->space, s->here, NULL);         /* more may be known now than when it was found */
		if (!space_is_over(&s->space, s->here))
			space_steps(&s->space, s->here, &s->steps, unknown);
		if (unknown->thread != NOBODY)
			return EXPLORE_UNKNOWN;
		if (!s->steps.count)
			add_class(s, s->here, s->record, false);
		for (size_t i = 0; i < s->steps.count; i++) {
			memcpy(s->then, s->here, space_bytes(&s->space, s->here));
			space_take(&s->space, s->then, s->steps.at[i], NULL);
			come_to(s, s->steps.at[i]);
		}
		s->looking = false;
		if (s->records.count >= MOST_STATES)
			return EXPLORE_FULL;
		if (++s->visited % VISITS_A_PAUSE == 0)
			return EXPLORE_PAUSED;
	}
	return EXPLORE_DONE;
}

static void way(const struct explore *s, uint32_t record, doings *out)
{
	steps back = { 0 };
	struct state *at = mem_take(s->space.most_bytes + sizeof(uint32_t));
	for (uint32_t r = record; s->records.at[r].from != NO_RECORD; r = s->records.at[r].from) {
		const struct record *x = &s->records.at[r];
		vec_push(&back, ((struct step){ x->thread, wide(x->woken) }));
	}
	vec_clear(out);
	space_begin(&s->space, at, out);
	while (back.count)
		space_take(&s->space, at, back.at[--back.count], out);
	vec_release(&back);
	mem_free(at);
}

void explore_way(const struct explore *s, doings *out) { way(s, s->record, out); }
void explore_way_to(const struct explore *s, const struct found_class *c, doings *out) { way(s, c->record, out); }

struct found_class *explore_classes(struct explore *s, size_t *count)
{
	*count = s->classes.count;
	return s->classes.at;
}

struct found_class *explore_class(struct explore *s, struct class_key key)
{
	for (uint64_t low = key.low, *at; (at = map_get(&s->by_class, low)); low += 0x9e3779b97f4a7c15u)
		if (class_high(s, *at) == key.high)
			return &s->classes.at[*at];
	return NULL;
}
