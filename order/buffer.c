/* order/buffer.c -- stores that wait: weak orders, and where a store stands under TSO and PSO (docs/order.md, memory models).
 *
 * A store is made by its thread and happens for the others later, when it reaches memory.  Of what waits only releases are nodes:
 * a store that releases, a release fence, raddle_release, pthread_spin_unlock.  Each has a second node, FLUSH, in the line of its thread's buffer:
 * all stores made up to it are in memory.
 *   (1) FLUSHes of a thread keep their order, under both models: a release reaches memory after every earlier store;
 *   (2) FLUSH comes after its release, and before the next node of the thread that finds the buffer empty (row_learn());
 *   (3) who acquires comes after the FLUSH of what it saw, unless its thread made that itself: it may still be in the buffer.
 * Stores that are no releases have no nodes: what others can tell of when they happened is between which FLUSHes and nodes.
 * Under TSO a store is behind all releases made before it; under PSO behind the last fence, and behind a store that released to one
 * of its bytes, through other stores in between.  Those are found while the trace is read: behind_index says it of each byte. */
#include <errno.h>
#include <string.h>

#include "order/note.h"

#define BYTES_MOST 65536u       /* a longer store is taken to be behind all releases */

bool is_spin_unlock(const struct event *ev)
{
	return ev->kind == EV_UNLOCK && !ev->result && (ev->arg >> 8 & 0xff) == LOCK_SPIN;
}

/* Has the path libc takes here a locked instruction, or does it ask the system (docs/memory-models.md, calls of libc)?  Where that depends on the order of
 * the threads (does anybody wait for the signal?) it is taken to have none: then a no is one. */
static bool call_empties(const struct event *ev)
{
	unsigned type = ev->arg >> 8 & 0xff;
	switch (ev->kind) {
	case EV_UNLOCK:   return !ev->result && type != LOCK_SPIN;
	case EV_TRYFAIL:  return type == LOCK_SPIN || (ev->result && ev->result != EBUSY && ev->result != EDEADLK && ev->result != EINVAL);
	case EV_LOCKDEAD: return type == LOCK_COND || type == LOCK_BARRIER;
	case EV_ONCE:     return ev->arg;
	case EV_SWAIT:    return ev->result != EAGAIN && ev->result != EINVAL;
	case EV_JOIN:     return ev->result != EBUSY;
	default:          return ev->kind != EV_LOCKINIT && ev->kind != EV_CSIGNAL && ev->kind != EV_CBROADCAST;
	}
}

bool empties_buffer(const struct event *ev)
{
	switch (ev->kind) {
	case EV_ASTORE:
		return ev->order == ORDER_SEQ_CST || ev->size == 16;
	case EV_FENCE:
		return ev->order == ORDER_SEQ_CST;
	case EV_READ: case EV_WRITE: case EV_ALOAD: case EV_COPY: case EV_LIBREAD: case EV_FLUSH:
	case EV_BEGIN: case EV_BLOCK: case EV_ALLOC: case EV_FREE: case EV_REALLOC: case EV_STACK: case EV_TLS:
	case EV_ENTER: case EV_LEAVE: case EV_CALL: case EV_BRANCH: case EV_LANDED: case EV_RESULT: case EV_ARGUMENT:
	case EV_KEYFRAME: case EV_TIME: case EV_MODULE: case EV_LOST: case EV_LABEL: case EV_IGNORE: case EV_FRAMES: case EV_SHUT: case EV_OPENED: case EV_LEFT: case EV_LOCAL:
	case EV_CHOICE: case EV_RELEASE: case EV_ACQUIRE:
		return false;
	default:
		return call_empties(ev);
	}
}

bool waits_in_buffer(const struct event *ev)
{
	return ev->kind == EV_WRITE || ev->kind == EV_COPY || (ev->kind == EV_ASTORE && !empties_buffer(ev));
}

void note_emptied(struct order *o, uint32_t thread)
{
	struct thread_line *t = &o->threads[thread];
	bool own = false;
	if (!o->weak)
		return;
	if (t->marks.count)
		note_learn(o, thread, t->marks.at[t->marks.count - 1].node, &own);
	note_learn_stores(o, thread, thread, &own);
	note_left(o, thread);
	vec_push(&t->empties, (uint32_t)t->node.count);
}

uint32_t note_reached(struct order *o, uint32_t node, bool fence, const struct event *ev)
{
	bool own = false;
	if (!o->weak || empties_buffer(ev))
		return node;
	uint32_t line = o->own_count + ev->thread.i;
	note_learn(o, line, node, &own);
	note_learn_stores(o, ev->thread.i, line, &own);
	uint32_t flush = note_flush(o, line, node, ev);
	note_store_released(o, flush, ev);
	*vec_add(&o->threads[ev->thread.i].marks) = (struct mark){ 2 * ev->index + 1, flush, fence };
	return flush;
}

/* ---- bytes that are behind a release ---- */

static uint64_t byte_key(const struct event *ev, uint64_t i) { return (uint64_t)ev->thread.i << 48 ^ (ev->object + i); }

static uint32_t bytes_behind(const struct order *o, const struct event *ev, uint64_t bytes)
{
	uint32_t most = 0;
	for (uint64_t i = 0; i < bytes; i++) {
		uint64_t *slot = map_get(&o->behind_index, byte_key(ev, i));
		most = slot && *slot > most ? (uint32_t)*slot : most;
	}
	return most;
}

uint64_t store_bytes(const struct event *ev) { return ev->kind == EV_COPY ? ev->arg : ev->size; }

/* Are all bytes of this store, as far as they were stored to since the buffer was empty, of stores to the same bytes? */
static void note_extent(struct order *o, const struct event *ev)
{
	struct thread_line *t = &o->threads[ev->thread.i];
	uint64_t bytes = store_bytes(ev), epoch = (uint64_t)t->empties.count << 32;
	uint64_t extent = epoch | (uint32_t)((ev->object * 0x9e3779b97f4a7c15ull ^ bytes) * 0xd6e8feb86659fd93ull >> 32);
	bool mixed = bytes > BYTES_MOST;
	for (uint64_t i = 0; i < bytes && i < BYTES_MOST; i++) {
		uint64_t *slot = map_put(&o->extent_index, byte_key(ev, i), NULL);
		mixed |= *slot != extent && *slot >> 32 == epoch >> 32 && *slot;
		*slot = extent;
	}
	if (mixed)
		vec_push(&t->mixed, 2 * ev->index + 1);
}

void note_stored(struct order *o, const struct event *ev)
{
	uint64_t bytes = store_bytes(ev);
	if (!waits_in_buffer(ev))
		return;
	if (note_store_met(o, ev))
		note_store(o, note_node(o, OP_PASS, ev), ev);
	struct thread_line *t = &o->threads[ev->thread.i];
	uint32_t marks = (uint32_t)t->marks.count;
	note_extent(o, ev);
	if (!marks)
		return;
	bool released = t->marks.at[marks - 1].key == 2 * ev->index + 1;
	if (!released && !o->behind_index.count)
		return;
	if (!released && bytes <= BYTES_MOST)
		marks = bytes_behind(o, ev, bytes);
	if (!marks)
		return;
	for (uint64_t i = 0; i < bytes && i < BYTES_MOST; i++)
		*map_put(&o->behind_index, byte_key(ev, i), NULL) = marks;
	if (!released)
		*vec_add(&t->behinds) = (struct behind){ 2 * ev->index + 1, marks };
}

/* ---- where a store stands ---- */

/* How many are in front of `key`, in a list that rises by its first field. */
#define COUNT_BELOW(list, key_of, limit, result) do { \
	size_t low_ = 0, high_ = (list).count; \
	while (low_ < high_) { \
		size_t middle_ = (low_ + high_) / 2; \
		if (key_of((list).at[middle_]) < (limit)) \
			low_ = middle_ + 1; \
		else \
			high_ = middle_; \
	} \
	(result) = (uint32_t)low_; \
} while (0)
#define KEY_FIELD(x) ((x).key)
#define KEY_NODE(x)  (o->nodes.at[x].key)
#define KEY_SELF(x)  (x)

/* How many releases a store that is none, with `marks` of them before it, cannot overtake under PSO. */
static uint32_t marks_before(const struct thread_line *t, uint64_t key, uint32_t marks)
{
	uint32_t at, behind = 0;
	COUNT_BELOW(t->behinds, KEY_FIELD, key, at);
	if (at < t->behinds.count && t->behinds.at[at].key == key)
		behind = t->behinds.at[at].marks;
	while (marks > behind && !t->marks.at[marks - 1].fence)
		marks--;
	return marks;
}

struct stand order_stand_at(struct spot spot)
{
	return (struct stand){ .reach = { spot }, .limit = { spot }, .count = 1 };
}

struct stand order_stand(const struct order *o, enum order_model model, const struct event *ev)
{
	check(o->sealed && ev->thread.i < o->own_count && (model == ORDER_SC || (o->weak && o->model == ORDER_SC)));
	const struct thread_line *t = &o->threads[ev->thread.i];
	uint32_t at, marks, end, thread = ev->thread.i, line = o->own_count + thread;
	uint64_t key = 2 * ev->index + 1;
	COUNT_BELOW(t->node, KEY_NODE, key, at);
	struct stand stand = order_stand_at((struct spot){ thread, at });
	if (model == ORDER_SC || !waits_in_buffer(ev))
		return stand;
	COUNT_BELOW(t->marks, KEY_FIELD, key, marks);
	bool released = marks < t->marks.count && t->marks.at[marks].key == key;
	COUNT_BELOW(t->empties, KEY_SELF, at, end);
	stand.count = 2;
	stand.reach[0].at += released;
	stand.reach[1] = (struct spot){ line, model == ORDER_TSO || released ? marks : marks_before(t, key, marks) };
	stand.limit[0].at = end < t->empties.count ? t->empties.at[end] : (uint32_t)t->node.count;
	stand.limit[1] = (struct spot){ line, marks };
	return stand;
}

/* ---- a question by events ---- */

/* Stores of one thread, the first made before the second: can the second be in memory before the first, for all the two say themselves? */
static enum order_answer overtakes(const struct order *o, enum order_model model, const struct event *first, const struct event *second)
{
	const struct thread_line *t = &o->threads[first->thread.i];
	bool released = second->kind == EV_ASTORE && second->order != ORDER_RELAXED;
	bool overlap = first->object < second->object + store_bytes(second) && second->object < first->object + store_bytes(first);
	uint32_t at;
	if (model == ORDER_TSO || released || overlap)
		return ORDER_NO;
	COUNT_BELOW(t->mixed, KEY_SELF, 2 * first->index + 2, at);
	return at < t->mixed.count && t->mixed.at[at] < 2 * second->index + 1 ? ORDER_UNKNOWN : ORDER_YES;
}

static enum order_answer compatible(const struct order *o, enum order_model model, const struct event *reached, const struct event *open)
{
	if (reached->thread.i != open->thread.i || model == ORDER_SC || !waits_in_buffer(reached) || !waits_in_buffer(open) || open->index >= reached->index)
		return ORDER_YES;
	return overtakes(o, model, open, reached);
}

/* The question whether all of reached[] have happened or can happen next, and none of open[] has.  NO: by what they say themselves. */
static enum order_answer moment_question(const struct order *o, enum order_model model, const struct event *const *reached,
	uint32_t reached_count, const struct event *const *open, uint32_t open_count, struct spot *spots, struct question *q)
{
	struct spot *limits = spots + 2 * reached_count;
	enum order_answer possible = ORDER_YES;
	*q = (struct question){ .reach = spots, .limit = limits };
	for (uint32_t i = 0; i < reached_count; i++) {
		struct stand stand = order_stand(o, model, reached[i]);
		memcpy(spots + q->reach_count, stand.reach, sizeof stand.reach);
		q->reach_count += stand.count;
		for (uint32_t k = 0; k < open_count && possible != ORDER_NO; k++) {
			enum order_answer pair = compatible(o, model, reached[i], open[k]);
			possible = pair == ORDER_YES ? possible : pair;
		}
	}
	for (uint32_t i = 0; i < open_count; i++) {
		struct stand stand = order_stand(o, model, open[i]);
		memcpy(limits + q->limit_count, stand.limit, sizeof stand.limit);
		q->limit_count += stand.count;
	}
	return possible;
}

enum order_answer order_moment(struct order *o, enum order_model model, const struct event *const *reached, uint32_t reached_count,
	const struct event *const *open, uint32_t open_count, struct witness *witness)
{
	struct spot *spots = mem_take(2 * (reached_count + open_count + 1) * sizeof *spots);
	struct question q;
	enum order_answer possible = moment_question(o, model, reached, reached_count, open, open_count, spots, &q);
	q.witness = witness;
	enum order_answer answer = possible == ORDER_NO ? ORDER_NO : order_ask(o, &q);
	mem_free(spots);
	return answer == ORDER_YES ? possible : answer;
}

static void put_claim(bool reached, const struct event *ev, FILE *out)
{
	fprintf(out, reached ? "before %u:%llu END\n" : "before END %u:%llu\n", ev->thread.i, (unsigned long long)ev->index + 1);
}

enum order_answer order_refute_moment(struct order *o, enum order_model model, const struct event *const *reached, uint32_t reached_count,
	const struct event *const *open, uint32_t open_count, FILE *out)
{
	struct spot *spots = mem_take(2 * (reached_count + open_count + 1) * sizeof *spots);
	struct question q;
	enum order_answer possible = moment_question(o, model, reached, reached_count, open, open_count, spots, &q), answer = ORDER_NO;
	if (model != ORDER_SC)
		fprintf(out, "model %s\n", model == ORDER_TSO ? "tso" : "pso");
	for (uint32_t i = 0; i < open_count; i++)
		put_claim(false, open[i], out);
	for (uint32_t i = 0; i < reached_count; i++)
		put_claim(true, reached[i], out);
	if (possible == ORDER_NO)
		fputs("learn\n", out);
	else
		answer = order_refute(o, &q, out);
	mem_free(spots);
	return answer == ORDER_YES ? possible : answer;
}
