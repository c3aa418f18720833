/* drive/races_sync.c -- who learns what from whom: the happens-before edges of each primitive (docs/races.md).
 *
 * To *publish* is to add a thread's clock to an object's and to begin a new epoch; to *learn* is to add an object's clock to
 * the thread's.  Atomics: bytes of memory carry the releases whose sequences they are in.  A store goes on with those of its own
 * thread (C11 5.1.2.4), a read-modify-write with all, a plain write with none; what a release fence covers is carried by the
 * stores behind it, and what relaxed loads saw is learnt by the acquire fence behind them. */
#include <string.h>

#include "drive/races_inside.h"

/* ---------------------------------------------------------------- objects by address */

static uint32_t sync_new(struct races *r, uint64_t address, enum sync_class class)
{
	uint32_t id = (uint32_t)r->syncs.count;
	if (r->sync_spare.count)
		id = r->sync_spare.at[--r->sync_spare.count];
	else
		vec_add(&r->syncs);
	uint32_t *first = slots_put(&r->sync_index, address / 8);
	r->syncs.at[id] = (struct sync){ .address = address, .next = *first, .class = (uint8_t)class, .clock = { NONE, NONE } };
	*first = id;
	bytes_note_sync(r, address);
	return id;
}

static uint32_t sync_first(const struct races *r, uint64_t address)
{
	const uint32_t *first = slots_get(&r->sync_index, address / 8);
	return first ? *first : NONE;
}

static uint32_t sync_find(const struct races *r, uint64_t address, enum sync_class class)
{
	uint32_t id = sync_first(r, address);
	while (id != NONE && (r->syncs.at[id].address != address || r->syncs.at[id].class != class))
		id = r->syncs.at[id].next;
	return id;
}

static uint32_t sync_made(struct races *r, uint64_t address, enum sync_class class)
{
	uint32_t id = sync_find(r, address, class);
	return id == NONE ? sync_new(r, address, class) : id;
}

static void sync_empty(struct races *r, uint32_t id)
{
	struct sync *s = &r->syncs.at[id];
	for (int i = 0; i < 2; i++) {
		clock_drop(&r->clocks, s->clock[i]);
		s->clock[i] = NONE;
		s->generation[i] = 0;
	}
	for (uint32_t i = 0; i < s->head_count; i++)
		clock_drop(&r->clocks, s->heads[i].clock);
	s->head_count = 0;
}

void sync_forget_word(struct races *r, uint64_t word)
{
	uint32_t next;
	for (uint32_t id = sync_first(r, word); id != NONE; id = next) {
		next = r->syncs.at[id].next;
		sync_empty(r, id);
		vec_push(&r->sync_spare, id);
	}
	slots_drop(&r->sync_index, word / 8);
}

/* ---------------------------------------------------------------- publish and learn */

static void new_epoch(struct races *r, uint32_t thread)
{
	uint32_t now = racer(r, thread)->now, epoch = clock_at(&r->clocks, now, thread);
	if (epoch == UINT32_MAX)
		r->stopped = "a thread released more often than can be counted";
	else
		clock_set(&r->clocks, now, thread, epoch + 1);
}

static void stop_if_full(struct races *r)
{
	if (r->clocks.numbers > r->limits.edges)
		r->stopped = "there are too many threads and synchronising objects to remember their order";
}

static void join_into(struct races *r, uint32_t *clock, uint32_t from)
{
	if (*clock == NONE)
		*clock = clock_take(&r->clocks);
	clock_join(&r->clocks, *clock, from);
}

static void publish(struct races *r, uint32_t thread, uint32_t *clock)
{
	join_into(r, clock, racer(r, thread)->now);
	new_epoch(r, thread);
}

static void learn(struct races *r, uint32_t thread, uint32_t clock)
{
	clock_join(&r->clocks, racer(r, thread)->now, clock);
}

/* ---------------------------------------------------------------- locks */

#define NUMBERS_MOST 65536u             /* of descriptors: who opens more is not ordered by them */
#define HELD_MAX 1000u                  /* locks of a thread that are remembered as held */

static uint64_t lock_word(uint64_t address, bool reading)
{
	return address << 1 | reading;
}

static void hold(struct races *r, uint32_t thread, uint64_t address, bool reading, const struct place *place)
{
	uint32_t held = racer(r, thread)->held;
	if (held == NONE || r->links.all.at[held].length < HELD_MAX)
		racer(r, thread)->held = link_add(&r->links, racer(r, thread)->held, lock_word(address, reading), place);
}

/* The row without the last entry of that lock; *reading: how it was taken, if it was there. */
static uint32_t without(struct races *r, uint32_t row, uint64_t address, bool *reading)
{
	if (row == NONE)
		return NONE;
	struct link l = r->links.all.at[row];
	if (l.what >> 1 == address) {
		*reading = l.what & 1;
		return l.before;
	}
	uint32_t before = without(r, l.before, address, reading);
	return before == l.before ? row : link_add(&r->links, before, l.what, l.place);
}

static void note_lock(struct races *r, uint32_t thread, uint64_t address, bool reading, const struct place *place)
{
	uint32_t id = sync_made(r, address, SYNC_LOCK);
	learn(r, thread, r->syncs.at[id].clock[0]);
	if (!reading)
		learn(r, thread, r->syncs.at[id].clock[1]);
	hold(r, thread, address, reading, place);
}

static void note_unlock(struct races *r, uint32_t thread, uint64_t address, bool reading)
{
	struct racer *t = racer(r, thread);
	t->held = without(r, t->held, address, &reading);
	uint32_t id = sync_made(r, address, SYNC_LOCK);
	publish(r, thread, &r->syncs.at[id].clock[reading]);
}

/* Whoever takes a robust mutex of a dead thread comes after its death. */
void sync_ended(struct races *r, uint32_t thread)
{
	for (uint32_t row = racer(r, thread)->held; row != NONE; row = r->links.all.at[row].before) {
		uint32_t id = sync_made(r, r->links.all.at[row].what >> 1, SYNC_LOCK);
		publish(r, thread, &r->syncs.at[id].clock[0]);
	}
}

static void note_init(struct races *r, const struct event *ev)
{
	uint64_t type = ev->arg >> 8 & 255;
	enum sync_class class = type == LOCK_SEM ? SYNC_SEM : type == LOCK_BARRIER ? SYNC_BARRIER : SYNC_LOCK;
	uint32_t id = sync_find(r, ev->object, class);
	if (id != NONE && !ev->result && type != LOCK_COND)
		sync_empty(r, id);
}

/* ---------------------------------------------------------------- barriers, semaphores, once, what the program says */

static void note_barrier(struct races *r, const struct event *ev)
{
	uint32_t id = sync_made(r, ev->object, SYNC_BARRIER), side = ev->arg & 1;
	struct sync *s = &r->syncs.at[id];
	if (ev->kind == EV_BLEAVE) {
		if (s->generation[side] == ev->arg)
			learn(r, ev->thread.i, s->clock[side]);
		return;
	}
	if (s->generation[side] != ev->arg && s->clock[side] != NONE) {
		clock_drop(&r->clocks, s->clock[side]);
		s->clock[side] = NONE;
	}
	s->generation[side] = ev->arg;
	publish(r, ev->thread.i, &s->clock[side]);
}

static void note_given(struct races *r, const struct event *ev, enum sync_class class)
{
	uint32_t id = sync_made(r, ev->object, class);
	publish(r, ev->thread.i, &r->syncs.at[id].clock[0]);
}

static void note_taken(struct races *r, const struct event *ev, enum sync_class class)
{
	uint32_t id = sync_find(r, ev->object, class);
	if (id != NONE)
		learn(r, ev->thread.i, r->syncs.at[id].clock[0]);
}

/* ---------------------------------------------------------------- atomics */

static bool releases(uint8_t order) { return order == ORDER_RELEASE || order == ORDER_ACQ_REL || order == ORDER_SEQ_CST; }
static bool acquires(uint8_t order)
{
	return order == ORDER_CONSUME || order == ORDER_ACQUIRE || order == ORDER_ACQ_REL || order == ORDER_SEQ_CST;
}

static struct head *head_of(struct sync *m, uint32_t thread)
{
	for (uint32_t i = 0; i < m->head_count; i++)
		if (m->heads[i].thread == thread)
			return &m->heads[i];
	return NULL;
}

/* One more release in the message; clock is copied.  The last place is everybody's when there are more than fit: nothing
 * that was released is ever lost from it but by a plain write. */
static void head_add(struct races *r, uint32_t message, uint32_t thread, uint32_t clock)
{
	struct sync *m = &r->syncs.at[message];
	struct head *h = head_of(m, thread);
	if (!h && m->head_count < HEADS) {
		h = &m->heads[m->head_count++];
		*h = (struct head){ m->head_count == HEADS ? NONE : thread, clock_take(&r->clocks) };
	} else if (!h) {
		h = &m->heads[HEADS - 1];
	}
	clock_join(&r->clocks, h->clock, clock);
}

static void learn_heads(struct races *r, const struct sync *m, uint32_t *clock)
{
	for (uint32_t i = 0; i < m->head_count; i++)
		join_into(r, clock, m->heads[i].clock);
}

/* What the bytes carry is learnt, at once or by the next acquire fence. */
static void read_messages(struct races *r, uint32_t thread, uint64_t word, uint8_t mask, bool acquire)
{
	for (uint32_t id = sync_first(r, word); id != NONE; id = r->syncs.at[id].next) {
		struct sync *m = &r->syncs.at[id];
		if (m->class == SYNC_MESSAGE && m->mask & mask)
			learn_heads(r, m, acquire ? &racer(r, thread)->now : &racer(r, thread)->loose);
	}
}

void sync_plain_write(struct races *r, uint64_t word, uint8_t mask)
{
	for (uint32_t id = sync_first(r, word); id != NONE; id = r->syncs.at[id].next) {
		struct sync *m = &r->syncs.at[id];
		if (m->class != SYNC_MESSAGE || !(m->mask & mask))
			continue;
		m->mask &= (uint8_t)~mask;
		if (!m->mask)
			sync_empty(r, id);
	}
}

/* A message for exactly these bytes: one that covers none any more is taken again. */
static uint32_t message_new(struct races *r, uint64_t word, uint8_t mask)
{
	uint32_t id = sync_first(r, word);
	while (id != NONE && (r->syncs.at[id].class != SYNC_MESSAGE || r->syncs.at[id].mask))
		id = r->syncs.at[id].next;
	if (id == NONE)
		id = sync_new(r, word, SYNC_MESSAGE);
	r->syncs.at[id].mask = mask;
	return id;
}

/* The part of a message that lies in `mask`, by itself. */
static uint32_t message_part(struct races *r, uint32_t id, uint8_t mask)
{
	if (!(r->syncs.at[id].mask & ~mask))
		return id;
	uint32_t part = message_new(r, r->syncs.at[id].address, r->syncs.at[id].mask & mask);
	r->syncs.at[id].mask &= (uint8_t)~mask;
	for (uint32_t i = 0; i < r->syncs.at[id].head_count; i++)
		head_add(r, part, r->syncs.at[id].heads[i].thread, r->syncs.at[id].heads[i].clock);
	return part;
}

static void heads_of_others_end(struct races *r, struct sync *m, uint32_t thread)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < m->head_count; i++) {
		struct head h = m->heads[i];
		if (h.thread == thread || h.thread == NONE)
			m->heads[kept++] = h;
		else
			clock_drop(&r->clocks, h.clock);
	}
	m->head_count = kept;
}

/* A write to bytes of one word: `all` of the releases there go on, or those of this thread.  No byte is in two messages. */
static void write_message(struct races *r, uint32_t thread, uint64_t word, uint8_t mask, bool all, uint32_t carried)
{
	uint32_t old[8], count = 0;
	uint8_t rest = mask;
	for (uint32_t id = sync_first(r, word); id != NONE; id = r->syncs.at[id].next)
		if (r->syncs.at[id].class == SYNC_MESSAGE && r->syncs.at[id].mask & mask) {
			check(count < 8);
			old[count++] = id;
			rest &= (uint8_t)~r->syncs.at[id].mask;
		}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t part = message_part(r, old[i], mask);
		if (!all)
			heads_of_others_end(r, &r->syncs.at[part], thread);
		if (carried != NONE)
			head_add(r, part, thread, carried);
		if (!r->syncs.at[part].head_count)
			r->syncs.at[part].mask = 0;
	}
	if (rest && carried != NONE)
		head_add(r, message_new(r, word, rest), thread, carried);
}

static uint8_t bytes_of(uint64_t address, uint32_t size)
{
	uint32_t low = address % 8, high = low + size < 8 ? low + size : 8;
	return (uint8_t)((1u << high) - (1u << low));
}

void sync_atomic_reads(struct races *r, const struct event *ev)
{
	uint8_t order = ev->kind == EV_CAS && ev->failed ? ev->order2 : ev->order;
	uint64_t end = ev->object + ev->size;
	for (uint64_t at = ev->object; ev->kind != EV_ASTORE && at < end; at = (at & ~7ull) + 8) {
		uint8_t own = held_forwards(r, ev->thread.i, at & ~7ull);
		read_messages(r, ev->thread.i, at & ~7ull, (uint8_t)(bytes_of(at, (uint32_t)(end - at)) & ~own), acquires(order));
	}
}

void sync_store(struct races *r, uint32_t thread, uint64_t word, uint8_t mask, uint32_t carried)
{
	write_message(r, thread, word, mask, false, carried);
	stop_if_full(r);
}

void sync_atomic_writes(struct races *r, const struct event *ev)
{
	uint32_t thread = ev->thread.i, carried = releases(ev->order) ? racer(r, thread)->now : racer(r, thread)->fence;
	uint64_t end = ev->object + ev->size;
	if (ev->kind == EV_ALOAD || (ev->kind == EV_CAS && ev->failed))
		return;
	bool waits = held_atomic(r, ev, carried);
	for (uint64_t at = ev->object; !waits && at < end; at = (at & ~7ull) + 8)
		write_message(r, thread, at & ~7ull, bytes_of(at, (uint32_t)(end - at)), ev->kind != EV_ASTORE, carried);
	if (releases(ev->order))
		new_epoch(r, thread);
	stop_if_full(r);
}

static void note_fence(struct races *r, const struct event *ev)
{
	struct racer *t = racer(r, ev->thread.i);
	if (acquires(ev->order))
		learn(r, ev->thread.i, t->loose);
	if (!releases(ev->order))
		return;
	if (t->fence == NONE)
		t->fence = clock_take(&r->clocks);
	clock_copy(&r->clocks, t->fence, t->now);
	new_epoch(r, ev->thread.i);
}

/* Who runs it after another was thrown out of it comes after that one.  Of a C++ guard the compiler itself looks at byte 0, and acquires it. */
static void note_once(struct races *r, const struct event *ev)
{
	if (ev->kind == EV_ONCERUN || !ev->arg) {
		note_taken(r, ev, SYNC_ONCE);
		return;
	}
	if (!ev->result)
		write_message(r, ev->thread.i, ev->object & ~7ull, bytes_of(ev->object, 1), false, racer(r, ev->thread.i)->now);
	note_given(r, ev, SYNC_ONCE);
}

/* ---------------------------------------------------------------- which event does what */

static void note_signal(struct races *r, const struct event *ev)
{
	uint64_t number = ev->kind == EV_SIGSEND ? ev->arg : ev->object;
	if (number > 64 || ev->result)
		return;
	if (ev->kind == EV_SIGSEND)
		publish(r, ev->thread.i, &r->signals[number]);
	else
		learn(r, ev->thread.i, r->signals[number]);
}

/* What sigwait found is input of no file; its kin are calls with the number as their result. */
static void note_sigwait(struct races *r, const struct event *ev)
{
	uint32_t number;
	if (ev->kind == EV_INPUT) {
		if (ev->version || ev->byte_count != sizeof number)
			return;
		memcpy(&number, ev->bytes, sizeof number);
		if (number <= 64)
			learn(r, ev->thread.i, r->signals[number]);
		return;
	}
	if (ev->byte_count >= 7 && ev->arg <= 64 && (!memcmp(ev->bytes, "sigwait", 7) || !memcmp(ev->bytes, "sigtime", 7)))
		learn(r, ev->thread.i, r->signals[ev->arg]);
}

/* Nobody gets the number of a descriptor before it was given back: what a table has for it (a connection) goes from hand to hand. */
static void note_number(struct races *r, const struct event *ev)
{
	if (ev->arg >= NUMBERS_MOST)
		return;
	while (ev->kind == EV_SHUT && r->numbers.count <= ev->arg)
		vec_push(&r->numbers, NONE);
	if (ev->kind == EV_SHUT)
		publish(r, ev->thread.i, &r->numbers.at[ev->arg]);
	else if (ev->arg < r->numbers.count)
		learn(r, ev->thread.i, r->numbers.at[ev->arg]);
}

/* Assembly, system calls made by it, and libraries not built with raddle: what these do to other threads is not seen, and may order
 * what stands before it. */
static void note_unseen(struct races *r, const struct event *ev)
{
	static const char assembly[] = "assembly", call[] = "syscall instruction";
	bool is_one = (ev->byte_count >= sizeof assembly - 1 && !memcmp(ev->bytes, assembly, sizeof assembly - 1)) ||
		(ev->byte_count >= sizeof call - 1 && !memcmp(ev->bytes, call, sizeof call - 1));
	struct racer *t = racer(r, ev->thread.i);
	const char *library = ev->kind == EV_CALL && r->names.library ? r->names.library(r->names.who, ev->object) : NULL;
	if (!library && (ev->kind != EV_OUTCALL || !is_one))
		return;
	new_epoch(r, ev->thread.i);
	t->unseen = ev->place;
	t->unseen_in = library;
	t->unseen_epoch = clock_at(&r->clocks, t->now, ev->thread.i);
}

void sync_note(struct races *r, const struct event *ev)
{
	uint32_t thread = ev->thread.i;
	bool reading = ev->arg & LOCK_FOR_READING;
	if (ev->in_flight)
		return;
	switch (ev->kind) {
	case EV_LOCK:     note_lock(r, thread, ev->object, reading, ev->place); break;
	case EV_UNLOCK:   if (!ev->result) note_unlock(r, thread, ev->object, reading); break;
	case EV_LOCKINIT: note_init(r, ev); break;
	case EV_CWAIT:    if (ev->arg) note_unlock(r, thread, ev->arg, false); break;
	case EV_CWAKE:    if (ev->arg) note_lock(r, thread, ev->arg, false, ev->place); break;
	case EV_BENTER: case EV_BLEAVE: note_barrier(r, ev); break;
	case EV_SPOST:    if (!ev->result) note_given(r, ev, SYNC_SEM); break;
	case EV_SWAIT:    if (!ev->result) note_taken(r, ev, SYNC_SEM); break;
	case EV_ONCE: case EV_ONCERUN: note_once(r, ev); break;
	case EV_RELEASE:  note_given(r, ev, SYNC_SAID); break;
	case EV_ACQUIRE:  note_taken(r, ev, SYNC_SAID); break;
	case EV_FENCE:    note_fence(r, ev); break;
	case EV_SIGSEND: case EV_SIGENTER: note_signal(r, ev); break;
	case EV_OUTCALL: case EV_INPUT: note_sigwait(r, ev); note_unseen(r, ev); break;
	case EV_CALL: note_unseen(r, ev); break;
	case EV_SHUT: case EV_OPENED: note_number(r, ev); break;
	}
	stop_if_full(r);
}
