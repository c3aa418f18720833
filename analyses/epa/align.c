/* analyses/epa/align.c -- see align.h.
 *
 * Up to where they part the two lanes are the same, so calls and loops are counted from there: an activation is known by how far up the stack it is, or
 * by who called it from where for the how-many-th time; an event by its activation, its place, and how often it came in it.
 * The nearest pair is the one with the fewest events skipped on both sides together.  Windows are doubled until one is found: O(events skipped). */
#include "analyses/epa/align.h"

#include "base/mix.h"
#include "base/vec.h"

#define FIRST_WINDOW 64u

struct frame { uint64_t counted, plain; };      /* the activation with counts, and by call places alone */

struct walker {
	const struct canon_lane *lane;
	size_t at;
	VEC(struct frame) inner;                /* entered since they parted */
	uint64_t left;                          /* returned from, of those they were in */
	struct map times;                       /* activation and place -> how often */
};

static struct frame current(const struct walker *w)
{
	uint64_t outer = mix_word(0x5eed, w->left);
	return w->inner.count ? w->inner.at[w->inner.count - 1] : (struct frame){ outer, outer };
}

/* The event at w->at, which the walker passes: what it is known by. */
static struct frame walk(struct walker *w)
{
	const struct canon_event *e = canon_at(w->lane, w->at++);
	struct frame in = current(w);
	uint64_t what = mix_word(0xca11, (uint64_t)e->nest << 40 | (uint64_t)e->kind << 32 | e->place);
	uint64_t nth = ++*map_put(&w->times, mix_word(in.counted, what), NULL);
	struct frame key = { mix_word(mix_word(in.counted, what), nth), mix_word(in.plain, what) };
	if (e->kind == EV_ENTER)
		vec_push(&w->inner, key);
	else if (e->kind == EV_LEAVE && w->inner.count)
		w->inner.count--;
	else if (e->kind == EV_LEAVE)
		w->left++;
	return key;
}

struct side { struct walker walker; VEC(struct frame) keys; };

/* Keys of at least `count` events behind where they parted, as far as the lane goes. */
static void walk_to(struct side *s, size_t count)
{
	while (s->keys.count < count && s->walker.at < s->walker.lane->count) {
		struct frame key = walk(&s->walker);
		vec_push(&s->keys, key);
	}
}

static uint64_t key_of(struct frame f, bool counted)
{
	return counted ? f.counted : f.plain;
}

/* Can the two be laid side by side?  Hashes alone are not believed. */
static bool can_start(const struct canon_event *g, const struct canon_event *o)
{
	return g->kind < CANON_MORE && g->kind == o->kind && g->place == o->place && g->nest == o->nest;
}

struct pair { size_t golden, other; };

/* The nearest pair inside the window, by its sum; false: none. */
static bool nearest(const struct side *g, const struct side *o, size_t g_from, size_t o_from, size_t window, bool counted, struct pair *out)
{
	struct map first = { 0 };
	size_t best = SIZE_MAX, golden = g->keys.count < window ? g->keys.count : window, other = o->keys.count < window ? o->keys.count : window;
	bool fresh;
	for (size_t i = 0; i < golden; i++) {
		uint64_t *at = map_put(&first, key_of(g->keys.at[i], counted), &fresh);
		if (fresh)
			*at = i;
	}
	for (size_t i = 0; i < other && i < best; i++) {
		const uint64_t *at = map_get(&first, key_of(o->keys.at[i], counted));
		if (!at || *at + i >= best || 
			!can_start(canon_at(g->walker.lane, g_from + *at), canon_at(o->walker.lane, o_from + i)))
			continue;
		best = *at + i;
		*out = (struct pair){ *at, i };
	}
	map_release(&first);
	return best != SIZE_MAX && best <= window;
}

bool align_again(const struct canon_lane *golden, const struct canon_lane *other, size_t *g, size_t *o)
{
	struct side a = { .walker = { .lane = golden, .at = *g } }, b = { .walker = { .lane = other, .at = *o } };
	size_t most = golden->count - *g + other->count - *o;
	struct pair found = { 0, 0 };
	bool there = false;
	for (int counted = 1; counted >= 0 && !there; counted--)
		for (size_t window = FIRST_WINDOW; !there; window *= 2) {
			walk_to(&a, window);
			walk_to(&b, window);
			there = nearest(&a, &b, *g, *o, window, counted, &found);
			if (window >= most)
				break;
		}
	*g = there ? *g + found.golden : golden->count;
	*o = there ? *o + found.other : other->count;
	vec_release(&a.walker.inner);
	vec_release(&b.walker.inner);
	map_release(&a.walker.times);
	map_release(&b.walker.times);
	vec_release(&a.keys);
	vec_release(&b.keys);
	return there;
}
