/* trace/versions.c -- the versions still to come, of all lanes of one merge.
 *
 * A lane's versions of one stripe wait in a queue, in the order of its records; each nest level has queues of its own.  The
 * fronts of all queues of a stripe lie in a heap, so that a merger need not ask every lane whether a lower one is to come.
 *   (1) the front of every queue that is not empty has an entry in its stripe's heap;
 *   (2) an entry that is no front any more is dropped when it comes to the top, and passed over until then;
 *   (3) a lane that ended has no queues.
 * Expecting and passing cost O(log lanes), the question as much as there are lower fronts of the asking lane itself. */
#include "base/heap.h"
#include "trace/inside.h"

struct waiting { uint64_t version; uint32_t next; };    /* next on the same stripe + 1 */

struct queues {                                         /* of one level of one lane */
	uint32_t first[STRIPES], last[STRIPES];         /* index + 1 */
	VEC(struct waiting) all;
	size_t left;
};

struct lane_queues { struct queues *of[NEST_LEVELS]; };

struct versions {
	uint32_t lane_count;
	struct lane_queues *lanes;
	struct heap fronts[STRIPES];                    /* version; who: lane * NEST_LEVELS + level */
};

static bool is_front(const struct versions *v, struct heap_item f, uint32_t stripe)
{
	const struct queues *q = v->lanes[f.who / NEST_LEVELS].of[f.who % NEST_LEVELS];
	return q && q->first[stripe] && q->all.at[q->first[stripe] - 1].version == f.key;
}

static void add_front(struct versions *v, uint32_t lane, unsigned level, uint32_t stripe)
{
	const struct queues *q = v->lanes[lane].of[level];
	heap_push(&v->fronts[stripe], q->all.at[q->first[stripe] - 1].version, (uint64_t)lane * NEST_LEVELS + level);
}

static void drop_gone(struct versions *v, uint32_t stripe)
{
	struct heap *h = &v->fronts[stripe];
	while (h->count && !is_front(v, h->at[0], stripe))
		heap_pop(h);
}

/* A front below `version` of a lane other than `lane`, in the part of the heap below `at`. */
static uint32_t lower_in(const struct versions *v, uint32_t stripe, uint64_t version, uint32_t lane, size_t at)
{
	const struct heap *h = &v->fronts[stripe];
	while (at < h->count && h->at[at].key < version) {
		if (h->at[at].who / NEST_LEVELS != lane && is_front(v, h->at[at], stripe))
			return (uint32_t)(h->at[at].who / NEST_LEVELS);
		uint32_t found = lower_in(v, stripe, version, lane, 2 * at + 1);
		if (found != NO_THREAD.i)
			return found;
		at = 2 * at + 2;
	}
	return NO_THREAD.i;
}

/* ---- the door ---- */

struct versions *versions_new(uint32_t lanes)
{
	struct versions *v = mem_take(sizeof *v);
	v->lane_count = lanes;
	v->lanes = mem_take((lanes + 1u) * sizeof *v->lanes);
	return v;
}

void versions_expect(struct versions *v, uint32_t lane, unsigned level, uint32_t stripe, uint64_t version)
{
	check(lane < v->lane_count && level < NEST_LEVELS && stripe < STRIPES);
	struct queues *q = v->lanes[lane].of[level];
	if (!q)
		q = v->lanes[lane].of[level] = mem_take(sizeof *q);
	if (q->left == 0)
		vec_clear(&q->all);
	vec_push(&q->all, ((struct waiting){ version, 0 }));
	uint32_t mine = (uint32_t)q->all.count;
	if (q->first[stripe]) {
		q->all.at[q->last[stripe] - 1].next = mine;
	} else {
		q->first[stripe] = mine;
		add_front(v, lane, level, stripe);
	}
	q->last[stripe] = mine;
	q->left++;
}

void versions_passed(struct versions *v, uint32_t lane, unsigned level, uint32_t stripe)
{
	struct queues *q = v->lanes[lane].of[level];
	if (!q || !q->first[stripe])
		return;
	q->first[stripe] = q->all.at[q->first[stripe] - 1].next;
	q->left--;
	drop_gone(v, stripe);
	if (q->first[stripe])
		add_front(v, lane, level, stripe);
}

uint32_t versions_lower(struct versions *v, uint32_t lane, uint32_t stripe, uint64_t version)
{
	drop_gone(v, stripe);
	return lower_in(v, stripe, version, lane, 0);
}

bool versions_ended(struct versions *v, uint32_t lane)
{
	size_t left = 0;
	for (unsigned n = 0; n < NEST_LEVELS; n++) {
		struct queues *q = v->lanes[lane].of[n];
		if (!q)
			continue;
		left += q->left;
		vec_release(&q->all);
		mem_free(q);
		v->lanes[lane].of[n] = NULL;
	}
	return left != 0;
}

void versions_free(struct versions *v)
{
	if (!v)
		return;
	for (uint32_t i = 0; i < v->lane_count; i++)
		versions_ended(v, i);
	for (uint32_t i = 0; i < STRIPES; i++)
		heap_release(&v->fronts[i]);
	mem_free(v->lanes);
	mem_free(v);
}
