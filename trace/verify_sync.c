/* trace/verify_sync.c -- do locks alternate, threads begin and end in order, versions rise?
 *
 * Events come in the merged order, in which versions of a stripe rise if any order lets them.
 *   (1) a lock has one owner, or readers, or nobody; of a flight recording, in which any release may be missing,
 *       nothing is asked;
 *   (2) an unlock by somebody who does not hold the lock is judged at that thread's next event: libc may refuse it, and
 *       then an UNLOCK with its errno follows;
 *   (3) memory that begins a new life holds no lock. */
#include <string.h>

#include "trace/verify_inside.h"

#define NOBODY UINT32_MAX

/* ---- versions ---- */

static void versions_fall(struct verifier *v, const struct event *ev, const struct stripe_state *s)
{
	problem(v, RULE_VERSION, ev, "%s of %s has version %llu, but %llu of its stripe must come before", event_word(ev->kind),
		object_text(v, ev->object), (unsigned long long)ev->version, (unsigned long long)s->last);
}

bool sync_versions(struct verifier *v, const struct event *ev)
{
	uint32_t stripe = stripe_of_version(ev->kind, ev->object, ev->arg, ev->version);
	if (stripe == NO_STRIPE)
		return false;
	struct stripe_state *s = &v->stripes[stripe];
	bool looks = ev->kind == EV_ALOAD && ev->version % 2;
	bool falls = looks ? ev->version < s->last : ev->version <= s->last;
	if (falls && !v->threads[ev->thread.i].after_handler)   /* it may have come between a number and its record */
		versions_fall(v, ev, s);
	if (looks ? ev->version > s->last + 1 : ev->version > s->last + 2)
		s->gap_seq = v->seq;
	if (looks) {
		clocks_look(v, ev->thread.i, &s->meeting);
	} else {
		s->last = ev->version > s->last ? ev->version : s->last;
		clocks_meet(v, ev->thread.i, &s->meeting);
	}
	return !looks;
}

/* Events of one record share its number. */
void sync_number(struct verifier *v, const struct event *ev)
{
	bool same = ev->time == v->number && ev->thread.i == v->number_of;
	if (v->number && ev->time <= v->number && !same)
		problem(v, RULE_VERSION, ev, "%s of %s has number %llu, but number %llu of %s came before", event_word(ev->kind),
			path_of(v, ev->thread.i), (unsigned long long)ev->time, (unsigned long long)v->number, path_of(v, v->number_of));
	v->number = ev->time;
	v->number_of = ev->thread.i;
}

/* ---- which object ---- */

static uint32_t bytes_of_type(uint32_t type)            /* as glibc has them */
{
	static const uint8_t bytes[] = { 8, 40, 40, 40, 56, 4, 48, 32, 32, 40, 4, 8 };
	return type < sizeof bytes ? bytes[type] : 8;
}

static struct lock_state *lock_at(struct verifier *v, uint64_t address, uint32_t type)
{
	uint64_t *slot = map_put(&v->sync.lock_index, address, NULL);
	if (!*slot) {
		struct lock_state *l = vec_add(&v->sync.locks);
		*l = (struct lock_state){ .address = address, .owner = NOBODY };
		*slot = v->sync.locks.count;
	}
	struct lock_state *l = &v->sync.locks.at[*slot - 1];
	if (type)
		l->type = type;
	l->bytes = bytes_of_type(l->type);
	return l;
}

bool sync_is_object(const struct verifier *v, uint64_t address)
{
	enum { BIGGEST = 64 };          /* rwlock: 56 bytes */
	uint64_t from = address & ~3ull;
	for (uint64_t back = 0; back < BIGGEST && back <= from; back += 4) {
		uint64_t *slot = map_get(&v->sync.lock_index, from - back);
		if (slot && address - v->sync.locks.at[*slot - 1].address < v->sync.locks.at[*slot - 1].bytes)
			return true;
	}
	return false;
}

static void note_held(struct verifier *v, const struct lock_state *l)
{
	vec_push(&v->sync.held, (uint32_t)(l - v->sync.locks.at));
}

static void note_free(struct verifier *v, const struct lock_state *l)
{
	uint32_t id = (uint32_t)(l - v->sync.locks.at);
	for (size_t i = v->sync.held.count; i-- > 0;)
		if (v->sync.held.at[i] == id) {
			v->sync.held.at[i] = v->sync.held.at[--v->sync.held.count];
			return;
		}
}

static void lock_reset(struct verifier *v, struct lock_state *l)
{
	if (l->owner != NOBODY || l->readers)
		note_free(v, l);
	for (uint32_t i = 0; l->readers && i < v->thread_count; i++) {
		uint64_t *times = map_get(&v->sync.reader_counts, (uint64_t)(l - v->sync.locks.at) << 32 | i);
		if (times)
			*times = 0;
	}
	l->owner = NOBODY;
	l->depth = l->readers = 0;
	l->left = 0;
	l->value_known = l->fresh_init = false;
}

void sync_forget(struct verifier *v, uint64_t start, uint64_t bytes)
{
	for (size_t i = v->sync.held.count; i-- > 0;) {
		struct lock_state *l = &v->sync.locks.at[v->sync.held.at[i]];
		if (l->address - start < bytes)
			lock_reset(v, l);
		if (i > v->sync.held.count)
			i = v->sync.held.count;
	}
}

/* ---- locks ---- */

static uint64_t *times_read(struct verifier *v, const struct lock_state *l, uint32_t thread)
{
	return map_put(&v->sync.reader_counts, (uint64_t)(l - v->sync.locks.at) << 32 | thread, NULL);
}

static void take(struct verifier *v, struct lock_state *l, const struct event *ev)
{
	uint32_t thread = ev->thread.i;
	bool again = l->owner == thread;
	if ((ev->result || v->last) && l->owner != NOBODY && !again)    /* its owner died: the lock goes on to the next */
		lock_reset(v, l);
	if (v->last && l->readers)
		lock_reset(v, l);
	if (l->owner != NOBODY && !again)
		problem(v, RULE_LOCK, ev, "%s takes %s, which %s holds", path_of(v, thread), object_text(v, l->address),
			path_of(v, l->owner));
	else if (l->readers)
		problem(v, RULE_LOCK, ev, "%s takes %s for writing, which is read-locked", path_of(v, thread), object_text(v, l->address));
	else if (again && !v->last && (l->type == LOCK_MUTEX || l->type == LOCK_ERRORCHECK || l->type == LOCK_SPIN ||
		l->type == LOCK_RWLOCK))
		problem(v, RULE_LOCK, ev, "%s takes %s, which it holds already", path_of(v, thread), object_text(v, l->address));
	if (l->owner == NOBODY && !l->readers)
		note_held(v, l);
	l->depth = again ? l->depth + 1 : 1;
	l->owner = thread;
}

static void take_for_reading(struct verifier *v, struct lock_state *l, const struct event *ev)
{
	if (v->last && l->owner != NOBODY)
		lock_reset(v, l);
	if (l->owner != NOBODY)
		problem(v, RULE_LOCK, ev, "%s takes %s for reading, which %s holds for writing", path_of(v, ev->thread.i),
			object_text(v, l->address), path_of(v, l->owner));
	if (l->owner == NOBODY && !l->readers)
		note_held(v, l);
	l->readers++;
	++*times_read(v, l, ev->thread.i);
}

/* False: this thread does not hold it. */
static bool give_back(struct verifier *v, struct lock_state *l, uint32_t thread)
{
	if (l->owner == thread) {
		if (--l->depth == 0) {
			l->owner = NOBODY;
			note_free(v, l);
		}
		return true;
	}
	uint64_t *times = l->readers ? times_read(v, l, thread) : NULL;
	if (times && *times) {
		--*times;
		if (--l->readers == 0)
			note_free(v, l);
		return true;
	}
	return v->last || (!l->met && trace_fact(v->trace, "forked"));       /* held when the child was made */
}

static void not_holder(struct verifier *v, const struct event *ev, uint64_t lock)
{
	struct lock_state *l = lock_at(v, lock, 0);
	if (l->owner == NOBODY)
		problem(v, RULE_LOCK, ev, "%s gives back %s, which %s", path_of(v, ev->thread.i), object_text(v, lock),
			l->readers ? "others hold for reading" : "nobody holds");
	else
		problem(v, RULE_LOCK, ev, "%s gives back %s, which %s holds", path_of(v, ev->thread.i), object_text(v, lock),
			path_of(v, l->owner));
}

void sync_settle(struct verifier *v, const struct event *ev)
{
	struct thread_state *t = &v->threads[ev->thread.i];
	if (!t->doubtful_unlock || event_class(ev->kind) == CLASS_BOOK)
		return;
	if (!(ev->kind == EV_UNLOCK && ev->result && ev->object == t->doubtful_unlock))
		not_holder(v, &t->doubtful_event, t->doubtful_unlock);
	t->doubtful_unlock = 0;
}

static void lock_event(struct verifier *v, const struct event *ev)
{
	struct lock_state *l = lock_at(v, ev->object, (uint32_t)(ev->arg >> 8 & 0xff));
	if (ev->kind == EV_LOCK && !ev->in_flight) {
		v->out->locks++;
		l->met = true;
		if (ev->arg & LOCK_FOR_READING)
			take_for_reading(v, l, ev);
		else
			take(v, l, ev);
	} else if (ev->kind == EV_UNLOCK && !ev->result && !ev->in_flight && !give_back(v, l, ev->thread.i)) {
		struct thread_state *t = &v->threads[ev->thread.i];
		t->doubtful_unlock = ev->object;
		t->doubtful_event = *ev;
	} else if ((ev->kind == EV_LOCKINIT || ev->kind == EV_LOCKDEAD) && !ev->result) {
		lock_reset(v, l);
		l->met = true;
		l->fresh_init = ev->kind == EV_LOCKINIT;
	}
}

/* ---- conditions ---- */

static void cond_event(struct verifier *v, const struct event *ev)
{
	struct thread_state *t = &v->threads[ev->thread.i];
	lock_at(v, ev->object, LOCK_COND);
	if (ev->kind != EV_CWAIT && ev->kind != EV_CWAKE)
		return;
	struct lock_state *l = ev->arg ? lock_at(v, ev->arg, 0) : NULL;
	if (ev->kind == EV_CWAIT) {
		if (l && !give_back(v, l, ev->thread.i))
			problem(v, RULE_COND, ev, "%s waits for %s with %s, which it does not hold", path_of(v, ev->thread.i),
				object_text(v, ev->object), object_text(v, ev->arg));
		t->waits_cond = ev->object;
		return;
	}
	if (t->waits_cond != ev->object && !v->last)
		problem(v, RULE_COND, ev, "%s wakes from %s without having waited for it", path_of(v, ev->thread.i),
			object_text(v, ev->object));
	t->waits_cond = 0;
	struct event taken = *ev;
	taken.result = 0;
	if (l)
		take(v, l, &taken);
}

/* ---- barriers and semaphores ---- */

static void barrier_event(struct verifier *v, const struct event *ev)
{
	struct thread_state *t = &v->threads[ev->thread.i];
	struct lock_state *l = lock_at(v, ev->object, LOCK_BARRIER);
	if (ev->kind == EV_BENTER) {
		if (ev->arg < l->left && ev->arg && !v->last)
			problem(v, RULE_BARRIER, ev, "%s enters generation %llu of %s, which others have left", path_of(v, ev->thread.i),
				(unsigned long long)ev->arg, object_text(v, ev->object));
		t->enters = ev->object;
		t->enters_generation = ev->arg;
		return;
	}
	bool entered = t->enters == ev->object && t->enters_generation == ev->arg;
	if (!entered && !v->last)
		problem(v, RULE_BARRIER, ev, "%s leaves generation %llu of %s without having entered it", path_of(v, ev->thread.i),
			(unsigned long long)ev->arg, object_text(v, ev->object));
	t->enters = 0;
	if (ev->arg + 1 > l->left)
		l->left = ev->arg + 1;
}

/* Other processes post and take there too. */
static bool is_shared(const struct verifier *v, uint64_t address)
{
	const struct object *b = objects_at(v->objects, address);
	const uint64_t *mark = b ? map_get(&v->calls.shared_maps, b->start) : NULL;
	return mark && *mark;
}

static void sem_event(struct verifier *v, const struct event *ev)
{
	struct lock_state *l = lock_at(v, ev->object, LOCK_SEM);
	if (ev->kind == EV_SPOST)
		l->value += ev->result ? -1 : 1;
	else if (!ev->result && --l->value < 0 && l->value_known && !v->last && !is_shared(v, ev->object)) {
		problem(v, RULE_SEM, ev, "%s takes %s, which is 0", path_of(v, ev->thread.i), object_text(v, ev->object));
		l->value = 0;
	}
}

/* sem_init fills the semaphore: its first word is the value. */
static void sem_value(struct verifier *v, const struct event *ev)
{
	uint64_t *slot = map_get(&v->sync.lock_index, ev->object);
	struct lock_state *l = slot ? &v->sync.locks.at[*slot - 1] : NULL;
	uint32_t value;
	if (!l || !l->fresh_init || l->type != LOCK_SEM || ev->byte_count < 4)
		return;
	memcpy(&value, ev->bytes, 4);
	l->value = value;
	l->value_known = true;
	l->fresh_init = false;
}

/* ---- threads ---- */

static void fork_event(struct verifier *v, const struct event *ev)
{
	if (ev->object >= v->thread_count)
		return;
	struct thread_state *child = &v->threads[ev->object];
	if (ev->result) {
		child->forked = false;
		return;
	}
	if (child->forked || child->begun)
		problem(v, RULE_THREAD, ev, "%s is created after it has %s", path_of(v, (uint32_t)ev->object),
			child->begun ? "begun" : "been created");
	child->forked = true;
	clocks_fork(v, ev->thread.i, (uint32_t)ev->object);
}

static void begin_event(struct verifier *v, const struct event *ev)
{
	struct thread_state *t = &v->threads[ev->thread.i];
	struct thread_id parent = trace_thread(v->trace, ev->thread)->parent;
	if (t->begun || ev->index)
		problem(v, RULE_THREAD, ev, "%s begins %s", path_of(v, ev->thread.i), t->begun ? "twice" : "after its first event");
	if (!t->forked && parent.i < v->thread_count && !v->last)
		problem(v, RULE_THREAD, ev, "%s begins before %s has created it", path_of(v, ev->thread.i), path_of(v, parent.i));
	t->begun = true;
}

static void join_event(struct verifier *v, const struct event *ev)
{
	if (ev->object >= v->thread_count || ev->result)
		return;
	struct thread_state *t = &v->threads[ev->object];
	if (!t->ended && t->begun && !v->last)          /* STD has no words for either: joined, it has ended */
		problem(v, RULE_THREAD, ev, "%s is joined but has not ended", path_of(v, (uint32_t)ev->object));
	if (t->joined)
		problem(v, RULE_THREAD, ev, "%s is joined a second time", path_of(v, (uint32_t)ev->object));
	t->joined = true;
	t->ended |= !v->last;
	clocks_join(v, ev->thread.i, (uint32_t)ev->object);
}

static void thread_event(struct verifier *v, const struct event *ev)
{
	switch (ev->kind) {
	case EV_BEGIN: begin_event(v, ev); break;
	case EV_END:   v->threads[ev->thread.i].ended = true; break;
	case EV_FORK:  fork_event(v, ev); break;
	case EV_JOIN:  join_event(v, ev); break;
	}
}

void sync_event(struct verifier *v, const struct event *ev)
{
	if (v->threads[ev->thread.i].ended && event_class(ev->kind) != CLASS_BOOK)
		problem(v, RULE_THREAD, ev, "%s goes on after its end: %s", path_of(v, ev->thread.i), event_word(ev->kind));
	switch (event_class(ev->kind)) {
	case CLASS_THREAD:
		thread_event(v, ev);
		break;
	case CLASS_LOCK:
		if (ev->kind != EV_BLOCK)
			lock_event(v, ev);
		break;
	case CLASS_COND:
		cond_event(v, ev);
		break;
	case CLASS_BARRIER:
		barrier_event(v, ev);
		break;
	case CLASS_SEM:
		if (ev->kind == EV_SWAIT || ev->kind == EV_SPOST)
			sem_event(v, ev);
		break;
	case CLASS_ONCE:
		if (ev->kind != EV_KEYDTOR)
			lock_at(v, ev->object, LOCK_GUARD);
		break;
	case CLASS_MEMORY:
		if (ev->kind == EV_LIBWRITE)
			sem_value(v, ev);
		break;
	default:
		break;
	}
}
