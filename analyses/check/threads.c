/* analyses/check/threads.c -- see threads.h.
 *   (1) a node has one deed, whichever run shows it: another one at the same place means that something besides what threads are
 *       told decides (an address, time, another process), and is trouble;
 *   (2) what a run read is what the writes it showed left behind: anything else was written by code nobody watches, and is trouble. */
#include "analyses/check/threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/check/calls.h"
#include "trace/objects.h"
#include "trace/reader.h"
#include "wire/kinds.h"

#define TOUCHED_BY(thread) ((uint64_t)(thread) + 1)
#define TOUCHED_MASK   0xffffu
#define BY_MORE        (1u << 16)
#define IS_WRITTEN     (1u << 17)
#define BY_LIBRARY     (1u << 18)

void threads_init(struct threads *t)
{
	memset(t, 0, sizeof *t);
	for (uint32_t i = 0; i < MAX_THREADS; i++)
		t->roots[i] = NO_NODE;
}

void threads_release(struct threads *t)
{
	vec_release(&t->nodes);
	names_release(&t->paths);
	map_release(&t->children);
	map_release(&t->tolds);
	map_release(&t->tails);
	map_release(&t->bytes);
	map_release(&t->initial);
	map_release(&t->cells);
	map_release(&t->locks);
	vec_release(&t->cell_at);
	vec_release(&t->blocks);
	for (size_t i = 0; i < t->images.count; i++)
		image_close(t->images.at[i]);
	vec_release(&t->images);
}

static void trouble(struct threads *t, const struct event *ev, const char *what)
{
	char at[200] = "";
	if (*t->trouble)
		return;
	place_short(ev->place, at, sizeof at);
	snprintf(t->trouble, sizeof t->trouble, "%s%s%s", at, *at ? ": " : "", what);
}

/* ---------------------------------------------------------------- trees */

static uint32_t node_add(struct threads *t, uint32_t parent, uint32_t thread, uint64_t told)
{
	vec_push(&t->nodes, ((struct node){ .parent = parent, .thread = thread, .told = told, .cell = NO_CELL, .life = NO_CELL, .first = NO_NODE }));
	check(t->nodes.count < NO_NODE);
	return (uint32_t)t->nodes.count - 1;
}

uint32_t threads_child_known(const struct threads *t, uint32_t node, uint64_t told)
{
	const uint64_t *number = map_get(&t->tolds, told);
	const uint64_t *child = number ? map_get(&t->children, (uint64_t)node << 32 | *number) : NULL;
	return child ? (uint32_t)*child : NO_NODE;
}

uint32_t threads_child(struct threads *t, uint32_t node, uint64_t told)
{
	bool fresh;
	uint64_t *number = map_put(&t->tolds, told, &fresh);
	if (fresh)
		*number = t->tolds.count;
	uint64_t *child = map_put(&t->children, (uint64_t)node << 32 | *number, &fresh);
	if (fresh) {
		uint32_t made = node_add(t, node, t->nodes.at[node].thread, told);
		*map_get(&t->children, (uint64_t)node << 32 | *map_get(&t->tolds, told)) = made;
		return made;
	}
	return (uint32_t)*child;
}

bool deed_is_private(const struct node *n)
{
	switch (n->deed) {
	case DEED_READ: case DEED_WRITE: case DEED_UPDATE: case DEED_FREE: return n->cell == NO_CELL && n->life == NO_CELL;
	case DEED_CREATE: return true;
	default: return false;
	}
}

static uint32_t thread_of(struct threads *t, const char *path)
{
	uint32_t thread = names_put(&t->paths, path, strlen(path));
	if (thread < MAX_THREADS && t->roots[thread] == NO_NODE) {
		t->roots[thread] = node_add(t, NO_NODE, thread, 0);
		t->grown = true;
	}
	return thread;
}

/* ---------------------------------------------------------------- one run */

typedef VEC(uint8_t) kinds;

struct learning {
	struct threads *t;
	kinds kinds[MAX_THREADS];       /* of the points of each thread */
	struct trace *trace;
	uint32_t at[MAX_THREADS];
	uint64_t points[MAX_THREADS], number[MAX_THREADS];      /* passed so far; the record the last one belongs to */
	uint64_t before[MAX_THREADS];   /* points, at the last deed */
	struct map memory;              /* address -> value + 1, as far as the run wrote it */
	uint64_t fresh_at, fresh_bytes; /* the block allocated last */
};

/* Schedules count what a thread did by its *points* (wire/steer.h), which the run has told; events come behind their points.  Some events
 * have none (what the library does inside), some points have no event (the first of a join). */
#define LOOK_AHEAD 4u
#define LOOPS      16u
#define MOST_TAIL  64u

static bool may_have_no_point(const struct event *ev)
{
	return (ev->kind >= EV_LIBREAD && ev->kind <= EV_LIBWRITE) || (ev->kind >= EV_ALLOC && ev->kind <= EV_REALLOC) || ev->kind == EV_OUTPUT ||
		ev->kind == EV_FAILURE;
}

static bool is_never_a_point(const struct event *ev)
{
	switch (ev->kind) {
	case EV_STACK: case EV_TLS: case EV_NAME: case EV_MAP: case EV_UNMAP: case EV_BLOCK: case EV_KEYFRAME: case EV_FRAMES: case EV_IGNORE:
	case EV_TIME: case EV_MODULE: case EV_LOST: case EV_OUTCALL:
		return true;
	default:
		return false;
	}
}

/* Passes the point of an event, if it has one. */
static void pass_point(struct learning *l, uint32_t thread, const struct event *ev)
{
	const kinds *points = &l->kinds[thread];
	uint64_t at = l->points[thread], far = may_have_no_point(ev) ? 1 : LOOK_AHEAD;
	if (is_never_a_point(ev) || (ev->time && ev->time == l->number[thread]))
		return;
	for (uint64_t i = at; i < points->count && i < at + far; i++)
		if (points->at[i] == ev->kind || (!points->at[i] && (ev->kind == EV_READ || ev->kind == EV_WRITE))) {
			bool twice = ev->kind == EV_JOIN && i + 1 < points->count && points->at[i + 1] == EV_JOIN;
			l->points[thread] = i + 1 + twice;
			l->before[thread] += twice;
			l->number[thread] = ev->time;
			return;
		}
}

static void touch(struct threads *t, uint32_t thread, uint64_t at, uint64_t bytes, uint64_t flags)
{
	for (uint64_t i = 0; i < bytes; i++) {
		uint64_t *byte = map_put(&t->bytes, at + i, NULL), was = *byte;
		if (!(*byte & TOUCHED_MASK))
			*byte |= TOUCHED_BY(thread);
		else if ((*byte & TOUCHED_MASK) != TOUCHED_BY(thread))
			*byte |= BY_MORE;
		*byte |= flags;
		bool is_shared = (*byte & BY_MORE) && (*byte & IS_WRITTEN);
		t->grown |= is_shared && !((was & BY_MORE) && (was & IS_WRITTEN));
	}
}

/* ---- blocks of the heap; no address is given out twice ---- */

static struct block *block_of(const struct threads *t, uint64_t at)
{
	size_t low = 0, high = t->blocks.count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (t->blocks.at[middle].at <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low && at - t->blocks.at[low - 1].at < t->blocks.at[low - 1].bytes ? &t->blocks.at[low - 1] : NULL;
}

static void block_add(struct threads *t, uint64_t at, uint64_t bytes)
{
	if (block_of(t, at) || !bytes)
		return;
	size_t i = t->blocks.count;
	vec_push(&t->blocks, ((struct block){ 0 }));
	for (; i && t->blocks.at[i - 1].at > at; i--)
		t->blocks.at[i] = t->blocks.at[i - 1];
	t->blocks.at[i] = (struct block){ .at = at, .bytes = bytes, .thread = NO_NODE, .cell = NO_CELL };
}

static void block_touch(struct threads *t, uint32_t thread, uint64_t at, bool frees)
{
	struct block *b = block_of(t, at);
	if (!b)
		return;
	bool was = b->by_more && b->freed;
	b->by_more |= b->thread != NO_NODE && b->thread != thread;
	b->thread = thread;
	b->freed |= frees;
	t->grown |= !was && b->by_more && b->freed;
}

/* Does the run's memory have this there?  What it had before anybody wrote is learned by the first read. */
static void read_bytes(struct learning *l, const struct event *ev, uint64_t value)
{
	for (uint32_t i = 0; i < ev->size; i++) {
		uint64_t byte = value >> 8 * i & 0xff, at = ev->object + i;
		const uint64_t *now = map_get(&l->memory, at);
		bool fresh = false;
		uint64_t *first = now ? NULL : map_put(&l->t->initial, at, &fresh);
		if (fresh) {
			*first = byte + 1;
			l->t->grown |= map_get(&l->t->cells, at) != NULL;
		}
		uint64_t is = now ? *now : *first;
		if (is != byte + 1 && !(*map_put(&l->t->bytes, at, NULL) & BY_LIBRARY))
			trouble(l->t, ev, "what was read was written by code nobody watches");
	}
}

static void write_bytes(struct learning *l, uint64_t at, uint32_t size, uint64_t value)
{
	for (uint32_t i = 0; i < size; i++)
		*map_put(&l->memory, at + i, NULL) = (value >> 8 * i & 0xff) + 1;
}

static bool same_deed(const struct node *a, const struct node *b)
{
	return a->deed == b->deed && a->size == b->size && a->object == b->object && a->second == b->second && a->value == b->value &&
		a->other == b->other && a->points == b->points && a->recursive == b->recursive && a->reading == b->reading;
}

static bool is_shared(const struct threads *t, uint64_t at)
{
	const uint64_t *byte = map_get(&t->bytes, at);
	return byte && (*byte & BY_MORE) && (*byte & IS_WRITTEN);
}

static uint32_t shared_bytes(const struct threads *t, const struct node *n)
{
	uint32_t shared = 0;
	for (uint32_t i = 0; i < n->size; i++)
		shared += is_shared(t, n->object + i);
	return shared;
}

static void find_cell(struct threads *t, struct node *n)
{
	const uint64_t *cell = n->size ? map_get(&t->cells, n->object) : NULL;
	uint64_t lock = n->deed == DEED_LOCK || n->deed == DEED_UNLOCK ? n->object : n->second;
	uint32_t shared = shared_bytes(t, n);
	bool fresh = false;
	const struct block *block = n->size || n->deed == DEED_FREE ? block_of(t, n->object) : NULL;
	n->cell = cell ? (uint32_t)*cell : NO_CELL;
	n->life = block ? block->cell : NO_CELL;
	t->grown |= shared && (!cell || shared != n->size);
	if (lock) {
		uint64_t *number = map_put(&t->locks, lock, &fresh);
		if (fresh)
			*number = t->locks.count - 1;
		n->lock = (uint32_t)*number;
	}
	t->grown |= fresh;
}

/* How often in a row has it been told the same of the same? */
static bool waits_in_a_loop(const struct threads *t, uint32_t node)
{
	const struct node *n = &t->nodes.at[node];
	uint32_t times = 0;
	uint64_t object = n->parent == NO_NODE ? 0 : t->nodes.at[n->parent].object, told = 0;
	for (; n->parent != NO_NODE && times < LOOPS; n = &t->nodes.at[n->parent]) {
		const struct node *up = &t->nodes.at[n->parent];
		if ((up->deed != DEED_READ && up->deed != DEED_UPDATE) || (up->deed == DEED_UPDATE && n->written != n->told))
			return false;
		if (up->object != object)
			continue;
		if (times && n->told != told)
			return false;
		told = n->told;
		times++;
	}
	return times == LOOPS;
}

/* The thread did this, and was told that. */
static void did(struct learning *l, uint32_t thread, const struct event *ev, struct node deed, uint64_t told, uint64_t written)
{
	struct threads *t = l->t;
	struct node *n = &t->nodes.at[l->at[thread]];
	deed.points = (uint32_t)(l->points[thread] - l->before[thread]);
	l->before[thread] = l->points[thread];
	if (n->deed == DEED_UNKNOWN || n->first == NO_NODE) {
		deed.parent = n->parent, deed.thread = n->thread, deed.told = n->told, deed.written = n->written, deed.first = NO_NODE;
		find_cell(t, &deed);
		*n = deed;
	} else if (!same_deed(n, &deed)) {
		trouble(t, ev, "it does one thing in one run and another in the next, though it was told the same: "
			"an address, time or another process decides");
	}
	uint32_t child = threads_child(t, l->at[thread], told);
	t->nodes.at[child].written = written;
	if (t->nodes.at[l->at[thread]].first == NO_NODE)
		t->nodes.at[l->at[thread]].first = child;
	l->at[thread] = child;
	if (waits_in_a_loop(t, child))
		trouble(t, ev, "a loop that waits for another thread is not explored to its end yet");
}

static void accessed(struct learning *l, uint32_t thread, const struct event *ev)
{
	struct node deed = { .object = ev->object, .size = ev->size };
	bool reads = ev->kind != EV_WRITE && ev->kind != EV_ASTORE, writes = ev->kind != EV_READ && ev->kind != EV_ALOAD && !ev->failed;
	if (ev->size > 8 || ((ev->kind == EV_READ || ev->kind == EV_WRITE) && !ev->has_value))
		trouble(l->t, ev, "an access of more than 8 bytes");
	touch(l->t, thread, ev->object, ev->size, writes ? IS_WRITTEN : 0);
	block_touch(l->t, thread, ev->object, false);
	if (reads)
		read_bytes(l, ev, ev->arg);
	deed.deed = reads ? (ev->kind == EV_RMW || ev->kind == EV_CAS ? DEED_UPDATE : DEED_READ) : DEED_WRITE;
	deed.value = deed.deed == DEED_WRITE ? ev->arg : 0;
	uint64_t written = !writes ? ev->arg : deed.deed == DEED_UPDATE ? ev->written : ev->arg;
	if (writes)
		write_bytes(l, ev->object, ev->size, written);
	did(l, thread, ev, deed, reads ? ev->arg : 0, written);
}

static void locked(struct learning *l, uint32_t thread, const struct event *ev)
{
	struct node deed = { .object = ev->object, .recursive = ev->arg >> 8 == LOCK_RECURSIVE, .reading = ev->arg & LOCK_FOR_READING };
	deed.deed = ev->kind == EV_LOCK ? DEED_LOCK : DEED_UNLOCK;
	if (ev->result || (ev->arg >> 8 != LOCK_MUTEX && ev->arg >> 8 != LOCK_RECURSIVE && ev->arg >> 8 != LOCK_C11 && ev->arg >> 8 != LOCK_SPIN))
		trouble(l->t, ev, "a lock of a kind that is not explored yet");
	did(l, thread, ev, deed, 0, 0);
}

static void condition(struct learning *l, uint32_t thread, const struct event *ev)
{
	static const uint8_t deeds[] = { DEED_WAIT, DEED_WAKE, DEED_SIGNAL, DEED_BROADCAST };
	struct node deed = { .deed = deeds[ev->kind - EV_CWAIT], .object = ev->object };
	if (ev->kind == EV_CWAIT || ev->kind == EV_CWAKE)
		deed.second = ev->arg;
	if (ev->result)
		trouble(l->t, ev, "a call on a condition variable that fails");
	did(l, thread, ev, deed, 0, 0);
}

static void other_thread(struct learning *l, uint32_t thread, const struct event *ev)
{
	const struct trace_thread *other = trace_thread(l->trace, (struct thread_id){ (uint32_t)ev->object });
	struct node deed = { .deed = ev->kind == EV_FORK ? DEED_CREATE : DEED_JOIN, .other = thread_of(l->t, other->path) };
	if (ev->result)
		trouble(l->t, ev, "a thread that could not be created or joined");
	else
		did(l, thread, ev, deed, 0, 0);
}

/* What calloc puts into a new block, whose address no block had before: that is what its bytes are at first. */
static bool is_fresh(struct learning *l, const struct event *ev)
{
	if (ev->object != l->fresh_at || ev->arg > l->fresh_bytes || ev->byte_count < ev->arg)
		return false;
	for (uint64_t i = 0; i < ev->arg; i++) {
		bool fresh;
		uint64_t *first = map_put(&l->t->initial, ev->object + i, &fresh);
		*first = (uint64_t)ev->bytes[i] + 1;
		l->t->grown |= fresh && map_get(&l->t->cells, ev->object + i);
	}
	return true;
}

static void note(struct learning *l, uint32_t thread, const struct event *ev)
{
	switch (ev->kind) {
	case EV_READ: case EV_WRITE: case EV_ALOAD: case EV_ASTORE: case EV_RMW: case EV_CAS:
		accessed(l, thread, ev);
		break;
	case EV_LOCK: case EV_UNLOCK: locked(l, thread, ev); break;
	case EV_CWAIT: case EV_CWAKE: case EV_CSIGNAL: case EV_CBROADCAST: condition(l, thread, ev); break;
	case EV_FORK: case EV_JOIN: other_thread(l, thread, ev); break;
	case EV_END:  did(l, thread, ev, (struct node){ .deed = DEED_END }, 0, 0); break;
	case EV_EXIT: case EV_FAILURE: did(l, thread, ev, (struct node){ .deed = DEED_EXIT }, 0, 0); break;
	case EV_FREE:
		block_touch(l->t, thread, ev->object, true);
		did(l, thread, ev, (struct node){ .deed = DEED_FREE, .object = ev->object }, 0, 0);
		break;
	case EV_REALLOC: case EV_UNMAP:
		if (*ev->place->file)
			trouble(l->t, ev, "memory that moves or goes is not explored yet");
		break;
	case EV_ALLOC:
		block_add(l->t, ev->object, ev->arg);
		l->fresh_at = ev->object, l->fresh_bytes = ev->arg;
		break;
	case EV_LIBREAD: touch(l->t, thread, ev->object, ev->arg, BY_LIBRARY); break;
	case EV_LIBWRITE: case EV_COPY: case EV_INPUT:
		if (ev->kind == EV_LIBWRITE && is_fresh(l, ev))
			break;
		touch(l->t, thread, ev->object, ev->arg, BY_LIBRARY | IS_WRITTEN);
		break;
	case EV_BEGIN: case EV_FENCE: case EV_LOCKINIT: case EV_LOCKDEAD: case EV_YIELD: case EV_DETACH: case EV_BLOCK: case EV_NAME:
	case EV_MAP: case EV_STACK: case EV_TLS: case EV_ENTER: case EV_LEAVE:
	case EV_CALL: case EV_BRANCH: case EV_LANDED: case EV_OUTPUT: case EV_KEYFRAME: case EV_FRAMES: case EV_TIME: case EV_MODULE: case EV_LABEL:
	case EV_IGNORE: case EV_KEYDTOR:
		break;
	default: {
		char what[128];
		snprintf(what, sizeof what, "'%s' is not explored yet", event_word((enum event_kind)ev->kind));
		trouble(l->t, ev, what);
	}
	}
}

/* A thread that waits for ever has not done what it waits to do: the run says what that is. */
static void note_waiting(struct learning *l, const struct steer_result *run)
{
	for (size_t i = 0; i < run->threads.count; i++) {
		const struct steer_thread *x = &run->threads.at[i];
		uint32_t thread = thread_of(l->t, x->path);
		if (!x->waits || thread >= MAX_THREADS || l->at[thread] == NO_NODE || l->t->nodes.at[l->at[thread]].deed != DEED_UNKNOWN)
			continue;
		struct node deed = { .deed = x->kind == EV_LOCK ? DEED_LOCK : DEED_JOIN, .object = x->object };
		if (x->kind == EV_JOIN && x->waits_for < run->threads.count) {
			deed.object = 0;
			deed.other = thread_of(l->t, run->threads.at[x->waits_for].path);
		} else if (x->kind != EV_LOCK) {
			continue;
		}
		struct node *n = &l->t->nodes.at[l->at[thread]];
		n->deed = deed.deed;
		n->object = deed.object;
		n->other = deed.other;
		n->points = (uint32_t)(x->done - l->before[thread]) + (x->kind == EV_LOCK);     /* of a join's two points one is passed */
		find_cell(l->t, n);
	}
}

static int learn(struct learning *l, struct err *why)
{
	struct merged *m;
	const struct event *ev;
	int got;
	if (merged_open(&m, l->trace, why) < 0)
		return -1;
	while ((got = merged_next_in_place(m, &ev, why)) > 0) {
		uint32_t thread = thread_of(l->t, trace_thread(l->trace, ev->thread)->path);
		if (thread >= MAX_THREADS) {
			trouble(l->t, ev, "more than 127 threads");
			break;
		}
		if (l->at[thread] == NO_NODE)
			l->at[thread] = l->t->roots[thread];
		pass_point(l, thread, ev);
		note(l, thread, ev);
	}
	merged_close(m);
	return got < 0 ? -1 : 0;
}

static bool is_listed(const char *list, const char *name)
{
	size_t n = strlen(name);
	for (const char *at = list; at && (at = strstr(at, name)); at++)
		if ((at == list || at[-1] == ',') && (!at[n] || at[n] == ','))
			return true;
	return false;
}

/* Is the code of this object watched, or known to touch nothing but what events tell of? */
static bool is_watched(const struct threads *t, const struct trace_module *m, const char *name)
{
	return m->instrumented || is_listed("linux-vdso.so.1,libraddle-rt.so,libc.so.6,ld-linux-x86-64.so.2,libm.so.6,libgcc_s.so.1", name) ||
		is_listed(t->trusted, name);
}

static void ask_objects(struct learning *l)
{
	struct threads *t = l->t;
	t->asked = true;
	for (uint32_t i = 0; i < trace_module_count(l->trace) && !*t->trouble; i++) {
		const struct trace_module *m = trace_module(l->trace, i);
		const char *name = strrchr(m->path, '/') ? strrchr(m->path, '/') + 1 : m->path;
		char call[128];
		if (!is_watched(t, m, name))
			snprintf(t->trouble, sizeof t->trouble, "the code of '%.100s' is not watched (--trust=%.100s: it touches nothing threads share)", name, name);
		if (m->instrumented)
			vec_push(&t->images, image_open(m->path, m->base));
		if (m->instrumented && calls_unexplored(m->path, call, sizeof call))
			snprintf(t->trouble, sizeof t->trouble, "'%.100s' is not explored yet", call);
	}
}

/* A point of kind 0 is a plain access in a long stretch of the thread that ran before it. */
static void take_points(struct learning *l, const struct steer_result *run)
{
	uint32_t thread = 0;
	for (size_t i = 0; i < run->events.count; i++) {
		if (run->events.at[i].kind)
			thread = thread_of(l->t, run->threads.at[run->events.at[i].strand].path);
		if (thread < MAX_THREADS)
			vec_push(&l->kinds[thread], (uint8_t)run->events.at[i].kind);
	}
}

int threads_learn(struct threads *t, const struct steer_result *run, const char *path, struct run_end *end, struct err *why)
{
	struct learning l = { .t = t };
	if (trace_open(&l.trace, path, &(struct trace_options){ 0 }, why) < 0)
		return -1;
	for (uint32_t i = 0; i < MAX_THREADS; i++)
		l.at[i] = NO_NODE;
	if (!t->asked)
		ask_objects(&l);
	take_points(&l, run);
	int got = learn(&l, why);
	if (got == 0)
		note_waiting(&l, run);
	memcpy(end->at, l.at, sizeof end->at);
	end->count = (uint32_t)t->paths.count;
	for (uint32_t i = 0; i < MAX_THREADS; i++)
		vec_release(&l.kinds[i]);
	map_release(&l.memory);
	trace_close(l.trace);
	return got;
}

/* ---------------------------------------------------------------- threads that are alike */

#define TAIL_END 1u

/* A number for a pair; the tables of two words make one for four. */
static uint32_t pair_number(struct threads *t, uint64_t a, uint64_t b)
{
	bool fresh;
	uint64_t *first = map_put(&t->tolds, a, &fresh);
	if (fresh)
		*first = t->tolds.count;
	uint64_t high = *first;
	uint64_t *second = map_put(&t->tolds, b, &fresh);
	if (fresh)
		*second = t->tolds.count;
	uint64_t *number = map_put(&t->tails, high << 32 | *second, &fresh);
	if (fresh)
		*number = t->tails.count + TAIL_END;
	return (uint32_t)*number;
}

uint32_t threads_tail(struct threads *t, uint32_t node)
{
	uint32_t at = node, writes[MOST_TAIL], count = 0, tail = TAIL_END;
	for (; !t->nodes.at[at].tail && t->nodes.at[at].deed != DEED_END; at = t->nodes.at[at].first) {
		const struct node *n = &t->nodes.at[at];
		bool private = deed_is_private(n) && n->deed != DEED_CREATE;
		if (n->first == NO_NODE || (!private && (n->deed != DEED_WRITE || count == MOST_TAIL)))
			return 0;
		if (!private)
			writes[count++] = at;
	}
	if (t->nodes.at[at].tail)
		tail = t->nodes.at[at].tail;
	while (count) {
		const struct node *n = &t->nodes.at[writes[--count]];
		uint64_t what = (uint64_t)n->size << 32 | n->cell, life = n->life;
		tail = pair_number(t, (uint64_t)pair_number(t, n->value, what) << 32 | tail, life);
		t->nodes.at[writes[count]].tail = tail;
	}
	return tail;
}

/* ---------------------------------------------------------------- shared bytes */

/* All bytes of an access are cells or none is: those beside a shared one are made so until nothing changes. */
static bool widen(struct threads *t)
{
	bool more = false;
	for (size_t i = 0; i < t->nodes.count; i++) {
		const struct node *n = &t->nodes.at[i];
		uint32_t shared = shared_bytes(t, n);
		if (!shared || shared == n->size)
			continue;
		for (uint32_t b = 0; b < n->size; b++)
			*map_put(&t->bytes, n->object + b, NULL) |= BY_MORE | IS_WRITTEN;
		more = true;
	}
	return more;
}

static int by_address(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

static void find_first(struct threads *t, uint64_t at)
{
	for (size_t i = 0; i < t->images.count && !map_get(&t->initial, at); i++) {
		int byte = t->images.at[i] ? image_byte(t->images.at[i], at) : -1;
		if (byte >= 0)
			*map_put(&t->initial, at, NULL) = (uint64_t)byte + 1;
	}
}

void threads_find_cells(struct threads *t)
{
	while (widen(t))
		;
	vec_clear(&t->cell_at);
	for (size_t i = 0; i < t->bytes.room; i++) {
		const struct map_cell *c = &t->bytes.cells[i];
		if (!c->used || !is_shared(t, c->key))
			continue;
		vec_push(&t->cell_at, c->key);
		if ((c->value & BY_LIBRARY) && !*t->trouble)
			snprintf(t->trouble, sizeof t->trouble, "a library function touches memory that threads share: not explored yet");
	}
	if (t->cell_at.count)
		qsort(t->cell_at.at, t->cell_at.count, sizeof *t->cell_at.at, by_address);
	map_release(&t->cells);
	for (size_t i = 0; i < t->cell_at.count; i++) {
		*map_put(&t->cells, t->cell_at.at[i], NULL) = i;
		find_first(t, t->cell_at.at[i]);
	}
	t->life_count = 0;
	for (size_t i = 0; i < t->blocks.count; i++) {
		struct block *b = &t->blocks.at[i];
		b->cell = b->by_more && b->freed ? (uint32_t)t->cell_at.count + t->life_count++ : NO_CELL;
	}
	for (size_t i = 0; i < t->nodes.count; i++) {
		find_cell(t, &t->nodes.at[i]);
		t->nodes.at[i].tail = 0;
	}
	t->grown = false;
}
