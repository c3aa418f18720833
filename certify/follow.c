/* certify/follow.c -- see follow.h.
 * Every event of the run is a deed of its thread or known to be none.  A deed has to be the one at its thread's place in everything the machine (machine.c)
 * goes by; reads of shared memory have to be what the stores of this run left there.  Addresses and values of what only one thread uses may be
 * others than in the certificate: where a stack lies hangs on the environment.  That it is used by one thread alone is seen by the runs' own addresses. */
#include "certify/follow.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "trace/objects.h"
#include "trace/reader.h"

#define REPLAY_WHY 400
#define TOUCHED(thread) ((uint64_t)(thread) + 1)
#define BY_ANOTHER      0x100u
#define IS_WRITTEN      0x200u

__attribute__((format(printf, 4, 5)))
static void wrong(struct follower *f, const struct event *ev, bool is_unknown, const char *format, ...)
{
	char at[200] = "", what[256];
	va_list list;
	if (*f->why)
		return;
	va_start(list, format);
	vsnprintf(what, sizeof what, format, list);
	va_end(list);
	if (ev)
		place_short(ev->place, at, sizeof at);
	snprintf(f->why, REPLAY_WHY, "%.100s%s%s", at, *at ? ": " : "", what);
	f->is_unknown = is_unknown;
}

static uint32_t thread_called(const struct follower *f, const char *path)
{
	for (uint32_t i = 0; i < f->c->threads.count; i++)
		if (!strcmp(f->c->threads.at[i], path))
			return i;
	return NOWHERE;
}

/* The one with this number in the trace. */
static uint32_t thread_numbered(const struct follower *f, uint64_t number)
{
	return number < trace_thread_count(f->trace) ? thread_called(f, trace_thread(f->trace, (struct thread_id){ (uint32_t)number })->path) : NOWHERE;
}

/* ---------------------------------------------------------------- points */

static bool has_no_point(const struct event *ev)
{
	switch (ev->kind) {
	case EV_STACK: case EV_TLS: case EV_NAME: case EV_MAP: case EV_UNMAP: case EV_BLOCK: case EV_KEYFRAME: case EV_FRAMES: case EV_SHUT: case EV_OPENED: case EV_IGNORE:
	case EV_TIME: case EV_MODULE: case EV_LOST: case EV_OUTCALL: case EV_FLUSH: case EV_LIBREAD: case EV_LIBWRITE: case EV_COPY: case EV_OUTPUT: case EV_INPUT:
	case EV_ENTER: case EV_LEAVE: case EV_BRANCH: case EV_LABEL: case EV_CALL: case EV_LOCAL:
		return true;
	default:
		return false;
	}
}

static bool is_point_of(const struct event *ev, uint16_t kind)
{
	if (ev->kind == EV_TRYFAIL)
		return kind == EV_LOCK;
	if (ev->kind == EV_ONCERUN)
		return kind == EV_ONCE;
	return kind == ev->kind || (!kind && (ev->kind == EV_READ || ev->kind == EV_WRITE));
}

/* What more is known of the event: the next point of its kind, if it is the first of its record. */
static void find_point(struct follower *f, uint32_t thread, const struct event *ev)
{
	if (has_no_point(ev) || (ev->time && ev->time == f->number[thread]))
		return;
	for (size_t i = f->next[thread]; i < f->list[thread].count; i++) {
		if (!is_point_of(ev, f->list[thread].at[i].kind))
			continue;
		f->how[thread] = f->list[thread].at[i].how;
		f->state[thread] = f->list[thread].at[i].state;
		f->number[thread] = ev->time;
		f->next[thread] = i + 1;
		return;
	}
	f->how[thread] = 0;
	f->state[thread] = 0;
}

/* ---------------------------------------------------------------- memory */

static bool is_shared(const struct certificate *c, uint64_t at, uint64_t bytes)
{
	for (uint64_t i = 0; i < bytes; i++)
		if (map_get(&c->cells, at + i))
			return true;
	return false;
}

static void touch(struct follower *f, uint32_t thread, const struct event *ev, uint64_t at, uint64_t bytes, bool writes)
{
	if (bytes > 1u << 20) {
		wrong(f, ev, true, "a library function touches more than a megabyte");
		return;
	}
	own_touched(&f->own, thread, at, bytes, writes ? OWN_WRITE : OWN_READ);
	for (uint64_t i = 0; i < bytes; i++) {
		uint64_t *byte = map_put(f->touched, at + i, NULL);
		*byte |= (*byte & 0xff) && (*byte & 0xff) != TOUCHED(thread) ? BY_ANOTHER : TOUCHED(thread);
		*byte |= writes ? IS_WRITTEN : 0;
		if ((*byte & BY_ANOTHER) && (*byte & IS_WRITTEN) && !map_get(&f->c->cells, at + i))
			wrong(f, ev, false, "%s touches memory that another thread uses, and the certificate does not list it", f->c->threads.at[thread]);
	}
}

/* What the thread sees there + 1. */
static uint64_t byte_seen(const struct follower *f, uint32_t thread, uint64_t at)
{
	for (size_t i = f->waiting[thread].count; i-- > 0;) {
		const struct store_seen *s = &f->waiting[thread].at[i];
		if (at - s->at < s->size)
			return (s->value >> 8 * (at - s->at) & 0xff) + 1;
	}
	const uint64_t *byte = map_get(&f->memory, at), *cell = map_get(&f->c->cells, at);
	if (byte)
		return *byte;
	return cell ? f->c->first.at[*cell] + 1u : 0;
}

static void store(struct follower *f, uint32_t thread, const struct event *ev, uint64_t value)
{
	if (ev->waits) {
		vec_push(&f->waiting[thread], ((struct store_seen){ ev->object, value, ev->size }));
		return;
	}
	for (uint32_t i = 0; i < ev->size; i++)
		*map_put(&f->memory, ev->object + i, NULL) = (value >> 8 * i & 0xff) + 1;
}

static void flush(struct follower *f, const struct event *ev)
{
	uint32_t thread = thread_numbered(f, ev->arg);
	for (size_t i = 0; thread < f->c->threads.count && i < f->waiting[thread].count; i++) {
		struct store_seen s = f->waiting[thread].at[i];
		if (s.at != ev->object || s.size != ev->size)
			continue;
		memmove(&f->waiting[thread].at[i], &f->waiting[thread].at[i + 1], (f->waiting[thread].count - i - 1) * sizeof s);
		f->waiting[thread].count--;
		for (uint32_t b = 0; b < s.size; b++)
			*map_put(&f->memory, s.at + b, NULL) = (s.value >> 8 * b & 0xff) + 1;
		return;
	}
	if (f->alive)
		wrong(f, ev, true, "a store reaches memory in pieces");
}

/* ---------------------------------------------------------------- deeds */

static bool same_flags(const struct spot *a, const struct spot *b)
{
	return a->plain == b->plain && a->waits == b->waits && a->release == b->release && a->recursive == b->recursive && a->reading == b->reading &&
		a->tried == b->tried && a->timed == b->timed;
}

static bool same_deed(const struct spot *a, const struct spot *b)
{
	bool same = a->act == b->act && a->size == b->size && same_flags(a, b) && a->other == b->other;
	if (act_is_access(a->act) && a->cell == NOWHERE)
		return same;                    /* of what only one thread uses no more is said */
	return same && a->object == b->object && a->second == b->second && a->value == b->value;
}

/* A way back: the thread is in the state it was in where the loop began. */
static void come_back(struct follower *f, uint32_t thread, const struct event *ev)
{
	const struct spot *x = &f->c->spots.at[f->at[thread]];
	if (x->act != ACT_BACK)
		return;
	const uint64_t *then = map_get(&f->heads, x->other);
	f->seen[f->at[thread]] = true;
	f->at[thread] = x->other;
	if (!then || !*then || *then != f->state[thread])
		wrong(f, ev, !then || !*then || !f->state[thread], "%s is said to come back to where it was, and is in another state", f->c->threads.at[thread]);
}

/* The thread did this and was told that, and an update left that behind. */
static void did(struct follower *f, uint32_t thread, const struct event *ev, struct spot deed, uint64_t told, uint64_t written)
{
	come_back(f, thread, ev);
	uint32_t at = f->at[thread], child;
	const struct spot *x = &f->c->spots.at[at];
	bool is_alone = act_is_access(x->act) && x->cell == NOWHERE, is_part = ev->points == f->points[thread] && x->parent != NOWHERE;
	f->seen[at] = true;
	if (x->is_head)
		*map_put(&f->heads, at, NULL) = f->state[thread];
	if (*f->why)
		return;
	deed.cell = is_shared(f->c, deed.object, deed.size) ? 0 : NOWHERE;
	if (!same_deed(x, &deed) || (is_alone && deed.cell != NOWHERE)) {
		wrong(f, ev, false, "%s does another thing than the certificate says at node %u: '%s', not '%s', or to other memory or otherwise", f->c->threads.at[thread], at,
			act_words[deed.act], act_words[x->act]);
		return;
	}
	if (is_part != !x->points && x->act != ACT_LEAVE && x->act != ACT_JOIN && x->act != ACT_WAKE)
		wrong(f, ev, false, "what %s does at node %u is %sone with what it did before", f->c->threads.at[thread], at, is_part ? "" : "not ");
	f->points[thread] = ev->points;
	child = is_alone ? x->child : spot_child(f->c, at, told);
	if (child == NOWHERE)
		wrong(f, ev, false, "%s is told %llx at node %u, which the certificate has nothing for", f->c->threads.at[thread], (unsigned long long)told, at);
	else if (x->act == ACT_UPDATE && !is_alone && f->c->spots.at[child].failed != ev->failed)
		wrong(f, ev, false, "the update of %s at node %u %s, and not so in the certificate", f->c->threads.at[thread], at, ev->failed ? "fails" : "writes");
	else if (x->act == ACT_UPDATE && !is_alone && f->c->spots.at[child].written != written)
		wrong(f, ev, false, "%s writes %llx at node %u, and not what the certificate says", f->c->threads.at[thread], (unsigned long long)written, at);
	else
		f->at[thread] = child;
}

static void access_to(struct follower *f, uint32_t thread, const struct event *ev)
{
	bool reads = ev->kind != EV_WRITE && ev->kind != EV_ASTORE, writes = ev->kind != EV_READ && ev->kind != EV_ALOAD && !ev->failed;
	bool updates = ev->kind == EV_RMW || ev->kind == EV_CAS;
	struct spot deed = { .act = updates ? ACT_UPDATE : reads ? ACT_READ : ACT_WRITE, .size = ev->size, .object = ev->object, .value = reads ? 0 : ev->arg,
		.plain = ev->kind == EV_READ || ev->kind == EV_WRITE, .waits = ev->waits,
		.release = ev->waits && ev->kind == EV_ASTORE && ev->order != ORDER_RELAXED };
	if (ev->size > 8)
		wrong(f, ev, true, "an access of more than 8 bytes");
	touch(f, thread, ev, ev->object, ev->size, writes);
	for (uint32_t i = 0; reads && i < ev->size; i++) {
		uint64_t byte = byte_seen(f, thread, ev->object + i);
		if (is_shared(f->c, ev->object + i, 1) && byte != (ev->arg >> 8 * i & 0xff) + 1)
			wrong(f, ev, false, "%s reads what nobody wrote there", f->c->threads.at[thread]);
	}
	did(f, thread, ev, deed, reads ? ev->arg : 0, writes ? (updates ? ev->written : ev->arg) : ev->arg);
	if (writes)
		store(f, thread, ev, updates ? ev->written : ev->arg);
}

static void lock(struct follower *f, uint32_t thread, const struct event *ev)
{
	uint64_t type = ev->arg >> 8;
	bool told = ev->kind == EV_TRYFAIL && (ev->result == EBUSY || ev->result == ETIMEDOUT), may_wait = f->how[thread] & POINT_MAY_WAIT;
	struct spot deed = { .act = ev->kind == EV_UNLOCK ? ACT_UNLOCK : ACT_LOCK, .object = ev->object, .recursive = type == LOCK_RECURSIVE,
		.reading = ev->arg & LOCK_FOR_READING };
	if (deed.act == ACT_LOCK) {
		deed.tried = !may_wait;
		deed.timed = may_wait && f->how[thread] & POINT_HAS_DEADLINE;
	}
	if (f->c->model)                /* the unlock of a spin lock is a store; a try of what is not free is a load, but of a spin lock */
		deed.waits = deed.act == ACT_UNLOCK ? type == LOCK_SPIN : deed.tried && type != LOCK_SPIN;
	deed.release = deed.waits && deed.act == ACT_UNLOCK;
	if (type == LOCK_COND || type == LOCK_GUARD || type == LOCK_USER || f->how[thread] & POINT_STANDS_BACK)
		wrong(f, ev, true, "a lock of a kind that is not known here");
	if (ev->result && !told)
		deed = (struct spot){ .act = ACT_REFUSED, .object = ev->object, .value = (uint64_t)ev->result };
	own_touched(&f->own, thread, ev->object, 1, OWN_USE);
	did(f, thread, ev, deed, told ? (uint64_t)ev->result : 0, 0);
}

static void condition(struct follower *f, uint32_t thread, const struct event *ev)
{
	static const uint8_t acts[] = { ACT_WAIT, ACT_WAKE, ACT_SIGNAL, ACT_BROADCAST };
	struct spot deed = { .act = acts[ev->kind - EV_CWAIT], .object = ev->object };
	if (deed.act == ACT_WAIT || deed.act == ACT_WAKE)
		deed.second = ev->arg;
	deed.timed = deed.act == ACT_WAKE && f->how[thread] & POINT_HAS_DEADLINE;
	if (ev->result && ev->result != ETIMEDOUT)
		wrong(f, ev, true, "a call on a condition variable that fails");
	own_touched(&f->own, thread, ev->object, 1, OWN_USE);
	did(f, thread, ev, deed, deed.act == ACT_WAIT ? 0 : (uint64_t)ev->result, 0);
}

static void object(struct follower *f, uint32_t thread, const struct event *ev)
{
	struct spot deed = { .object = ev->object };
	uint64_t told = 0;
	bool may_wait = f->how[thread] & POINT_MAY_WAIT;
	switch (ev->kind) {
	case EV_SWAIT:
		deed.act = ACT_DOWN;
		deed.tried = !may_wait;
		deed.timed = may_wait && f->how[thread] & POINT_HAS_DEADLINE;
		told = (uint64_t)ev->result;
		break;
	case EV_SPOST: deed.act = ACT_UP; break;
	case EV_BENTER: deed.act = ACT_ARRIVE; break;
	case EV_BLEAVE:
		deed.act = ACT_LEAVE;
		told = ev->result == PTHREAD_BARRIER_SERIAL_THREAD;
		break;
	default:
		if (!*ev->place->file && !map_get(&f->c->words, ev->object))
			return;                 /* a library's own */
		deed.act = ev->kind == EV_ONCE && ev->arg ? ACT_ONCE_DONE : ACT_ONCE;
		told = ev->kind == EV_ONCERUN;
		break;
	}
	own_touched(&f->own, thread, ev->object, 1, OWN_USE);
	did(f, thread, ev, deed, told, 0);
}

/* ---------------------------------------------------------------- threads, the library */

static void create(struct follower *f, uint32_t thread, const struct event *ev)
{
	char path[300];
	snprintf(path, sizeof path, "%.250s_%u", f->c->threads.at[thread], f->children[thread]++);
	uint32_t other = thread_called(f, path);
	f->alive++;
	if (ev->result || other == NOWHERE) {
		wrong(f, ev, ev->result, "%s is created, which the certificate does not have", path);
		return;
	}
	did(f, thread, ev, (struct spot){ .act = ACT_CREATE, .other = other }, 0, 0);
	own_made(&f->own, thread, other);
	f->at[other] = f->c->roots[other];
}

static void join(struct follower *f, uint32_t thread, const struct event *ev)
{
	uint32_t other = thread_numbered(f, ev->object);
	if (other == NOWHERE || ev->result)
		wrong(f, ev, true, "a join that fails");
	else
		did(f, thread, ev, (struct spot){ .act = ACT_JOIN, .other = other }, 0, 0);
	if (other != NOWHERE)
		own_joined(&f->own, thread, other);
	f->joined[thread] = other == NOWHERE ? 0 : other + 1;
}

/* What the thread that was joined returned, as bytes. */
static void returned(struct follower *f, uint32_t thread, const struct event *ev)
{
	uint32_t other = f->joined[thread] - 1;
	uint64_t value = 0;
	if (!f->joined[thread] || f->at[other] == NOWHERE || !ev->bytes || ev->arg > sizeof value || ev->byte_count < ev->arg)
		return;
	memcpy(&value, ev->bytes, ev->arg);
	const struct spot *end = &f->c->spots.at[f->at[other]];
	if (!end->plain || end->value != value)
		wrong(f, ev, false, "%s returns another thing than the certificate says", f->c->threads.at[other]);
	did(f, thread, ev, (struct spot){ .act = ACT_RESULT, .other = other }, value, 0);
}

/* A semaphore or barrier that was just made, as bytes. */
static bool made(struct follower *f, uint32_t thread, const struct event *ev)
{
	uint32_t all[3];
	if (!f->made_type || ev->object != f->made_at || ev->byte_count < sizeof all)
		return false;
	memcpy(all, ev->bytes, sizeof all);
	did(f, thread, ev, (struct spot){ .act = ACT_INIT, .object = ev->object, .value = f->made_type == LOCK_SEM ? all[0] : (uint64_t)all[2] << 16 }, 0, 0);
	return true;
}

static void library(struct follower *f, uint32_t thread, const struct event *ev)
{
	uint64_t from = 0;
	if (ev->kind == EV_LIBWRITE && made(f, thread, ev))
		return;
	if (ev->kind == EV_LIBWRITE)
		returned(f, thread, ev);
	bool fresh = ev->kind == EV_LIBWRITE && is_shared(f->c, ev->object, ev->arg);
	for (uint64_t i = 0; fresh && i < ev->arg; i++) {       /* what calloc puts into a new block is what is there at first */
		const uint64_t *cell = map_get(&f->c->cells, ev->object + i), *byte = map_get(&f->memory, ev->object + i);
		fresh = !byte && i < ev->byte_count && (!cell || f->c->first.at[*cell] == ev->bytes[i]);
	}
	if (fresh)
		return;
	touch(f, thread, ev, ev->object, ev->arg, ev->kind != EV_LIBREAD);
	if (ev->kind == EV_COPY && ev->byte_count >= sizeof from) {
		memcpy(&from, ev->bytes, sizeof from);
		touch(f, thread, ev, from, ev->arg, false);
	}
	if (is_shared(f->c, ev->object, ev->arg) || (from && is_shared(f->c, from, ev->arg)))
		wrong(f, ev, true, "a library function touches what threads share");
}

static void fence(struct follower *f, uint32_t thread, const struct event *ev)
{
	bool release = ev->order == ORDER_RELEASE || ev->order == ORDER_ACQ_REL;
	if (f->c->model && (release || ev->order == ORDER_SEQ_CST))
		did(f, thread, ev, (struct spot){ .act = ACT_FENCE, .release = release }, 0, 0);
}

/* The system takes a lock for that. */
static void yielded(struct follower *f, uint32_t thread, const struct event *ev)
{
	if (f->c->model)
		did(f, thread, ev, (struct spot){ .act = ACT_FENCE }, 0, 0);
}

/* Is it in "a,b,c"? */
static bool is_listed(const char *list, const char *name, size_t length)
{
	for (const char *at = list; at && *at; at += at[0] == ',') {
		size_t n = strcspn(at, ",");
		if (n == length && !memcmp(at, name, n))
			return true;
		at += n;
	}
	return false;
}

/* Something besides other threads decides, unless it is trusted.  Who is the serial one at a barrier is told when it is left. */
static void called_out(struct follower *f, const struct event *ev)
{
	const char *name = ev->bytes ? (const char *)ev->bytes : "";
	size_t length = ev->bytes ? ev->byte_count : 0;
	if (length > 7 && !memcmp(name, "getenv ", 7))
		return;                         /* the same in every run; which variables these are stands in the certificate */
	if (!is_listed("pthread_barrier_wait", name, length) && !is_listed(f->c->trust, name, length))
		wrong(f, ev, true, "'%.*s' decides something", (int)(length < 60 ? length : 60), name);
}

static void other(struct follower *f, uint32_t thread, const struct event *ev)
{
	bool in_source = *ev->place->file;
	switch (ev->kind) {
	case EV_END:
		f->alive -= f->alive > 0;
		did(f, thread, ev, (struct spot){ .act = ACT_END }, 0, 0);
		break;
	case EV_EXIT: did(f, thread, ev, (struct spot){ .act = ACT_EXIT, .value = ev->arg & 0xff }, 0, 0); break;
	case EV_FAILURE: did(f, thread, ev, (struct spot){ .act = ACT_EXIT, .value = 0x100 | ev->arg }, 0, 0); break;
	case EV_FREE: if (in_source) did(f, thread, ev, (struct spot){ .act = ACT_FREE, .object = ev->object }, 0, 0); break;
	case EV_ALLOC: if (in_source && f->c->reuse) did(f, thread, ev, (struct spot){ .act = ACT_ALLOC, .object = ev->object }, 0, 0); break;
	case EV_CHOICE: did(f, thread, ev, (struct spot){ .act = ACT_CHOOSE, .value = ev->object }, ev->arg, 0); break;
	case EV_LOCKINIT: case EV_LOCKDEAD:
		if (f->alive)
			wrong(f, ev, true, "a lock is made or goes while threads run");
		f->made_at = ev->object;
		f->made_type = ev->kind == EV_LOCKINIT && (ev->arg >> 8 == LOCK_SEM || ev->arg >> 8 == LOCK_BARRIER) ? ev->arg >> 8 : 0;
		return;
	case EV_OUTCALL: called_out(f, ev); break;
	case EV_INPUT: if (f->alive) wrong(f, ev, true, "input while threads run"); break;
	case EV_REALLOC: case EV_UNMAP: if (in_source) wrong(f, ev, true, "memory moves or goes"); break;
	case EV_BEGIN: case EV_YIELD: case EV_BLOCK: case EV_NAME: case EV_MAP: case EV_ENTER: case EV_LEAVE: case EV_DETACH:
	case EV_CALL: case EV_BRANCH: case EV_LANDED: case EV_OUTPUT: case EV_KEYFRAME: case EV_FRAMES: case EV_TIME: case EV_MODULE: case EV_LABEL:
	case EV_IGNORE: case EV_KEYDTOR: case EV_SHUT: case EV_OPENED: case EV_LEFT: case EV_LOCAL: case EV_STACK: case EV_TLS:       /* own.c */
		break;
	default: wrong(f, ev, true, "an event of a kind that is not known here (%d)", ev->kind); break;
	}
	f->made_type = 0;
}

static void take(struct follower *f, uint32_t thread, const struct event *ev)
{
	switch (ev->kind) {
	case EV_READ: case EV_WRITE: case EV_ALOAD: case EV_ASTORE: case EV_RMW: case EV_CAS: access_to(f, thread, ev); break;
	case EV_FENCE: fence(f, thread, ev); break;
	case EV_YIELD: yielded(f, thread, ev); break;
	case EV_FLUSH: flush(f, ev); break;
	case EV_LOCK: case EV_UNLOCK: case EV_TRYFAIL: lock(f, thread, ev); break;
	case EV_CWAIT: case EV_CWAKE: case EV_CSIGNAL: case EV_CBROADCAST: condition(f, thread, ev); break;
	case EV_SWAIT: case EV_SPOST: case EV_BENTER: case EV_BLEAVE: case EV_ONCE: case EV_ONCERUN: object(f, thread, ev); break;
	case EV_FORK: create(f, thread, ev); break;
	case EV_JOIN: join(f, thread, ev); break;
	case EV_LIBREAD: case EV_LIBWRITE: case EV_COPY: library(f, thread, ev); break;
	default: other(f, thread, ev); break;
	}
	f->joined[thread] = ev->kind == EV_JOIN ? f->joined[thread] : 0;
}

/* ---------------------------------------------------------------- all of it */

void follow_run(struct follower *f, const struct steer_result *run, struct live *events)
{
	struct event ev;
	f->trace = live_trace(events);
	for (uint32_t i = 0; i < MOST_THREADS; i++)
		f->at[i] = NOWHERE;
	f->at[0] = f->c->roots[0];
	for (size_t i = 0; i < run->events.count; i++) {
		const struct steer_event *e = &run->events.at[i];
		uint32_t thread = thread_called(f, run->threads.at[e->strand].path);
		if (thread != NOWHERE && e->kind != EV_FLUSH)
			vec_push(&f->list[thread], ((struct point_seen){ e->kind, e->how, e->state }));
	}
	while (!*f->why && live_next(events, UINT64_MAX, &ev)) {
		uint32_t thread = thread_called(f, trace_thread(f->trace, ev.thread)->path);
		if (thread == NOWHERE) {
			wrong(f, &ev, false, "a thread the certificate does not have");
			break;
		}
		if (f->at[thread] == NOWHERE)
			f->at[thread] = f->c->roots[thread];
		find_point(f, thread, &ev);
		own_event(&f->own, thread, &ev);
		take(f, thread, &ev);
	}
	own_run_over(&f->own);
	if (f->own.bad)
		wrong(f, NULL, true, "threads share memory that goes with a function or a thread");
}

void follower_release(struct follower *f)
{
	for (uint32_t i = 0; i < MOST_THREADS; i++) {
		vec_release(&f->list[i]);
		vec_release(&f->waiting[i]);
	}
	map_release(&f->heads);
	map_release(&f->memory);
	own_release(&f->own);
}
