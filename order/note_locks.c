/* order/note_locks.c -- locks of every kind and condition variables: sections, who met whom at a trylock, who was signalled.
 * The rule of each is in docs/order.md. */
#include <errno.h>

#include "order/note.h"

static uint32_t lock_number(struct order *o, uint64_t address)
{
	bool fresh;
	uint32_t number = note_number(o, &o->lock_index, address, o->locks.count, &fresh);
	if (fresh)
		vec_add(&o->locks)->address = address;
	return number;
}

static uint32_t cond_number(struct order *o, uint64_t address)
{
	bool fresh;
	uint32_t number = note_number(o, &o->cond_index, address, o->conds.count, &fresh);
	if (fresh)
		vec_add(&o->conds)->address = address;
	return number;
}

/* ---- locks ---- */

static struct open *open_of(struct thread_line *t, uint32_t lock)
{
	for (size_t i = 0; i < t->open.count; i++)
		if (t->open.at[i].lock == lock)
			return &t->open.at[i];
	return NULL;
}

static struct open *open_at(const struct order *o, struct thread_line *t, uint64_t address)
{
	for (size_t i = t->open.count; i-- > 0;)
		if (o->locks.at[t->open.at[i].lock].address == address)
			return &t->open.at[i];
	return NULL;
}

bool note_counts(struct order *o, const struct event *ev)
{
	if ((ev->kind != EV_LOCK && ev->kind != EV_UNLOCK) || (ev->arg >> 8 & 0xff) != LOCK_RECURSIVE || ev->result || ev->in_flight)
		return false;
	const struct open *open = open_at(o, &o->threads[ev->thread.i], ev->object);
	return open && (ev->kind == EV_LOCK || open->depth > 1);
}

static bool others_hold(struct order *o, uint32_t lock, uint32_t thread, bool shared, uint32_t *section)
{
	struct lock *l = &o->locks.at[lock];
	for (size_t i = 0; l->open && i < l->users.count; i++) {
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

static void section_given(struct order *o, uint32_t section, uint32_t node)
{
	struct section *s = &o->sections.at[section];
	o->locks.at[s->lock].open -= s->give == NONE;
	s->give = node;
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

/* What ends this section comes behind those whose trylock it made fail. */
static void learn_fails(struct order *o, uint32_t lock, uint32_t section, uint32_t thread)
{
	struct lock *l = &o->locks.at[lock];
	bool own = false;
	size_t kept = 0;
	for (size_t i = 0; i < l->fails.count; i++)
		if (l->fails.at[i].section == section)
			note_learn(o, thread, l->fails.at[i].node, &own);
		else
			l->fails.at[kept++] = l->fails.at[i];
	l->fails.count = kept;
}

/* The owner of a robust mutex has ended with it, which gives it back: a node behind his end. */
static void left_behind(struct order *o, uint32_t section)
{
	struct section x = o->sections.at[section];
	struct thread_line *t = &o->threads[x.thread];
	learn_fails(o, x.lock, section, x.thread);
	t->held = held_without(o, t->held, section);
	uint64_t key = o->nodes.at[t->node.at[t->node.count - 1]].key;
	uint32_t node = note_made_up(o, x.thread, EV_END, key + (key & 1));
	o->nodes.at[node].op = OP_GIVE;
	o->nodes.at[node].section = section;
	o->nodes.at[node].address = o->locks.at[x.lock].address;
	section_given(o, section, node);
}

/* That node is made when somebody takes it over, */
static void take_over(struct order *o, uint32_t lock, const struct event *ev)
{
	uint32_t section;
	if (ev->result != EOWNERDEAD || !others_hold(o, lock, ev->thread.i, false, &section) || !o->threads[o->sections.at[section].thread].ended)
		return;
	note_unmodelled(o, "a robust mutex whose owner died", ev);
	o->locks.at[lock].robust = o->robust = true;
	left_behind(o, section);
}

/* or when all is over, as in another order somebody might have. */
void note_all_left(struct order *o)
{
	for (size_t i = 0; o->robust && i < o->sections.count; i++) {
		struct section x = o->sections.at[i];
		if (x.give == NONE && o->locks.at[x.lock].robust && o->threads[x.thread].ended && lock_number(o, o->locks.at[x.lock].address) == x.lock)
			left_behind(o, (uint32_t)i);
	}
}

/* The thread is in one more section from `node` on. */
static void section_begin(struct order *o, uint32_t lock, uint32_t node, bool shared, const struct event *ev)
{
	uint32_t thread = ev->thread.i, other, id = (uint32_t)o->sections.count;
	struct thread_line *t = &o->threads[thread];
	if (others_hold(o, lock, thread, shared, &other)) {
		note_unmodelled(o, ev->result ? "a robust mutex whose owner died" : "a lock taken while another thread holds it", ev);
		section_given(o, other, node);
	}
	o->locks.at[lock].open++;
	*vec_add(&o->sections) = (struct section){ lock, thread, node, NONE, shared };
	struct lock_user *user = user_of(o, lock, thread);
	vec_push(&user->sections, id);
	*vec_add(&t->open) = (struct open){ lock, id, 1 };
	*vec_add(&o->helds) = (struct held){ id, t->held };
	t->held = (uint32_t)(o->helds.count - 1);
	o->nodes.at[node].section = id;
	o->nodes.at[node].held = t->held;
}

/* The section this node ends is gone from what the thread holds. */
static void section_end(struct order *o, uint32_t thread, struct open *open)
{
	struct thread_line *t = &o->threads[thread];
	learn_fails(o, open->lock, open->section, thread);
	t->held = held_without(o, t->held, open->section);
	*open = t->open.at[--t->open.count];
}

/* Weak: this node ends it for its thread; for the others its FLUSH does, which is handed back. */
static uint32_t spin_given(struct order *o, uint32_t node, struct open *open, const struct event *ev)
{
	struct thread_line *t = &o->threads[ev->thread.i];
	vec_push(&t->leaving, open->section);
	learn_fails(o, open->lock, open->section, o->own_count + ev->thread.i);
	*open = t->open.at[--t->open.count];
	uint32_t flush = note_reached(o, node, false, ev);
	o->nodes.at[flush].op = OP_GIVE;
	return flush;
}

void note_left(struct order *o, uint32_t thread)
{
	struct thread_line *t = &o->threads[thread];
	for (size_t i = 0; i < t->leaving.count; i++)
		t->held = held_without(o, t->held, t->leaving.at[i]);
	vec_clear(&t->leaving);
}

/* A writer that waits holds new readers back, so a reader may wait for readers: no rule says so. */
static void note_preference(struct order *o, uint32_t lock, const struct event *ev)
{
	struct lock *l = &o->locks.at[lock];
	uint32_t *by = ev->arg & LOCK_FOR_READING ? &l->read_by : &l->write_by, self = ev->thread.i + 1;
	*by = !*by || *by == self ? self : NONE;
	if (l->read_by && l->write_by && (l->read_by != l->write_by || *by == NONE))
		note_unmodelled(o, "a read-write lock on which writers that wait go before readers", ev);
}

/* What destroying answers, and what a lock that is destroyed does, depends on who is there: no rule says so. */
static const char in_use[] = "a lock destroyed while another thread may use it";

/* Does the thread come to the lock behind the one who made it?  If it could have come before, no question may be answered NO. */
static void learn_made(struct order *o, uint32_t lock, const struct event *ev)
{
	bool own = false;
	if (!o->locks.at[lock].made || !note_learn(o, ev->thread.i, o->locks.at[lock].made - 1, &own))
		return;
	note_unmodelled(o, "a lock used by a thread that may come before it is made", ev);
	o->overordered = true;
}

void note_lock(struct order *o, const struct event *ev)
{
	if (ev->in_flight)
		return;
	uint32_t lock = lock_number(o, ev->object);
	if (event_writers_first(ev))
		note_preference(o, lock, ev);
	struct open *open = open_of(&o->threads[ev->thread.i], lock);
	if (open) {
		open->depth++;
		return;
	}
	take_over(o, lock, ev);
	learn_made(o, lock, ev);
	uint32_t node = note_node(o, OP_TAKE, ev);
	if (o->locks.at[lock].dead && !must(o, o->locks.at[lock].dead - 1, node))
		note_unmodelled(o, in_use, ev);
	section_begin(o, lock, node, ev->arg & LOCK_FOR_READING, ev);
}

/* Threads whose last use of the lock need not be over by then. */
void note_lockdead(struct order *o, const struct event *ev)
{
	if (ev->in_flight)
		return;
	uint32_t node = note_node(o, OP_PASS, ev), lock = lock_number(o, ev->object);
	struct lock *l = &o->locks.at[lock];
	bool over = (!l->dead || must(o, l->dead - 1, node)) && (!l->made || must(o, l->made - 1, node));
	for (size_t i = 0; i < l->users.count && over; i++) {
		const struct lock_user *u = &l->users.at[i];
		uint32_t last = u->sections.count ? u->sections.at[u->sections.count - 1] : NONE;
		if (u->thread != ev->thread.i && last != NONE && last >= l->since)
			over = o->sections.at[last].give != NONE && must(o, o->sections.at[last].give, node);
	}
	if (!ev->result) {
		l->dead = node + 1;
		l->since = (uint32_t)o->sections.count;
	}
	if (!over)
		note_unmodelled(o, in_use, ev);
}

/* Does the next node of this thread come behind that one in every run?  From now on it does. */
static bool learns(struct order *o, uint32_t thread, uint32_t node, bool *own)
{
	return !note_learn(o, thread, node, own);
}

/* All who took the lock, or tried to, who made and destroyed it come before the node that follows; so do those who gave it back, if that is needed for those
 * who tried.  False: somebody need not be done with it by then. */
static bool learn_uses(struct order *o, uint32_t lock, uint32_t thread)
{
	const struct lock *l = &o->locks.at[lock];
	bool own = false, over = !l->made || learns(o, thread, l->made - 1, &own);
	over &= !l->dead || learns(o, thread, l->dead - 1, &own);
	for (size_t i = 0; i < l->users.count; i++) {
		const struct lock_user *u = &l->users.at[i];
		const struct section *last = u->sections.count ? &o->sections.at[u->sections.at[u->sections.count - 1]] : NULL;
		if (!last)
			continue;
		over &= last->give != NONE && note_knows(o, thread, last->give);
		note_learn(o, thread, last->give == NONE || !l->tried ? last->take : last->give, &own);
	}
	for (size_t i = 0; i < l->fails.count; i++)
		over &= learns(o, thread, l->fails.at[i].node, &own);
	return over;
}

static bool is_lock(unsigned type) { return type != LOCK_COND && type != LOCK_BARRIER && type != LOCK_SEM; }

/* There is another one where one was, or may have been, which is free.  Whoever held the first has it still.  Everybody has come to the first by then, and
 * comes to this one behind who made it: where they need not, or need not be done with the first, no question may be answered NO. */
void note_lockinit(struct order *o, const struct event *ev)
{
	if (ev->result || !is_lock(ev->arg >> 8 & 0xff))
		return;
	uint64_t *number = map_get(&o->lock_index, ev->object);
	if (number ? !*number : !note_early(o, ev))
		return;                         /* the first there, or in memory that was given out since */
	uint32_t lock = lock_number(o, ev->object);
	bool held = o->locks.at[lock].open, over = learn_uses(o, lock, ev->thread.i);
	if (held || !over)
		note_unmodelled(o, held ? "a lock made again while a thread held it" : "a lock made again while a thread may use it", ev);
	o->overordered |= held || !over;
	uint32_t node = note_node(o, OP_PASS, ev);
	bool again = number != NULL;
	o->locks.at[lock].again |= again;
	number = map_get(&o->lock_index, ev->object);
	struct lock *fresh = vec_add(&o->locks);
	fresh->again = again;
	fresh->address = ev->object;
	fresh->made = node + 1;
	*number = o->locks.count;
	o->lives = true;
}

void note_lock_born(struct order *o, uint64_t address)
{
	uint64_t *number = map_get(&o->lock_index, address);
	if (number)
		*number = 0;
}

/* Whoever has the lock, or will, may lose it by this: a node that breaks the rules (check.c).  Of a recording whose beginning is missing nobody knows. */
static void note_given_away(struct order *o, const struct event *ev)
{
	if (trace_flags(o->trace) & TRACE_LAST)
		return;
	note_unmodelled(o, "a lock given back by a thread that had not taken it", ev);
	note_node(o, OP_PASS, ev);
}

void note_unlock(struct order *o, const struct event *ev)
{
	struct open *open = open_at(o, &o->threads[ev->thread.i], ev->object);
	uint32_t lock = open ? open->lock : lock_number(o, ev->object), dead = o->locks.at[lock].dead;
	if (ev->result && dead && o->nodes.at[dead - 1].thread != ev->thread.i)
		note_unmodelled(o, in_use, ev);          /* it was not had either */
	if (ev->result || ev->in_flight)
		return;
	if (!open || open->lock != lock_number(o, ev->object))
		note_given_away(o, ev);          /* or it was made again since, and this is another one */
	if (!open || --open->depth)
		return;
	uint32_t section = open->section;
	bool waits = o->weak && is_spin_unlock(ev);
	if (!waits)
		section_end(o, ev->thread.i, open);
	uint32_t n = note_node(o, waits ? OP_PASS : OP_GIVE, ev);
	if (waits)
		n = spin_given(o, n, open, ev);
	o->nodes.at[n].section = section;
	if (o->sections.at[section].give == NONE)
		section_given(o, section, n);
}

void note_tryfail(struct order *o, const struct event *ev)
{
	uint32_t lock = lock_number(o, ev->object), section;
	bool own = false, shared = ev->arg & LOCK_FOR_READING;
	if (ev->result == ETIMEDOUT)
		note_unmodelled(o, "a timed lock that ran out of time", ev);
	if (event_writers_first(ev))
		note_preference(o, lock, ev);
	if (ev->result == EINVAL && o->locks.at[lock].dead) {
		if (!note_knows(o, ev->thread.i, o->locks.at[lock].dead - 1))
			note_unmodelled(o, in_use, ev);         /* it might have been there still; or again: who makes it comes behind this */
		vec_push(&o->locks.at[lock].fails, ((struct fail){ note_node(o, OP_EMPTIES, ev), NONE }));
		return;
	}
	bool refused = !ev->result || ev->result == EBUSY || ev->result == ETIMEDOUT;
	if (!refused || !others_hold(o, lock, ev->thread.i, shared, &section))
		return;                         /* no lock to be had, its own, or one that was given back in between: nothing was decided by others */
	uint32_t take = o->sections.at[section].take;
	note_learn(o, ev->thread.i, take, &own);
	uint32_t n = note_node(o, OP_PASS, ev);
	o->locks.at[lock].tried = true;
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

void note_csignal(struct order *o, enum op op, const struct event *ev)
{
	cond_event(o, note_node(o, op, ev), ev);
}

void note_cwait(struct order *o, const struct event *ev)
{
	struct thread_line *t = &o->threads[ev->thread.i];
	struct open *open = ev->arg ? open_of(t, lock_number(o, ev->arg)) : NULL;
	uint32_t section = NONE;
	if (open) {
		if (open->depth > 1)
			note_unmodelled(o, "a condition waited for with a lock taken twice", ev);
		section = open->section;
		section_end(o, ev->thread.i, open);
	}
	uint32_t n = note_node(o, open ? OP_CWAIT : OP_PASS, ev);
	o->nodes.at[n].section = section;
	if (section != NONE && o->sections.at[section].give == NONE)
		section_given(o, section, n);
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

void note_cwake(struct order *o, const struct event *ev)
{
	struct thread_line *t = &o->threads[ev->thread.i];
	if (ev->arg) {
		take_over(o, lock_number(o, ev->arg), ev);
		learn_made(o, lock_number(o, ev->arg), ev);
	}
	uint32_t n = note_node(o, OP_CWAKE, ev), wait = t->cwait;
	if (ev->result == ETIMEDOUT)
		note_unmodelled(o, "a timed wait that ran out of time", ev);
	cond_event(o, n, ev);
	if (ev->arg && !open_of(t, lock_number(o, ev->arg)))
		section_begin(o, lock_number(o, ev->arg), n, false, ev);
	if (wait != NONE && (!ev->result || ev->result == EOWNERDEAD) && o->nodes.at[wait].object == o->nodes.at[n].object &&
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
