/* order/history.c -- from the events of a trace to nodes: which events order anything, and what each primitive forces.
 * The rule of each is in docs/order.md; hostile traces give odd histories, never a bad index. */
#include <errno.h>
#include <string.h>

#include "order/inside.h"

/* ---- what no rule covers ---- */

static void unmodelled(struct order *o, const char *name, const struct event *ev)
{
	struct unmodelled *u = NULL;
	for (size_t i = 0; i < o->unmodelled.count; i++)
		if (!strcmp(o->unmodelled.at[i].name, name))
			u = &o->unmodelled.at[i];
	if (!u) {
		u = vec_add(&o->unmodelled);
		*u = (struct unmodelled){ .name = name, .where = ev ? ev->place : NULL };
	}
	u->times++;
}

const char *order_unmodelled(const struct order *o, uint32_t i, const struct place **where, uint64_t *times)
{
	if (i >= o->unmodelled.count)
		return NULL;
	*where = o->unmodelled.at[i].where;
	*times = o->unmodelled.at[i].times;
	return o->unmodelled.at[i].name;
}

/* ---- numbers of objects ---- */

#define NUMBERED(index, list, key) \
	uint64_t *slot = map_put(index, key, NULL); \
	if (!*slot) { \
		vec_add(list)->address = key; \
		*slot = (list)->count; \
	} \
	return (uint32_t)(*slot - 1)

static uint32_t lock_number(struct order *o, uint64_t address) { NUMBERED(&o->lock_index, &o->locks, address); }
static uint32_t cond_number(struct order *o, uint64_t address) { NUMBERED(&o->cond_index, &o->conds, address); }
static uint32_t sem_number(struct order *o, uint64_t address) { NUMBERED(&o->sem_index, &o->sems, address); }

static struct gather *gather_of(struct order *o, uint64_t what, uint64_t object, uint64_t number)
{
	uint64_t key = (object * 0x9e3779b97f4a7c15ull ^ number) * 0xd6e8feb86659fd93ull ^ what << 60;
	uint64_t *slot = map_put(&o->gather_index, key, NULL);
	if (!*slot) {
		vec_add(&o->gathers);
		*slot = o->gathers.count;
	}
	return &o->gathers.at[*slot - 1];
}

/* ---- nodes ---- */

static uint32_t node_put(struct order *o, uint32_t thread, enum op op, uint8_t kind, uint64_t key, const struct event *ev)
{
	struct thread_line *t = &o->threads[thread];
	check(o->nodes.count < NONE - 8);
	struct node *n = vec_add(&o->nodes);
	*n = (struct node){ .thread = thread, .at = (uint32_t)t->node.count, .row = t->row, .held = t->held, .section = NONE,
		.object = NONE, .other = NONE, .op = (uint8_t)op, .kind = kind, .key = key, .address = ev ? ev->object : 0,
		.number = ev ? ev->arg : 0, .place = ev ? ev->place : NULL };
	uint32_t id = (uint32_t)(o->nodes.count - 1);
	vec_push(&t->node, id);
	return id;
}

static uint32_t node_add(struct order *o, enum op op, const struct event *ev)
{
	return node_put(o, ev->thread.i, op, ev->kind, 2 * ev->index + 1, ev);
}

static void node_saw(struct order *o, uint32_t node, uint32_t first)
{
	o->nodes.at[node].saw.first = first;
	o->nodes.at[node].saw.count = (uint32_t)o->saws.count - first;
}

/* What the next node of this thread learns. */
static bool learn(struct order *o, uint32_t thread, uint32_t node, bool *own)
{
	return row_learn(o, &o->threads[thread], thread, node, own);
}

static void begin_thread(struct order *o, uint32_t thread, const struct event *ev)
{
	struct thread_line *t = &o->threads[thread];
	if (t->begun)
		return;
	t->begun = true;
	node_put(o, thread, OP_PASS, EV_BEGIN, 2 * ev->index, NULL);
}

static void end_thread(struct order *o, uint32_t thread, uint64_t key, const struct event *ev)
{
	struct thread_line *t = &o->threads[thread];
	if (t->ended || !t->begun)
		return;
	t->ended = true;
	node_put(o, thread, OP_PASS, EV_END, key, ev);
}

/* ---- threads ---- */

static void note_fork(struct order *o, const struct event *ev)
{
	bool own = false;
	if (ev->result)
		return;
	uint32_t n = node_add(o, OP_PASS, ev);
	if (ev->object < o->thread_count && !o->threads[ev->object].begun)
		learn(o, (uint32_t)ev->object, n, &own);        /* its begin has this row */
}

static void note_join(struct order *o, const struct event *ev)
{
	bool own = false;
	if (ev->result || ev->object >= o->thread_count)
		return;
	struct thread_line *child = &o->threads[ev->object];
	if (ev->object != ev->thread.i)
		end_thread(o, (uint32_t)ev->object, 2 * child->last_index + 2, NULL);
	if (child->node.count)
		learn(o, ev->thread.i, child->node.at[child->node.count - 1], &own);
	node_add(o, OP_PASS, ev);
}

/* ---- locks ---- */

static struct open *open_of(struct thread_line *t, uint32_t lock)
{
	for (size_t i = 0; i < t->open.count; i++)
		if (t->open.at[i].lock == lock)
			return &t->open.at[i];
	return NULL;
}

static bool others_hold(struct order *o, uint32_t lock, uint32_t thread, bool shared, uint32_t *section)
{
	struct lock *l = &o->locks.at[lock];
	for (size_t i = 0; i < l->users.count; i++) {
		struct lock_user *u = &l->users.at[i];
		if (u->thread == thread || !u->sections.count)
			continue;
		uint32_t last = u->sections.at[u->sections.count - 1];
		if (o->sections.at[last].give == NONE && !(shared && o->sections.at[last].shared)) {
			*section = last;
			return true;
		}
	}
	return false;
}

static struct lock_user *user_of(struct order *o, uint32_t lock, uint32_t thread)
{
	uint64_t *slot = map_put(&o->user_index, (uint64_t)lock << 32 | thread, NULL);
	if (!*slot) {
		vec_add(&o->locks.at[lock].users)->thread = thread;
		*slot = o->locks.at[lock].users.count;
	}
	return &o->locks.at[lock].users.at[*slot - 1];
}

/* The thread is in one more section from `node` on. */
static void section_begin(struct order *o, uint32_t lock, uint32_t node, bool shared, const struct event *ev)
{
	uint32_t thread = ev->thread.i, other, id = (uint32_t)o->sections.count;
	struct thread_line *t = &o->threads[thread];
	if (others_hold(o, lock, thread, shared, &other)) {
		unmodelled(o, ev->result ? "a robust mutex whose owner died" : "a lock taken while another thread holds it", ev);
		o->sections.at[other].give = node;
	}
	*vec_add(&o->sections) = (struct section){ lock, thread, node, NONE, shared };
	struct lock_user *user = user_of(o, lock, thread);
	vec_push(&user->sections, id);
	*vec_add(&t->open) = (struct open){ lock, id, 1 };
	*vec_add(&o->helds) = (struct held){ id, t->held };
	t->held = (uint32_t)(o->helds.count - 1);
	o->nodes.at[node].section = id;
	o->nodes.at[node].held = t->held;
}

static uint32_t held_without(struct order *o, uint32_t list, uint32_t section)
{
	if (!list)
		return 0;
	struct held h = o->helds.at[list];
	if (h.section == section)
		return h.next;
	h.next = held_without(o, h.next, section);      /* as deep as locks are held at once */
	vec_push(&o->helds, h);
	return (uint32_t)(o->helds.count - 1);
}

/* The section this node ends: learns of those whose trylock it made fail, and is gone from what the thread holds. */
static void section_end(struct order *o, uint32_t thread, struct open *open)
{
	struct thread_line *t = &o->threads[thread];
	struct lock *l = &o->locks.at[open->lock];
	bool own = false;
	size_t kept = 0;
	for (size_t i = 0; i < l->fails.count; i++)
		if (l->fails.at[i].section == open->section)
			learn(o, thread, l->fails.at[i].node, &own);
		else
			l->fails.at[kept++] = l->fails.at[i];
	l->fails.count = kept;
	t->held = held_without(o, t->held, open->section);
	*open = t->open.at[--t->open.count];
}

static void note_lock(struct order *o, const struct event *ev)
{
	if (ev->in_flight)
		return;
	uint32_t lock = lock_number(o, ev->object);
	struct open *open = open_of(&o->threads[ev->thread.i], lock);
	if (open) {
		open->depth++;
		return;
	}
	section_begin(o, lock, node_add(o, OP_TAKE, ev), ev->arg & LOCK_FOR_READING, ev);
}

static void note_unlock(struct order *o, const struct event *ev)
{
	struct open *open = open_of(&o->threads[ev->thread.i], lock_number(o, ev->object));
	if (ev->result || ev->in_flight || !open || --open->depth)
		return;
	uint32_t section = open->section;
	section_end(o, ev->thread.i, open);
	uint32_t n = node_add(o, OP_GIVE, ev);
	o->nodes.at[n].section = section;
	if (o->sections.at[section].give == NONE)
		o->sections.at[section].give = n;
}

static void note_tryfail(struct order *o, const struct event *ev)
{
	uint32_t lock = lock_number(o, ev->object), section;
	bool own = false, shared = ev->arg & LOCK_FOR_READING;
	if (ev->result == ETIMEDOUT)
		unmodelled(o, "a timed lock that ran out of time", ev);
	if (!others_hold(o, lock, ev->thread.i, shared, &section))
		return;                         /* its own lock, or one that was given back in between: nothing was decided by others */
	uint32_t take = o->sections.at[section].take;
	learn(o, ev->thread.i, take, &own);
	uint32_t n = node_add(o, OP_PASS, ev);
	vec_push(&o->locks.at[lock].fails, ((struct fail){ n, section }));
	*vec_add(&o->choices) = (struct choice){ take, n, ev->object, "trylock", false };
	*vec_add(&o->choices) = (struct choice){ n, section, ev->object, "trylock", true };
}

/* ---- condition variables ---- */

static void cond_event(struct order *o, uint32_t node, const struct event *ev)
{
	uint32_t cond = cond_number(o, ev->object);
	o->nodes.at[node].object = cond;
	vec_push(&o->conds.at[cond].nodes, node);
}

static void note_cwait(struct order *o, const struct event *ev)
{
	struct thread_line *t = &o->threads[ev->thread.i];
	struct open *open = ev->arg ? open_of(t, lock_number(o, ev->arg)) : NULL;
	uint32_t section = NONE;
	if (open) {
		if (open->depth > 1)
			unmodelled(o, "a condition waited for with a lock taken twice", ev);
		section = open->section;
		section_end(o, ev->thread.i, open);
	}
	uint32_t n = node_add(o, open ? OP_CWAIT : OP_PASS, ev);
	o->nodes.at[n].section = section;
	if (section != NONE && o->sections.at[section].give == NONE)
		o->sections.at[section].give = n;
	cond_event(o, n, ev);
	t->cwait = n;
}

static bool signalled_since(const struct order *o, uint32_t cond, uint32_t since)
{
	const struct cond *c = &o->conds.at[cond];
	for (size_t i = c->nodes.count; i-- > 0 && c->nodes.at[i] > since;)
		if (o->nodes.at[c->nodes.at[i]].op == OP_SIGNAL || o->nodes.at[c->nodes.at[i]].op == OP_BROADCAST)
			return true;
	return false;
}

static void note_cwake(struct order *o, const struct event *ev)
{
	struct thread_line *t = &o->threads[ev->thread.i];
	uint32_t n = node_add(o, OP_CWAKE, ev), wait = t->cwait;
	if (ev->result == ETIMEDOUT)
		unmodelled(o, "a timed wait that ran out of time", ev);
	cond_event(o, n, ev);
	if (ev->arg && !open_of(t, lock_number(o, ev->arg)))
		section_begin(o, lock_number(o, ev->arg), n, false, ev);
	if (wait != NONE && !ev->result && o->nodes.at[wait].object == o->nodes.at[n].object &&
		signalled_since(o, o->nodes.at[n].object, wait)) {
		o->nodes.at[n].other = wait;
		const struct cond *c = &o->conds.at[o->nodes.at[n].object];
		size_t last = c->nodes.count - 1;
		while (o->nodes.at[c->nodes.at[last]].op != OP_SIGNAL && o->nodes.at[c->nodes.at[last]].op != OP_BROADCAST)
			last--;
		*vec_add(&o->choices) = (struct choice){ wait, c->nodes.at[last], ev->object, "wait", false };
	}
	t->cwait = NONE;
}

/* ---- barriers, semaphores, once, annotations ---- */

static void learn_all(struct order *o, uint32_t thread, const struct gather *g)
{
	bool own = false;
	for (size_t i = 0; i < g->nodes.count; i++)
		learn(o, thread, g->nodes.at[i], &own);
}

static void note_benter(struct order *o, const struct event *ev)
{
	uint32_t n = node_add(o, OP_PASS, ev);
	struct gather *g = gather_of(o, 1, ev->object, ev->arg);
	vec_push(&g->nodes, n);
}

static void note_bleave(struct order *o, const struct event *ev)
{
	learn_all(o, ev->thread.i, gather_of(o, 1, ev->object, ev->arg));
	node_add(o, OP_PASS, ev);
}

static void note_sem(struct order *o, const struct event *ev)
{
	uint32_t sem = sem_number(o, ev->object);
	struct sem *s = &o->sems.at[sem];
	if (ev->kind == EV_SPOST && ev->result) {               /* the post noted before was refused */
		for (size_t i = s->nodes.count; i-- > 0;) {
			struct node *n = &o->nodes.at[s->nodes.at[i]];
			if (n->op == OP_SPOST && n->thread == ev->thread.i) {
				n->op = OP_PASS;
				s->value--;
				for (; i < s->nodes.count; i++)
					s->after.at[i]--;
				return;
			}
		}
		return;
	}
	if (ev->result) {
		if (ev->result != EINTR && ev->result != EINVAL)
			unmodelled(o, "a semaphore that was not to be had", ev);
		return;
	}
	uint32_t n = node_add(o, ev->kind == EV_SPOST ? OP_SPOST : OP_SWAIT, ev);
	o->nodes.at[n].object = sem;
	vec_push(&s->nodes, n);
	s->value += ev->kind == EV_SPOST ? 1 : -1;
	vec_push(&s->after, s->value);
	if (s->value < s->lowest)
		s->lowest = s->value;
}

/* sem_init fills the semaphore behind its LOCKINIT: the first word is the value. */
static void note_sem_init(struct order *o, const struct event *ev)
{
	uint32_t sem = sem_number(o, ev->object);
	struct sem *s = &o->sems.at[sem];
	if (s->nodes.count)
		unmodelled(o, "a semaphore initialised again", ev);
	s->fresh = true;
}

static void note_sem_value(struct order *o, const struct event *ev)
{
	uint64_t *slot = o->sem_index.count ? map_get(&o->sem_index, ev->object) : NULL;
	struct sem *s = slot ? &o->sems.at[*slot - 1] : NULL;
	uint32_t value;
	if (!s || !s->fresh || ev->byte_count < 4)
		return;
	memcpy(&value, ev->bytes, 4);
	s->first = value;
	s->known = true;
	s->fresh = false;
}

static void note_once(struct order *o, const struct event *ev)
{
	bool own = false;
	uint64_t *slot = map_put(&o->once_index, ev->object, NULL);     /* 1 + node that is about to run it << 32 | 1 + node that ran it */
	if (ev->kind == EV_ONCERUN) {
		*slot = (uint64_t)(node_add(o, OP_PASS, ev) + 1) << 32;
	} else if (ev->arg) {
		uint32_t n = node_add(o, OP_PASS, ev);
		*slot = (*slot >> 32 ? *slot >> 32 : n + 1) << 32 | (n + 1);
	} else if (*slot & NONE) {
		uint32_t ran = (uint32_t)(*slot & NONE) - 1, began = (uint32_t)(*slot >> 32) - 1;
		learn(o, ev->thread.i, ran, &own);
		uint32_t n = node_add(o, OP_PASS, ev);
		if (o->nodes.at[ran].thread != ev->thread.i)
			*vec_add(&o->choices) = (struct choice){ began, n, ev->object, "once", false };
	}
}

static void note_handed(struct order *o, const struct event *ev)
{
	struct gather *g = gather_of(o, 2, ev->object, 0);
	if (ev->kind == EV_ACQUIRE)
		learn_all(o, ev->thread.i, g);
	uint32_t n = node_add(o, OP_PASS, ev);
	if (ev->kind == EV_RELEASE)
		vec_push(&g->nodes, n);
}

/* ---- atomics ---- */

static bool releases(uint8_t order) { return order == ORDER_RELEASE || order == ORDER_ACQ_REL || order == ORDER_SEQ_CST; }
static bool acquires(uint8_t order)
{
	return order == ORDER_CONSUME || order == ORDER_ACQUIRE || order == ORDER_ACQ_REL || order == ORDER_SEQ_CST;
}

static struct message *message_at(struct order *o, uint64_t address)
{
	uint64_t *slot = map_put(&o->message_index, address, NULL);
	if (!*slot) {
		vec_add(&o->messages);
		*slot = o->messages.count;
	}
	return &o->messages.at[*slot - 1];
}

/* Kept short: a release forgotten is an order not claimed. */
static void message_add(struct message *m, uint32_t node)
{
	if (m->count == 4)
		memmove(m->from, m->from + 1, 3 * sizeof *m->from), m->count--;
	m->from[m->count++] = node;
}

static void note_fence(struct order *o, const struct event *ev)
{
	struct thread_line *t = &o->threads[ev->thread.i];
	bool own = false;
	uint32_t first = (uint32_t)o->saws.count;
	if (acquires(ev->order)) {
		for (size_t i = 0; i < t->loose.count; i++) {
			learn(o, ev->thread.i, t->loose.at[i], &own);
			vec_push(&o->saws, t->loose.at[i]);
		}
		vec_clear(&t->loose);
	}
	uint32_t n = node_add(o, OP_PASS, ev);
	node_saw(o, n, first);
	if (releases(ev->order))
		t->release_fence = n;
}

static void note_atomic(struct order *o, const struct event *ev)
{
	struct thread_line *t = &o->threads[ev->thread.i];
	struct message *m = message_at(o, ev->object);
	bool reads = ev->kind != EV_ASTORE, writes = ev->kind != EV_ALOAD && !(ev->kind == EV_CAS && ev->failed);
	uint8_t order = ev->kind == EV_CAS && ev->failed ? ev->order2 : ev->order;
	bool learnt = false, own = false;
	uint32_t first = (uint32_t)o->saws.count;
	for (uint32_t i = 0; reads && i < m->count; i++) {
		if (acquires(order) && learn(o, ev->thread.i, m->from[i], &own)) {
			learnt = true;
			vec_push(&o->saws, m->from[i]);
		} else if (!acquires(order) && t->loose.count < 64) {
			vec_push(&t->loose, m->from[i]);
		}
	}
	uint32_t n = learnt || (writes && releases(order)) ? node_add(o, OP_PASS, ev) : NONE;
	if (n != NONE)
		node_saw(o, n, first);
	if (writes && !reads)
		m->count = 0;                   /* a store begins anew; a read-modify-write goes on with what was there */
	if (writes && releases(order)) {
		if (learnt)
			m->count = 0;           /* it knows all of them */
		message_add(m, n);
	} else if (writes && t->release_fence != NONE) {
		message_add(m, t->release_fence);
	}
}

/* ---- the rest ---- */

static void note_outside(struct order *o, const struct event *ev)
{
	switch (ev->kind) {
	case EV_FWAIT: case EV_FWAKE: unmodelled(o, "a futex by hand", ev); break;
	case EV_SIGENTER: unmodelled(o, "a signal handler, which could have run elsewhere", ev); break;
	case EV_PROCESS: unmodelled(o, "another process", ev); break;
	case EV_CANCEL:  unmodelled(o, "a cancelled thread", ev); break;
	case EV_LOST:    unmodelled(o, "events that could not be recorded", ev); break;
	case EV_FAILURE: unmodelled(o, "a run that failed", ev); break;
	case EV_INJECT:  unmodelled(o, "an injected fault", ev); break;
	case EV_MAP:
		if (ev->result > 0 && ev->result & MAPPED_SHARED)
			unmodelled(o, "memory shared with other processes", ev);
		break;
	case EV_EXIT:
		for (uint32_t i = 0; i < o->thread_count; i++)
			if (i != ev->thread.i && o->threads[i].begun && !o->threads[i].ended) {
				unmodelled(o, "an exit while other threads run", ev);
				break;
			}
		break;
	}
}

static void note_sync(struct order *o, const struct event *ev);

struct spot order_note(struct order *o, const struct event *ev)
{
	check(!o->sealed && ev->thread.i < o->thread_count);
	struct thread_line *t = &o->threads[ev->thread.i];
	begin_thread(o, ev->thread.i, ev);
	t->last_index = ev->index;
	t->blocked = ev->kind == EV_BLOCK;
	if (ev->kind == EV_READ || ev->kind == EV_WRITE) {
		if (ev->in_flight)
			unmodelled(o, "an access that may not have finished", ev);
		return (struct spot){ ev->thread.i, (uint32_t)t->node.count };
	}
	struct spot spot = { ev->thread.i, (uint32_t)t->node.count };
	note_sync(o, ev);
	return spot;
}

static void note_sync(struct order *o, const struct event *ev)
{
	switch (ev->kind) {
	case EV_END:    end_thread(o, ev->thread.i, 2 * ev->index + 1, ev); break;
	case EV_FORK:   note_fork(o, ev); break;
	case EV_JOIN:   note_join(o, ev); break;
	case EV_LOCK:   note_lock(o, ev); break;
	case EV_UNLOCK: note_unlock(o, ev); break;
	case EV_TRYFAIL: note_tryfail(o, ev); break;
	case EV_CWAIT:  note_cwait(o, ev); break;
	case EV_CWAKE:  note_cwake(o, ev); break;
	case EV_CSIGNAL: cond_event(o, node_add(o, OP_SIGNAL, ev), ev); break;
	case EV_CBROADCAST: cond_event(o, node_add(o, OP_BROADCAST, ev), ev); break;
	case EV_BENTER: note_benter(o, ev); break;
	case EV_BLEAVE: note_bleave(o, ev); break;
	case EV_SWAIT: case EV_SPOST: note_sem(o, ev); break;
	case EV_LOCKINIT:
		if ((ev->arg >> 8 & 0xff) == LOCK_SEM && !ev->result)
			note_sem_init(o, ev);
		break;
	case EV_LIBWRITE: note_sem_value(o, ev); break;
	case EV_ONCE: case EV_ONCERUN: note_once(o, ev); break;
	case EV_RELEASE: case EV_ACQUIRE: note_handed(o, ev); break;
	case EV_FENCE:  note_fence(o, ev); break;
	case EV_ALOAD: case EV_ASTORE: case EV_RMW: case EV_CAS: note_atomic(o, ev); break;
	default:        note_outside(o, ev); break;
	}
}

struct order *order_new(const struct trace *t)
{
	struct order *o = mem_take(sizeof *o);
	o->trace = t;
	o->thread_count = trace_thread_count(t);
	o->threads = mem_take((o->thread_count + 1) * sizeof *o->threads);
	for (uint32_t i = 0; i < o->thread_count; i++)
		o->threads[i].cwait = o->threads[i].release_fence = NONE;
	row_new(o, 0);
	vec_add(&o->helds);                     /* number 0 is nothing */
	if (trace_flags(t) & TRACE_LAST)
		unmodelled(o, "a recording whose beginning is missing", NULL);
	return o;
}

void order_seal(struct order *o)
{
	for (uint32_t i = 0; i < o->thread_count; i++) {
		end_thread(o, i, 2 * o->threads[i].last_index + 2, NULL);
		vec_release(&o->threads[i].loose);
		if (o->threads[i].blocked || trace_thread(o->trace, (struct thread_id){ i })->waits_kind)
			unmodelled(o, "a run that did not end: threads wait", NULL);
		if (trace_thread(o->trace, (struct thread_id){ i })->lost)
			unmodelled(o, "events that could not be recorded", NULL);
	}
	for (size_t i = 0; i < o->sems.count; i++) {
		struct sem *s = &o->sems.at[i];
		if (!s->known && s->lowest < 0)
			s->first = -s->lowest;
		if (!s->known)
			unmodelled(o, "a semaphore whose first value is not known", NULL);
		else if (s->first + s->lowest < 0)
			unmodelled(o, "a semaphore taken while it was 0", NULL);
	}
	o->sealed = true;
	if (check_observed(o))
		unmodelled(o, "an observed order that breaks the rules of locks or semaphores", NULL);
}

int order_read(struct order **out, struct trace *t, struct err *why)
{
	struct merged *m;
	const struct event *ev;
	int got;
	*out = NULL;
	if (merged_open(&m, t, why) < 0)
		return -1;
	struct order *o = order_new(t);
	while ((got = merged_next_in_place(m, &ev, why)) > 0)
		order_note(o, ev);
	merged_close(m);
	if (got < 0) {
		order_free(o);
		return -1;
	}
	order_seal(o);
	*out = o;
	return 0;
}

void order_free(struct order *o)
{
	if (!o)
		return;
	for (uint32_t i = 0; i < o->thread_count; i++) {
		vec_release(&o->threads[i].node);
		vec_release(&o->threads[i].open);
		vec_release(&o->threads[i].loose);
	}
	for (size_t i = 0; i < o->locks.count; i++) {
		for (size_t k = 0; k < o->locks.at[i].users.count; k++)
			vec_release(&o->locks.at[i].users.at[k].sections);
		vec_release(&o->locks.at[i].users);
		vec_release(&o->locks.at[i].fails);
	}
	for (size_t i = 0; i < o->conds.count; i++)
		vec_release(&o->conds.at[i].nodes);
	for (size_t i = 0; i < o->sems.count; i++)
		vec_release(&o->sems.at[i].nodes), vec_release(&o->sems.at[i].after);
	for (size_t i = 0; i < o->gathers.count; i++)
		vec_release(&o->gathers.at[i].nodes);
	search_free(o->search);
	check_free(o->replay);
	ask_free(o->room);
	vec_release(&o->nodes);
	vec_release(&o->rows);
	vec_release(&o->sections);
	vec_release(&o->helds);
	vec_release(&o->locks);
	vec_release(&o->conds);
	vec_release(&o->sems);
	vec_release(&o->messages);
	vec_release(&o->gathers);
	vec_release(&o->saws);
	vec_release(&o->unmodelled);
	vec_release(&o->choices);
	struct map *maps[] = { &o->lock_index, &o->cond_index, &o->sem_index, &o->gather_index, &o->once_index, &o->user_index,
		&o->message_index };
	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
		map_release(maps[i]);
	mem_free(o->threads);
	mem_free(o);
}

/* ---- walking, nodes, choices ---- */

struct order_walk { const struct order *order; uint32_t at[]; };

struct order_walk *order_walk_begin(const struct order *o)
{
	struct order_walk *w = mem_take(sizeof *w + (o->thread_count + 1) * sizeof *w->at);
	w->order = o;
	return w;
}

struct spot order_walk_next(struct order_walk *w, const struct event *ev)
{
	const struct order *o = w->order;
	const struct thread_line *t = &o->threads[ev->thread.i];
	uint32_t *at = &w->at[ev->thread.i];
	while (*at < t->node.count && o->nodes.at[t->node.at[*at]].key < 2 * ev->index + 1)
		++*at;
	return (struct spot){ ev->thread.i, *at };
}

void order_walk_end(struct order_walk *w)
{
	mem_free(w);
}

uint32_t order_nodes(const struct order *o) { return (uint32_t)o->nodes.count; }
uint32_t order_sections(const struct order *o) { return (uint32_t)o->sections.count; }

struct order_node order_node(const struct order *o, uint32_t node)
{
	check(node < o->nodes.count);
	const struct node *n = &o->nodes.at[node];
	return (struct order_node){ n->thread, n->at, n->kind, n->key & 1, n->key / 2, n->address, n->place };
}

uint32_t order_at(const struct order *o, struct spot spot)
{
	return node_of(o, spot.thread, spot.at);
}

struct order_node order_node_at(const struct order *o, struct spot spot)
{
	return order_node(o, node_of(o, spot.thread, spot.at));
}

static struct spot spot_of(const struct order *o, uint32_t node)
{
	return (struct spot){ o->nodes.at[node].thread, o->nodes.at[node].at };
}

bool order_choice(const struct order *o, uint32_t i, struct order_choice *c)
{
	if (i >= o->choices.count)
		return false;
	const struct choice *from = &o->choices.at[i];
	uint32_t second = from->second;
	if (from->after)                        /* the section's end: what comes behind it */
		second = o->sections.at[second].give == NONE ? from->first : o->sections.at[second].give;
	*c = (struct order_choice){ spot_of(o, from->first), spot_of(o, second), from->object, from->what,
		{ o->nodes.at[from->first].place, o->nodes.at[second].place } };
	return true;
}
