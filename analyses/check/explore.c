/* analyses/check/explore.c -- see explore.h.
 * Depth first.  Of a state that was seen a hash of 128 bits is kept; of one that is open its bytes and the step to it, too.  The way to where the
 * search stands is made again from the steps: those are all of deeds others notice, and what is learned later puts none of these between them. */
#include "analyses/check/explore.h"

#include <string.h>
#include <xxhash.h>

#define MOST_STATES ((size_t)1 << 30)
#define VISITS_A_PAUSE (1u << 14)       /* some hundredths of a second */

/* A step in little room. */
struct short_step { uint16_t thread, woken; };
static struct short_step shortened(struct step s) { return (struct short_step){ (uint16_t)s.thread, (uint16_t)s.woken }; }
static struct step whole(struct short_step s) { return (struct step){ s.thread, (uint32_t)(int32_t)(int16_t)s.woken }; }

/* The step that led to it, how many did in all; bytes of its state; its share of all there is to do, as far as one can tell. */
struct open { struct short_step step; uint32_t depth, bytes; double share; };

struct explore {
	struct space space;
	struct keys seen;               /* states */
	VEC(struct open) open;
	VEC(char) states;               /* of those that are open, one behind the other */
	VEC(struct short_step) path;    /* to where the search stands */
	steps steps;
	size_t next;                    /* of them to be taken */
	size_t fresh;                   /* states they have led to for the first time */
	double share, done;             /* of the state being looked at; of what has been looked at */
	struct state *here, *then;      /* the state being looked at, if `looking`; the next */
	struct state *alike;            /* what is hashed of one */
	bool looking, ready;            /* its steps are known, */
	bool judged;                    /* and its races */
	bool asks_backs;                /* which ways back were come by: */
	struct map backs;
	uint32_t back;                  /* the last, or NO_NODE */
	bool retakes;                   /* take_step() says true for that */
	struct map raced;               /* pairs of places */
	bool beyond;                    /* the last step of the path leads from `here` to where a class was found */
	uint64_t visited, pause_at;
};

const struct space *explore_space(const struct explore *s) { return &s->space; }
uint64_t explore_states(const struct explore *s) { return s->seen.count; }
uint64_t explore_open(const struct explore *s) { return s->open.count; }
double explore_share(const struct explore *s) { return s->looking || s->open.count ? s->done : 1; }
const struct state *explore_state(const struct explore *s) { return s->here; }
uint32_t explore_node(const struct explore *s, uint32_t thread) { return space_node(s->here, thread); }

uint32_t explore_nodes(const struct explore *s, uint32_t *nodes)
{
	for (uint32_t i = 0; i < s->space.thread_count; i++)
		nodes[i] = space_node(s->beyond ? s->then : s->here, i);
	return s->space.thread_count;
}

void explore_ends(const struct explore *s, uint32_t *anchors)
{
	uint32_t count = explore_nodes(s, anchors);
	for (uint32_t i = 0; i < count; i++)
		anchors[i] = space_anchor(&s->space, anchors[i]);
}

struct key class_of(const struct space *s, const uint32_t *nodes, uint32_t count)
{
	uint32_t anchors[MAX_THREADS];
	for (uint32_t i = 0; i < MAX_THREADS; i++)
		anchors[i] = i < count ? space_anchor(s, nodes[i]) : NO_NODE;
	XXH128_hash_t h = XXH3_128bits(anchors, sizeof anchors);
	return (struct key){ h.high64, h.low64 };
}

static void keep_open(struct explore *s, const struct state *state, struct step step, uint32_t depth)
{
	size_t bytes = space_bytes(&s->space, state), need = s->states.count + bytes;
	vec_push(&s->open, ((struct open){ shortened(step), depth, (uint32_t)bytes, 1 }));
	if (need > s->states.room)
		s->states.at = mem_resize(s->states.at, s->states.room = need * 2);
	memcpy(s->states.at + s->states.count, state, bytes);
	s->states.count = need;
}

static void take_open(struct explore *s)
{
	struct open x = s->open.at[--s->open.count];
	s->states.count -= x.bytes;
	memcpy(s->here, s->states.at + s->states.count, x.bytes);
	if (x.depth) {
		s->path.count = x.depth - 1;
		vec_push(&s->path, x.step);
	}
	s->looking = true;
	s->ready = s->judged = false;
	s->share = x.share;
}

/* True: it was not seen before, and is open now. */
static bool add_state(struct explore *s, const struct state *state, struct step step, size_t depth)
{
	bool fresh;
	space_alike(&s->space, state, s->alike);
	XXH128_hash_t h = XXH3_128bits(s->alike, space_bytes(&s->space, s->alike));
	keys_put(&s->seen, (struct key){ h.high64, h.low64 }, &fresh);
	if (fresh)
		keep_open(s, state, step, (uint32_t)depth);
	s->fresh += fresh;
	return fresh;
}

struct explore *explore_new(struct threads *t)
{
	struct explore *s = mem_take(sizeof *s);
	space_shape(&s->space, t);
	s->here = mem_take(s->space.most_bytes + sizeof(uint32_t));
	s->then = mem_take(s->space.most_bytes + sizeof(uint32_t));
	s->alike = mem_take(s->space.most_bytes + sizeof(uint32_t));
	space_begin(&s->space, s->then, NULL);
	add_state(s, s->then, (struct step){ 0, NOBODY }, 0);
	return s;
}

void explore_free(struct explore *s)
{
	if (!s)
		return;
	keys_release(&s->seen);
	vec_release(&s->open);
	vec_release(&s->states);
	vec_release(&s->path);
	vec_release(&s->steps);
	map_release(&s->raced);
	map_release(&s->backs);
	mem_free(s->here);
	mem_free(s->then);
	mem_free(s->alike);
	mem_free(s);
}

static void class_at(const struct explore *s, const struct state *at, bool spins, struct explore_found *out)
{
	uint32_t nodes[MAX_THREADS];
	for (uint32_t i = 0; i < s->space.thread_count; i++)
		nodes[i] = space_node(at, i);
	out->class = class_of(&s->space, nodes, s->space.thread_count);
	out->spins = spins;
	out->is_open = false;
	for (uint32_t i = 0; i < s->space.thread_count; i++)
		out->is_open |= space_is_unknown(&s->space, nodes[i]);
}

void explore_ask_backs(struct explore *s) { s->asks_backs = true; }

/* By a way nobody has come yet?  The step is taken again then. */
static bool comes_back_first(struct explore *s, struct step step)
{
	bool fresh = false;
	if (s->back != NO_NODE)
		map_put(&s->backs, s->back, &fresh);
	s->retakes = fresh;
	if (!fresh)
		return false;
	s->next--;
	vec_push(&s->path, shortened(step));
	s->beyond = true;
	return true;
}

/* Takes the next step.  True: by a way back for the first time, or where a loop comes back to its beginning, the program may go round for ever. */
static bool take_step(struct explore *s)
{
	struct step step = s->steps.at[s->next++];
	memcpy(s->then, s->here, space_bytes(&s->space, s->here));
	s->back = NO_NODE;
	s->space.came_back = s->asks_backs ? &s->back : NULL;
	space_take(&s->space, s->then, step, NULL);
	s->space.came_back = NULL;
	if (comes_back_first(s, step))
		return true;
	if (add_state(s, s->then, step, s->path.count + 1) || !space_is_at_head(&s->space, s->then, step.thread) ||
			!space_spins_in_vain(&s->space, s->then, s->alike))
		return false;
	vec_push(&s->path, shortened(step));
	s->beyond = true;
	return true;
}

/* The steps of the state being looked at; false: one of them is not known. */
static bool find_steps(struct explore *s, struct step *unknown)
{
	s->steps.count = s->next = s->fresh = 0;
	unknown->thread = NOBODY;
	space_settle(&s->space, s->here, NULL);         /* more may be known now than when it was found */
	if (!space_is_over(&s->space, s->here))
		space_steps(&s->space, s->here, &s->steps, unknown);
	return s->ready = unknown->thread == NOBODY;
}

/* What is to do behind a state is shared by the states it leads to first; if there are none, that much has been done. */
static void leave(struct explore *s)
{
	for (size_t i = 0; i < s->fresh; i++)
		s->open.at[s->open.count - 1 - i].share = s->share / (double)s->fresh;
	if (!s->fresh)
		s->done += s->share;
	s->looking = false;
	s->visited++;
}

enum explore_answer explore_go(struct explore *s, struct explore_found *out)
{
	s->path.count -= s->beyond;
	s->beyond = false;
	while (s->looking || s->open.count) {
		if (!s->looking)
			take_open(s);
		if (!s->ready && !find_steps(s, &out->unknown))
			return EXPLORE_UNKNOWN;
		if (!s->judged && !space_is_over(&s->space, s->here) && adjacent_next(&s->space, s->here, &s->raced, &out->race))
			return EXPLORE_RACE;
		s->judged = true;
		while (s->next < s->steps.count)
			if (take_step(s)) {
				out->back = s->back;
				if (s->retakes)
					return EXPLORE_BACK;
				class_at(s, s->then, true, out);
				return EXPLORE_CLASS;
			}
		leave(s);
		if (!s->steps.count && !space_is_discarded(&s->space, s->here)) {
			class_at(s, s->here, false, out);
			return EXPLORE_CLASS;
		}
		if (s->seen.count >= MOST_STATES)
			return EXPLORE_FULL;
		if (s->visited >= s->pause_at) {
			s->pause_at = s->visited + VISITS_A_PAUSE;
			return EXPLORE_PAUSED;
		}
	}
	return EXPLORE_DONE;
}

void explore_way(const struct explore *s, doings *out)
{
	struct state *at = mem_take(s->space.most_bytes + sizeof(uint32_t));
	vec_clear(out);
	space_begin(&s->space, at, out);
	for (size_t i = 0; i < s->path.count; i++)
		space_take(&s->space, at, whole(s->path.at[i]), out);
	mem_free(at);
}
