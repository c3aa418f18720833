/* analyses/check/learn.c -- what one run shows of its threads, from its events and its points.
 *   (1) a node has one deed, whichever run shows it: another one at the same place means that something besides what threads are
 *       told decides (an address, time, another process), and is trouble;
 *   (2) what a run read is what the writes it showed left behind: anything else was written by code nobody watches, and is trouble. */
#include <stdio.h>
#include <string.h>

#include "analyses/check/calls.h"
#include "analyses/check/learn_inside.h"
#include "analyses/check/pending.h"
#include "analyses/check/unwatched.h"
#include "base/str.h"
#include "model/addresses.h"
#include "trace/objects.h"
#include "trace/reader.h"
#include "wire/kinds.h"

#define EVENTS_A_LOOK 4096u             /* at the clock */
#define LOOPS      64u                  /* so often told the same of the same: it waits in a loop */

void learn_trouble(struct threads *t, const struct event *ev, const char *what)
{
	char at[200] = "";
	if (*t->trouble)
		return;
	place_short(ev->place, at, sizeof at);
	snprintf(t->trouble, sizeof t->trouble, "%s%s%s", at, *at ? ": " : "", what);
}

/* ---------------------------------------------------------------- points */

/* Schedules count what a thread did by its *points* (wire/steer.h); an event says which one it is of, a join being one.  Where a thread
 * that waits has come to the run says, and counts having waited for the end of a thread as well: here is how often. */
static void count_waited(struct learning *l, const struct steer_result *run)
{
	for (size_t i = 0; i < run->events.count; i++) {
		if (run->events.at[i].kind != EV_JOIN)
			continue;
		uint32_t thread = threads_thread(l->t, run->threads.at[run->events.at[i].strand].path);
		if (thread < MAX_THREADS)
			l->join_points[thread]++;
	}
}

static void take_points(struct learning *l, const struct steer_result *run)
{
	for (size_t i = 0; i < run->events.count; i++) {
		const struct steer_event *e = &run->events.at[i];
		uint32_t thread = threads_thread(l->t, run->threads.at[e->strand].path);
		if (thread < MAX_THREADS && e->kind != EV_FLUSH)
			vec_push(&l->all[thread], ((struct point){ e->kind, e->how, e->state }));
	}
}

static bool may_have_no_point(const struct event *ev)
{
	return (ev->kind >= EV_LIBREAD && ev->kind <= EV_LIBWRITE) || (ev->kind >= EV_ALLOC && ev->kind <= EV_REALLOC) || ev->kind == EV_OUTPUT ||
		ev->kind == EV_UNMAP || ev->kind == EV_FAILURE || ev->kind == EV_BLEAVE;
}

static bool is_never_a_point(const struct event *ev)
{
	switch (ev->kind) {
	case EV_STACK: case EV_TLS: case EV_NAME: case EV_MAP: case EV_BLOCK: case EV_KEYFRAME: case EV_FRAMES: case EV_SHUT: case EV_OPENED: case EV_IGNORE:
	case EV_TIME: case EV_MODULE: case EV_LOST: case EV_OUTCALL: case EV_FLUSH: case EV_CALL: case EV_LOCAL:
		return true;
	default:
		return false;
	}
}

/* Is it the point of such an event?  0: of any access. */
static bool is_point_of(const struct event *ev, uint16_t kind)
{
	switch (ev->kind) {
	case EV_TRYFAIL: return kind == EV_LOCK;
	case EV_ONCERUN: return kind == EV_ONCE;
	case EV_READ: case EV_WRITE: return kind == ev->kind || !kind;
	default: return kind == ev->kind;
	}
}

/* A join that had to wait has a second point, at which it waited; so has a wake-up that timed out. */
static bool has_another(const struct event *ev, const points *points, uint64_t i)
{
	if (i >= points->count || points->at[i].kind != ev->kind)
		return false;
	return ev->kind == EV_CWAKE || (ev->kind == EV_JOIN && points->at[i].how & POINT_MAY_WAIT);
}

/* Finds the point of an event, if it has one: what more there is to know of it. */
static void find_point(struct learning *l, uint32_t thread, const struct event *ev)
{
	const points *points = &l->all[thread];
	uint64_t at = l->next[thread], far = may_have_no_point(ev) ? 1 : points->count;
	if (is_never_a_point(ev) || (ev->time && ev->time == l->number[thread]))
		return;
	for (uint64_t i = at; i < points->count && i < at + far; i++)
		if (is_point_of(ev, points->at[i].kind)) {
			bool twice = has_another(ev, points, i + 1);
			l->how[thread] = points->at[i].how;
			l->state[thread] = points->at[i].state;
			l->next[thread] = i + 1 + twice;
			l->before[thread] += twice && ev->kind == EV_CWAKE;
			l->number[thread] = ev->time;
			return;
		}
	if (!may_have_no_point(ev))
		learn_trouble(l->t, ev, "where it stands in its thread cannot be told");
}

/* ---------------------------------------------------------------- deeds */

/* Does the run's memory have this there?  What it had before anybody wrote is learned by the first read. */
static void read_bytes(struct learning *l, uint32_t thread, const struct event *ev, uint64_t value)
{
	for (uint32_t i = 0; i < ev->size; i++) {
		uint64_t byte = value >> 8 * i & 0xff, at = ev->object + i, now = seen_byte(&l->memory, thread, at);
		bool fresh = false;
		uint64_t *first = now ? NULL : map_put(&l->t->initial, at, &fresh);
		if (fresh) {
			*first = byte + 1;
			l->t->grown |= map_get(&l->t->cells, at) != NULL;
		}
		uint64_t is = now ? now : *first;
		if (is != byte + 1 && !(*map_put(&l->t->bytes, at, NULL) & BY_LIBRARY))
			learn_trouble(l->t, ev, "what was read was written by code nobody watches");
	}
}

/* Where in the source, and what is accessed there. */
static uint32_t place_number(struct threads *t, const struct event *ev)
{
	char at[200], text[300];
	place_short(ev->place, at, sizeof at);
	int length = snprintf(text, sizeof text, "%s\t%.90s", *at ? at : "an unknown place", ev->name ? ev->name : "");
	return names_put(&t->places, text, (size_t)length);
}

static bool same_deed(const struct node *a, const struct node *b)
{
	return a->deed == b->deed && a->size == b->size && a->object == b->object && a->second == b->second && a->value == b->value &&
		a->other == b->other && a->points == b->points && a->recursive == b->recursive && a->reading == b->reading &&
		a->tried == b->tried && a->timed == b->timed && a->waits == b->waits && a->release == b->release;
}

/* How often in a row has it been told the same of the same? */
static bool waits_in_a_loop(const struct threads *t, uint32_t node)
{
	const struct node *n = &t->nodes.at[node], *last = n->parent == NO_NODE ? n : &t->nodes.at[n->parent];
	uint32_t times = 0;
	uint64_t object = last->object, told = 0;
	if (!last->tried && last->deed != DEED_READ && last->deed != DEED_UPDATE)
		return false;
	for (; n->parent != NO_NODE && times < LOOPS; n = &t->nodes.at[n->parent]) {
		const struct node *up = &t->nodes.at[n->parent];
		bool looks = up->deed == DEED_READ || (up->deed == DEED_UPDATE && n->written == n->told) || up->deed == DEED_LOCK || up->deed == DEED_UNLOCK ||
			(up->deed == DEED_DOWN && up->tried);
		if (!looks)
			return false;
		if (up->object != object || up->deed != last->deed)
			continue;
		if (times && n->told != told)
			return false;
		told = n->told;
		times++;
	}
	return times == LOOPS;
}

void learn_did(struct learning *l, uint32_t thread, const struct event *ev, struct node deed, uint64_t told, uint64_t written)
{
	struct threads *t = l->t;
	struct node *n = &t->nodes.at[l->at[thread]];
	deed.points = (uint32_t)(l->points[thread] - l->before[thread]);
	l->before[thread] = l->points[thread];
	if (n->deed == DEED_UNKNOWN || n->first == NO_NODE) {
		deed.parent = n->parent, deed.thread = n->thread, deed.told = n->told, deed.written = n->written, deed.failed = n->failed, deed.first = NO_NODE;
		if (deed.size)
			deed.place = place_number(t, ev);
		threads_find_cell(t, &deed);
		t->grown |= deed.deed == DEED_JOIN;     /* who is alike hangs on it */
		*n = deed;
	} else if (!same_deed(n, &deed)) {
		learn_trouble(t, ev, "it does one thing in one run and another in the next, though it was told the same: "
			"an address, time, another process or what a stream has buffered decides");
	}
	if (pending_drained(&deed, told) && seen_waits(&l->memory, thread))
		learn_trouble(t, ev, "stores still wait where they have to be in memory");
	uint32_t child = threads_child(t, l->at[thread], told);
	t->nodes.at[child].written = written;
	t->nodes.at[child].failed = deed.deed == DEED_UPDATE && ev->failed;
	if (t->nodes.at[l->at[thread]].first == NO_NODE)
		t->nodes.at[l->at[thread]].first = child;
	else if (t->nodes.at[l->at[thread]].first != child)
		vec_push(&l->branches, l->at[thread]);
	l->at[thread] = child;
	if (waits_in_a_loop(t, child))
		learn_trouble(t, ev, "a loop that waits for another thread, and counts meanwhile or tries a lock, is explored for 64 rounds: it should only read, or give up earlier");
}

static bool looks_only(const struct event *ev)
{
	bool same = ev->failed || ev->written == ev->arg;
	return ev->kind == EV_READ || ev->kind == EV_ALOAD || ((ev->kind == EV_RMW || ev->kind == EV_CAS) && same);
}

/* A variable of libc that is written when a thread is created, by who creates it: what a thread is told there follows from what it did. */
static bool is_own_past(const struct event *ev)
{
	return ev->kind == EV_READ && ev->name && !strcmp(ev->name, "__libc_single_threaded");
}

static void accessed(struct learning *l, uint32_t thread, const struct event *ev)
{
	if (is_own_past(ev))
		return;
	struct node deed = { .object = ev->object, .size = ev->size };
	bool reads = ev->kind != EV_WRITE && ev->kind != EV_ASTORE, writes = ev->kind != EV_READ && ev->kind != EV_ALOAD && !ev->failed;
	if (reads)
		loops_come(l, thread, ev);
	uint32_t node = l->at[thread];
	if (ev->size > 8 || ((ev->kind == EV_READ || ev->kind == EV_WRITE) && !ev->has_value))
		learn_trouble(l->t, ev, "an access of more than 8 bytes");
	threads_touch(l->t, thread, ev->object, ev->size, !writes ? 0 : l->others ? IS_WRITTEN | WRITTEN_AMONG : IS_WRITTEN);
	threads_block_touch(l->t, thread, ev->object, USE_ACCESS);
	scopes_touch(&l->scopes, l->t, thread, ev->object, ev->size, reads ? TOUCH_READS : TOUCH_WRITES);
	if (reads)
		read_bytes(l, thread, ev, ev->arg);
	deed.deed = reads ? (ev->kind == EV_RMW || ev->kind == EV_CAS ? DEED_UPDATE : DEED_READ) : DEED_WRITE;
	deed.value = deed.deed == DEED_WRITE ? ev->arg : 0;
	deed.plain = ev->kind == EV_READ || ev->kind == EV_WRITE;
	deed.waits = ev->waits;
	deed.release = ev->waits && ev->kind == EV_ASTORE && ev->order != ORDER_RELAXED;
	uint64_t written = !writes ? ev->arg : deed.deed == DEED_UPDATE ? ev->written : ev->arg;
	learn_did(l, thread, ev, deed, reads ? ev->arg : 0, written);
	if (writes)
		seen_write(&l->memory, thread, (struct store){ ev->object, written, ev->size }, ev->waits);
	if (looks_only(ev))
		loops_looked(l, thread, ev, node, ev->arg);
	else
		loops_leave(l, thread);
}

/* Under TSO and PSO only: what a fence does to stores that wait, and their coming to memory. */
static void fence(struct learning *l, uint32_t thread, const struct event *ev)
{
	bool release = ev->order == ORDER_RELEASE || ev->order == ORDER_ACQ_REL;
	if (l->t->model != MODEL_SC && (release || ev->order == ORDER_SEQ_CST))
		learn_did(l, thread, ev, (struct node){ .deed = DEED_FENCE, .release = release }, 0, 0);
}

/* The system takes a lock for that: no store waits any longer. */
static void yielded(struct learning *l, uint32_t thread, const struct event *ev)
{
	if (l->t->model != MODEL_SC)
		learn_did(l, thread, ev, (struct node){ .deed = DEED_FENCE }, 0, 0);
}

static void flushed(struct learning *l, const struct event *ev)
{
	uint32_t thread = ev->arg < trace_thread_count(l->trace) ?
		threads_thread(l->t, trace_thread(l->trace, (struct thread_id){ (uint32_t)ev->arg })->path) : MAX_THREADS;
	if (thread >= MAX_THREADS || (!seen_flush(&l->memory, thread, ev->object, ev->size) && l->others))
		learn_trouble(l->t, ev, "a store reaches memory in other pieces than it was made in, or a library function made it: not explored under TSO and PSO yet");
}

/* Who is T_0_3?  The fourth T_0 created: a thread the program did not live to see begin has no other name. */
static uint32_t created(struct learning *l, uint32_t thread)
{
	char path[256];
	snprintf(path, sizeof path, "%.200s_%u", names_text(&l->t->paths, thread), l->children[thread]++);
	return threads_thread(l->t, path);
}

static void too_many(struct learning *l, const struct event *ev)
{
	learn_trouble(l->t, ev, "more than 127 threads");
	l->t->too_many = true;
}

static void other_thread(struct learning *l, uint32_t thread, const struct event *ev)
{
	struct node deed = { .deed = ev->kind == EV_FORK ? DEED_CREATE : DEED_JOIN };
	if (ev->result) {
		learn_trouble(l->t, ev, "a thread that could not be created or joined");
		return;
	}
	if (ev->kind == EV_FORK) {
		deed.other = created(l, thread);
		l->others++;
		if (deed.other < MAX_THREADS && l->at[deed.other] == NO_NODE)
			l->at[deed.other] = l->t->roots[deed.other];    /* it may never come to do anything */
	} else if (ev->object < trace_thread_count(l->trace)) {
		deed.other = threads_thread(l->t, trace_thread(l->trace, (struct thread_id){ (uint32_t)ev->object })->path);
	}
	if (deed.other >= MAX_THREADS)
		too_many(l, ev);
	else
		learn_did(l, thread, ev, deed, 0, 0);
	if (deed.other < MAX_THREADS)
		(ev->kind == EV_FORK ? scopes_created : scopes_joined)(&l->scopes, thread, deed.other);
	if (ev->kind == EV_JOIN)
		l->joined[thread] = deed.other + 1;
}

/* What a thread returned, as bytes the library wrote for who joined it.  False: it is nothing of the kind. */
static bool learn_result(struct learning *l, uint32_t thread, const struct event *ev)
{
	uint32_t other = l->joined[thread] - 1, end = l->joined[thread] && other < MAX_THREADS ? l->at[other] : NO_NODE;
	uint64_t value = 0;
	if (end == NO_NODE || !ev->bytes || ev->arg > sizeof value || ev->byte_count < ev->arg)
		return false;
	memcpy(&value, ev->bytes, ev->arg);
	struct node *n = &l->t->nodes.at[end];
	if (n->plain && n->value != value)
		learn_trouble(l->t, ev, "a thread returns one thing in one run and another in the next, though it was told the same");
	n->plain = true;
	n->value = value;
	learn_did(l, thread, ev, (struct node){ .deed = DEED_RESULT, .other = other }, value, 0);
	return true;
}

/* What calloc puts into a new block, whose address no block had before: that is what its bytes are at first. */
static bool is_fresh(struct learning *l, const struct event *ev)
{
	if (map_get(&l->freed, ev->object) || ev->object != l->fresh_at || ev->arg > l->fresh_bytes || ev->byte_count < ev->arg)
		return false;
	for (uint64_t i = 0; i < ev->arg; i++) {
		bool fresh;
		uint64_t *first = map_put(&l->t->initial, ev->object + i, &fresh);
		*first = (uint64_t)ev->bytes[i] + 1;
		l->t->grown |= fresh && map_get(&l->t->cells, ev->object + i);
	}
	return true;
}

/* A thread's blocks lie by themselves in these runs.  Elsewhere addresses tell who allocated first, if two threads do it side by side. */
static void doubt_addresses(struct learning *l, const struct event *ev)
{
	char what[384], where[128];
	for (uint32_t i = 0; i < trace_module_count(l->trace) && !*l->t->trouble; i++) {
		const struct trace_module *m = trace_module(l->trace, i);
		if (!m->instrumented || calls_is_listed(l->t->trusted, "addresses") || !addresses_counted(m->path, where, sizeof where))
			continue;
		snprintf(what, sizeof what, "two threads allocate side by side, and %s asks more of an address than whether it is the same: "
			"not explored (--trust=addresses: no matter)", where);
		learn_trouble(l->t, ev, what);
	}
	l->t->addresses_asked = true;
}

static void allocated(struct learning *l, uint32_t thread, const struct event *ev)
{
	threads_block_add(l->t, ev->object, ev->arg);
	if (l->t->reuses && *ev->place->file)
		learn_did(l, thread, ev, (struct node){ .deed = DEED_ALLOC, .object = ev->object }, 0, 0);
	l->fresh_at = ev->object;
	l->fresh_bytes = ev->arg;
	if (!l->others || !*ev->place->file)
		return;
	if (l->allocates && l->allocates != thread + 1 && !l->t->addresses_asked)
		doubt_addresses(l, ev);
	l->allocates = thread + 1;
}

static void library(struct learning *l, uint32_t thread, uint64_t at, uint64_t bytes, uint64_t flags)
{
	threads_touch(l->t, thread, at, bytes, flags & IS_WRITTEN && l->others ? flags | WRITTEN_AMONG : flags);
	threads_block_touch(l->t, thread, at, USE_OTHER);
	scopes_touch(&l->scopes, l->t, thread, at, bytes, flags & IS_WRITTEN ? TOUCH_WRITES : TOUCH_READS);
}

#define MOST_FOLLOWED 128u              /* bytes of a library function's access */

/* In pieces that are made in one go: whoever could come between them races with one of them, and that is told. */
static void follow(struct learning *l, uint32_t thread, const struct event *ev, uint64_t at, const uint8_t *bytes, enum event_kind kind)
{
	for (uint64_t done = 0, size; done < ev->arg; done += size) {
		struct event piece = *ev;
		size = 8 - ((at + done) & 7) < ev->arg - done ? 8 - ((at + done) & 7) : ev->arg - done;
		piece.kind = (uint16_t)kind;
		piece.object = at + done;
		piece.size = (uint8_t)size;
		piece.arg = 0;
		piece.has_value = true;
		piece.name = NULL;
		memcpy(&piece.arg, bytes + done, size);
		accessed(l, thread, &piece);
	}
	loops_leave(l, thread);
}

/* Can what a library function accessed be told as accesses of its thread?  All of it is known, and it is made at a point of its own. */
static bool is_followed(struct learning *l, uint32_t thread, const struct event *ev)
{
	uint64_t head = ev->kind == EV_COPY ? sizeof(uint64_t) : 0;
	bool has_point = l->points[thread] != l->before[thread] || l->followed[thread] == l->points[thread];
	if (!l->t->follows_libraries || !has_point || !l->points[thread] || !ev->arg || ev->arg > MOST_FOLLOWED || !ev->bytes || ev->byte_count < head + ev->arg)
		return false;
	l->followed[thread] = l->points[thread];
	return true;
}

static uint64_t copied_from(const struct event *ev)
{
	uint64_t from = 0;
	if (ev->bytes && ev->byte_count >= sizeof from)
		memcpy(&from, ev->bytes, sizeof from);
	return from;
}

static void chose(struct learning *l, uint32_t thread, const struct event *ev)
{
	uint64_t many = ev->object > MOST_CHOICES ? l->t->values : ev->object;
	l->t->has_wide |= many < ev->object;
	l->t->bounded |= l->t->has_wide;
	learn_did(l, thread, ev, (struct node){ .deed = DEED_CHOOSE, .value = many, .plain = many < ev->object }, ev->arg, 0);
}

/* Something besides other threads decides; who is the serial one at a barrier is told when it is left. */
static void called_out(struct learning *l, const struct event *ev)
{
	char name[100] = "", what[200];
	if (ev->bytes)
		snprintf(name, sizeof name, "%.*s", (int)(ev->byte_count < sizeof name ? ev->byte_count : sizeof name - 1), (const char *)ev->bytes);
	if (ev->bytes && surroundings_asked(&l->t->around, (const char *)ev->bytes, ev->byte_count))
		return;                         /* the same in every run: what changes the environment is a call that is not explored */
	if (!strcmp(name, "pthread_barrier_wait") || calls_is_listed(l->t->trusted, name))
		return;
	snprintf(what, sizeof what, "'%s' is not explored yet (--trust=%s: threads do not meet there)", name, name);
	learn_trouble(l->t, ev, what);
}

/* Leaves a thread in the loop it may be in. */
static bool is_quiet(const struct event *ev)
{
	switch (ev->kind) {
	case EV_READ: case EV_ALOAD: case EV_RMW: case EV_CAS: case EV_FENCE: case EV_YIELD: case EV_BLOCK: case EV_ENTER: case EV_LEAVE: case EV_CALL:
	case EV_BRANCH: case EV_KEYFRAME: case EV_FRAMES: case EV_SHUT: case EV_OPENED: case EV_TIME: case EV_FLUSH: case EV_LEFT: case EV_LOCAL:
		return true;
	default:
		return false;
	}
}

static void freed(struct learning *l, uint32_t thread, const struct event *ev)
{
	threads_block_touch(l->t, thread, ev->object, USE_FREE);
	if (l->t->reuses)
		map_put(&l->freed, ev->object, NULL);
	if (*ev->place->file)
		learn_did(l, thread, ev, (struct node){ .deed = DEED_FREE, .object = ev->object }, 0, 0);
}

static void not_explored(struct learning *l, const struct event *ev)
{
	char what[128];
	snprintf(what, sizeof what, "'%s' is not explored yet", event_word((enum event_kind)ev->kind));
	learn_trouble(l->t, ev, what);
}

static void note(struct learning *l, uint32_t thread, const struct event *ev)
{
	if (learn_sync(l, thread, ev)) {
		l->fresh_bytes = 0;
		return;
	}
	if (!is_quiet(ev))
		loops_leave(l, thread);
	switch (ev->kind) {
	case EV_READ: case EV_WRITE: case EV_ALOAD: case EV_ASTORE: case EV_RMW: case EV_CAS:
		accessed(l, thread, ev);
		break;
	case EV_FENCE: fence(l, thread, ev); break;
	case EV_YIELD: yielded(l, thread, ev); break;
	case EV_ATOMIC:
		l->t->has_sections = true;
		learn_did(l, thread, ev, (struct node){ .deed = DEED_ATOMIC, .value = ev->arg }, 0, 0);
		break;
	case EV_CHOICE: chose(l, thread, ev); break;
	case EV_FLUSH: flushed(l, ev); break;
	case EV_FORK: case EV_JOIN: other_thread(l, thread, ev); break;
	case EV_END:
		l->others -= l->others > 0;
		learn_did(l, thread, ev, (struct node){ .deed = DEED_END }, 0, 0);
		break;
	case EV_EXIT: case EV_FAILURE:
		learn_did(l, thread, ev, (struct node){ .deed = DEED_EXIT, .value = ev->kind == EV_EXIT ? ev->arg & 0xff : EXIT_FAILED | ev->arg }, 0, 0);
		break;
	case EV_FREE: freed(l, thread, ev); break;
	case EV_DETACH:
		if (ev->result)
			learn_trouble(l->t, ev, "a thread that could not be detached");
		break;
	case EV_OUTCALL: called_out(l, ev); break;
	case EV_REALLOC: case EV_UNMAP:
		if (*ev->place->file)
			learn_trouble(l->t, ev, "memory that moves or goes is not explored yet");
		break;
	case EV_ALLOC: allocated(l, thread, ev); return;
	case EV_LIBREAD:
		if (is_followed(l, thread, ev))
			follow(l, thread, ev, ev->object, ev->bytes, EV_READ);
		else
			library(l, thread, ev->object, ev->arg, BY_LIBRARY);
		break;
	case EV_INPUT:
		if (l->t->paths.count > 1)
			learn_trouble(l->t, ev, "input while threads run is not explored yet");
		break;
	case EV_LIBWRITE:
		if (is_fresh(l, ev) || learn_made(l, thread, ev))
			break;
		if (!learn_result(l, thread, ev) && is_followed(l, thread, ev)) {
			follow(l, thread, ev, ev->object, ev->bytes, EV_WRITE);
			break;
		}
		library(l, thread, ev->object, ev->arg, BY_LIBRARY | IS_WRITTEN);
		break;
	case EV_COPY:
		if (is_followed(l, thread, ev)) {
			follow(l, thread, ev, copied_from(ev), ev->bytes + sizeof(uint64_t), EV_READ);
			follow(l, thread, ev, ev->object, ev->bytes + sizeof(uint64_t), EV_WRITE);
			break;
		}
		library(l, thread, ev->object, ev->arg, BY_LIBRARY | IS_WRITTEN);
		library(l, thread, copied_from(ev), ev->arg, BY_LIBRARY);
		break;
	case EV_BEGIN: case EV_BLOCK: case EV_NAME: case EV_MAP: case EV_ENTER: case EV_LEAVE:
	case EV_CALL: case EV_BRANCH: case EV_LANDED: case EV_OUTPUT: case EV_KEYFRAME: case EV_FRAMES: case EV_TIME: case EV_MODULE: case EV_LABEL:
	case EV_IGNORE: case EV_KEYDTOR: case EV_SHUT: case EV_OPENED: case EV_LEFT: case EV_STACK: case EV_TLS: case EV_LOCAL:
		break;
	default: not_explored(l, ev); break;
	}
	l->fresh_bytes = l->made = 0;
	l->joined[thread] = ev->kind == EV_JOIN ? l->joined[thread] : 0;
}

/* A thread that waits for ever has not done what it waits to do: the run says what that is. */
static void note_waiting(struct learning *l, const struct steer_result *run)
{
	for (size_t i = 0; i < run->threads.count; i++) {
		const struct steer_thread *x = &run->threads.at[i];
		uint32_t thread = threads_thread(l->t, x->path);
		bool waits = x->waits || (x->state == STRAND_AT_POINT && x->kind == EV_CWAKE) || (x->state != STRAND_ENDED && x->kind == EV_ASSUME);
		if (!waits || thread >= MAX_THREADS || l->at[thread] == NO_NODE || l->t->nodes.at[l->at[thread]].deed != DEED_UNKNOWN)
			continue;
		if (x->kind != EV_JOIN)
			learn_waiting(l, thread, x, 0);
		else if (x->waits_for < run->threads.count)
			learn_waiting(l, thread, x, threads_thread(l->t, run->threads.at[x->waits_for].path));
	}
}

/* ---------------------------------------------------------------- all of it */

/* Is the code of this object watched, or known to touch nothing but what events tell of?  Of libstdc++ that is asked function by function (calls.h). */
static bool is_watched(const struct threads *t, const struct trace_module *m, const char *name)
{
	return m->instrumented || calls_is_listed("linux-vdso.so.1,libraddle-rt.so,libc.so.6,ld-linux-x86-64.so.2,libm.so.6,libgcc_s.so.1,libstdc++.so.6", name) ||
		calls_is_listed(t->trusted, name);
}

static void open_image(struct threads *t, const struct trace_module *m)
{
	struct image *image = image_open(m->path, m->base);
	t->has_thread_memory |= !image || image_has_thread_memory(image);
	vec_push(&t->images, image);
}

/* All there is of it is said at once: who trusts one wants to know the others. */
static void say_objects(struct threads *t, const char *objects, const char *calls)
{
	struct sentence to = { t->trouble, sizeof t->trouble };
	if (*objects)
		str_say(&to, "the code of '%s' is not watched (--trust=%s: it touches nothing threads share)%s", objects, objects, *calls ? "; " : "");
	if (*calls)
		str_say(&to, "'%s' %s not explored yet (--trust=%s: threads do not meet there)", calls, strchr(calls, ',') ? "are" : "is", calls);
}

static void ask_objects(struct learning *l)
{
	struct threads *t = l->t;
	char objects[110] = "", code[400];
	struct calls calls = { .trusted = t->trusted };
	t->asked = true;
	for (uint32_t i = 0; i < trace_module_count(l->trace); i++) {
		const struct trace_module *m = trace_module(l->trace, i);
		const char *name = strrchr(m->path, '/') ? strrchr(m->path, '/') + 1 : m->path;
		if (!is_watched(t, m, name))
			calls_list(objects, sizeof objects, name);
		if (m->instrumented)
			calls_unexplored(m->path, &calls);
	}
	snprintf(t->granted, sizeof t->granted, "%s", calls.granted);
	if (!*t->trouble)
		say_objects(t, objects, calls.unexplored);
	for (uint32_t i = 0; i < trace_module_count(l->trace) && !*t->trouble; i++) {
		const struct trace_module *m = trace_module(l->trace, i);
		if (m->instrumented)
			open_image(t, m);
		if (m->instrumented && unwatched_code(m->path, code, sizeof code))
			snprintf(t->trouble, sizeof t->trouble, "code nobody watches: %s", code);
	}
}

/* Told otherwise of memory no other thread writes: something else decides. */
static void doubt_branches(struct learning *l)
{
	for (size_t i = 0; i < l->branches.count && !*l->t->trouble; i++) {
		const struct node *n = &l->t->nodes.at[l->branches.at[i]];
		if (!threads_shares(l->t, n) && !deed_is_told(n))
			snprintf(l->t->trouble, sizeof l->t->trouble, "%s reads memory no other thread writes, and reads something else in another run",
				names_text(&l->t->paths, n->thread));
	}
}

static void learn(struct learning *l, struct live *events)
{
	struct event ev;
	for (uint32_t i = 1; live_next(events, UINT64_MAX, &ev); i++) {
		if (i % EVENTS_A_LOOK == 0 && l->t->is_over && l->t->is_over(l->t->who)) {
			l->t->cut = true;
			break;
		}
		uint32_t thread = threads_thread(l->t, trace_thread(l->trace, ev.thread)->path);
		if (thread >= MAX_THREADS) {
			too_many(l, &ev);
			break;
		}
		if (l->at[thread] == NO_NODE)
			l->at[thread] = l->t->roots[thread];
		find_point(l, thread, &ev);
		l->points[thread] = ev.points;
		l->joins[thread] += ev.kind == EV_JOIN;
		scopes_note(&l->scopes, l->t, thread, &ev);
		note(l, thread, &ev);
	}
}

/* A run that does not end is cut anywhere: threads that go round stand at the beginning of their loops. */
static void end_in_loops(struct learning *l, const struct steer_result *run, struct run_end *end)
{
	end->spins = run->outcome == OUTCOME_LIVELOCK && !run->late;
	for (size_t i = 0; end->spins && i < run->threads.count; i++) {
		const struct steer_thread *x = &run->threads.at[i];
		uint32_t thread = threads_thread(l->t, x->path);
		if (thread >= MAX_THREADS || x->state == STRAND_ENDED || x->waits || l->at[thread] == NO_NODE)
			continue;
		if (l->head[thread] == NO_NODE)
			end->spins = false;
		else
			l->at[thread] = l->head[thread];
	}
	memcpy(end->at, l->at, sizeof end->at);
}

void threads_learn(struct threads *t, const struct steer_result *run, struct live *events, struct run_end *end)
{
	struct learning l = { .t = t, .trace = live_trace(events) };
	for (uint32_t i = 0; i < MAX_THREADS; i++)
		l.at[i] = l.head[i] = NO_NODE;
	if (!t->asked)
		ask_objects(&l);
	count_waited(&l, run);
	take_points(&l, run);
	learn(&l, events);
	scopes_finish(&l.scopes, t);
	if (!t->cut)
		note_waiting(&l, run);
	doubt_branches(&l);
	end_in_loops(&l, run, end);
	end->discarded = run->outcome == OUTCOME_ASSUME;
	end->count = t->paths.count < MAX_THREADS ? (uint32_t)t->paths.count : MAX_THREADS;
	for (uint32_t i = 0; i < MAX_THREADS; i++)
		vec_release(&l.all[i]), vec_release(&l.rounds[i]);
	map_release(&l.freed);
	seen_release(&l.memory);
	scopes_release(&l.scopes);
	vec_release(&l.branches);
}
