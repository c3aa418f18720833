/* tests/check/machine.c -- see machine.h.
 * What no other thread can see (registers, jumps, a store that goes into the thread's own buffer) is no step of its own: settle()
 * runs it as soon as it can be run.  That leaves out no result: such an instruction can neither be kept from running nor change what
 * another thread may do. */
#include "tests/check/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- results */

struct list { uint32_t before; int last; };
static struct list *lists;
static uint32_t *list_table;
static uint32_t list_count = 1, list_room;

static uint32_t list_slot(uint32_t before, int last)
{
	uint32_t h = (before * 2654435761u) ^ ((uint32_t)last * 2246822519u);
	h ^= h >> 15;
	for (h &= list_room - 1; list_table[h]; h = (h + 1) & (list_room - 1))
		if (lists[list_table[h]].before == before && lists[list_table[h]].last == last)
			break;
	return h;
}

static void lists_grow(void)
{
	list_room = list_room ? list_room * 2 : 1 << 16;
	free(list_table);
	list_table = calloc(list_room, sizeof *list_table);
	lists = realloc(lists, list_room / 2 * sizeof *lists);
	if (!list_table || !lists)
		abort();
	for (uint32_t i = 1; i < list_count; i++)
		list_table[list_slot(lists[i].before, lists[i].last)] = i;
}

uint32_t history_add(uint32_t before, int result)
{
	if (list_count >= list_room / 2)
		lists_grow();
	uint32_t slot = list_slot(before, result);
	if (!list_table[slot]) {
		lists[list_count] = (struct list){ before, result };
		list_table[slot] = list_count++;
	}
	return list_table[slot];
}

uint32_t history_before(uint32_t history) { return lists[history].before; }
int history_last(uint32_t history) { return lists[history].last; }

/* ---------------------------------------------------------------- words and buffers */

static int value(const struct program *p, const struct thread *t, int at)
{
	const struct node *n = &p->nodes[at];
	if (n->kind == '0')
		return n->value;
	if (n->kind == 'r')
		return t->reg[n->value];
	int a = value(p, t, n->left), b = n->right == NONE ? 0 : value(p, t, n->right);
	switch (n->kind) {
	case '!': return !a;
	case '|': return a || b;
	case '&': return a && b;
	case '=': return a == b;
	case 'n': return a != b;
	case '<': return a < b;
	case '>': return a > b;
	case 'l': return a <= b;
	case 'g': return a >= b;
	case '+': return a + b;
	case '-': return a - b;
	case '*': return a * b;
	case '%': return b ? a % b : 0;
	default: abort();
	}
}

static int word(const struct machine *m, const struct thread *t, const struct instruction *i)
{
	int at = i->object + (i->index == NONE ? 0 : value(m->program, t, i->index));
	if (at < 0 || at >= m->program->words) {
		fprintf(stderr, "line %d: an index is outside of its array\n", i->line);
		exit(3);
	}
	return at;
}

static int seen(const struct state *s, const struct thread *t, int at)
{
	for (int i = t->buffered - 1; i >= 0; i--)
		if (t->buffer[i].word == at)
			return t->buffer[i].value;
	return s->words[at];
}

static void buffer(const struct machine *m, struct thread *t, const struct instruction *i)
{
	if (t->buffered == MAX_BUFFER) {
		fprintf(stderr, "line %d: more than %d stores wait\n", i->line, MAX_BUFFER);
		exit(3);
	}
	t->buffer[t->buffered++] = (struct waiting){ .word = (int16_t)word(m, t, i), .value = (int16_t)value(m->program, t, i->value),
	                                             .group = (uint8_t)t->group, .release = i->order == RELEASE };
}

/* May the n-th store of the buffer reach memory next? */
static bool may_reach(const struct machine *m, const struct thread *t, int n)
{
	if (m->model == MODEL_TSO || t->buffer[n].release)
		return n == 0;
	for (int i = 0; i < n; i++)
		if (t->buffer[i].word == t->buffer[n].word || t->buffer[i].group != t->buffer[n].group)
			return false;
	return true;
}

/* A spin lock given back waits as a store that releases, to word -1 - its number. */
static void reach(struct state *s, struct thread *t, int n)
{
	if (t->buffer[n].word < 0)
		s->objects[-1 - t->buffer[n].word] = 0;
	else
		s->words[t->buffer[n].word] = t->buffer[n].value;
	t->buffered--;
	memmove(&t->buffer[n], &t->buffer[n + 1], (size_t)(t->buffered - n) * sizeof *t->buffer);
	if (t->buffered == 0)
		t->group = 0;
}

static void got(struct thread *t, const struct instruction *i, int result)
{
	t->results = history_add(t->results, result);
	if (i->reg != NONE)
		t->reg[i->reg] = result;
}

/* ---------------------------------------------------------------- what only the thread itself sees */

/* Are the results from `a` to `b` those from `b` to `c`? */
static bool same_results(uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t x = b, y = c;
	while (x != a && y != b) {
		if (history_last(x) != history_last(y))
			return false;
		x = history_before(x);
		y = history_before(y);
	}
	return x == a && y == b;
}

static void again(const struct machine *m, struct thread *t, const struct instruction *i)
{
	if (!value(m->program, t, i->value)) {
		t->from = t->before = 0;
		t->has_before = t->wrote = t->vain = false;
		t->pc++;
		return;
	}
	t->vain = t->has_before && !t->wrote && same_results(t->before, t->from, t->results);
	if (t->vain) {
		t->results = t->from;
	} else {
		t->before = t->from;
		t->from = t->results;
		t->has_before = !t->wrote;
	}
	t->wrote = false;
	t->pc = i->to;
}

/* That a store is about to be made is a race, or comes too late: it is a step. */
static bool others_notice(const struct machine *m, int at) { return m->program->is_plain[at] || m->program->is_freed[at]; }

/* Runs the thread's next instruction if nobody else can see it. */
static bool settle_one(const struct machine *m, struct state *s, struct thread *t)
{
	const struct instruction *i = &m->program->code[t->pc];
	switch (i->op) {
	case OP_SET: t->reg[i->reg] = value(m->program, t, i->value); break;
	case OP_JUMP: t->pc = i->to; return true;
	case OP_UNLESS: t->pc = value(m->program, t, i->value) ? t->pc + 1 : i->to; return true;
	case OP_ASSERT: s->failed |= !value(m->program, t, i->value); break;
	case OP_DEMAND:
		s->failed |= !value(m->program, t, i->value);
		s->ended |= !value(m->program, t, i->value);
		if (s->ended)
			return false;           /* nobody comes between what it was told and the end */
		break;
	case OP_SPIN: t->from = t->results; t->has_before = t->wrote = t->vain = false; break;
	case OP_AGAIN: again(m, t, i); return true;
	case OP_STORE:
		if (m->model == MODEL_SC || i->order == SEQ_CST || others_notice(m, word(m, t, i)))
			return false;
		buffer(m, t, i);
		t->wrote = true;
		break;
	case OP_FENCE:
		if (m->model != MODEL_SC && i->order == SEQ_CST && t->buffered)
			return false;
		t->group += i->order == RELEASE && t->buffered;
		break;
	default: return false;
	}
	t->pc++;
	return true;
}

static void settle(const struct machine *m, struct state *s)
{
	for (int i = 0; i < m->threads; i++)
		for (int n = 0; settle_one(m, s, &s->threads[i]); n++)
			if (n > 100000) {
				fprintf(stderr, "line %d: a loop without a step\n", m->program->code[s->threads[i].pc].line);
				exit(3);
			}
}

/* ---------------------------------------------------------------- steps */

static bool ended(const struct machine *m, const struct thread *t)
{
	return m->program->code[t->pc].op == OP_END && t->buffered == 0;
}

static bool others_ended(const struct machine *m, const struct state *s)
{
	for (int i = 1; i < m->threads; i++)
		if (!ended(m, &s->threads[i]))
			return false;
	return true;
}

static bool waits_in_buffer(const struct machine *m, const struct instruction *i)
{
	return i->op == OP_STORE && m->model != MODEL_SC && i->order != SEQ_CST;
}

static bool waits_for(const struct machine *m, const struct thread *t, int cond)
{
	const struct instruction *i = &m->program->code[t->pc];
	return (i->op == OP_WOKEN || i->op == OP_TIMEDWOKEN) && i->object == cond && !t->woken && !t->late;
}

/* ---- mutexes of other kinds: owner + 1, and above OWNER how often it was taken again ---- */

enum { OWNER = 128 };

static bool knows_owner(const struct machine *m, int object)
{
	return m->program->kind[object] == RECURSIVE || m->program->kind[object] == CHECKED;
}

static bool has(const struct state *s, const struct thread *t, int object) { return s->objects[object] % OWNER == t - s->threads + 1; }

/* What libc does here has no locked instruction: it looks, counts what is the thread's own, or is a plain store. */
static bool leaves_stores(const struct machine *m, const struct state *s, const struct thread *t, const struct instruction *i)
{
	int object = s->objects[i->object];
	bool owned = knows_owner(m, i->object), mine = owned && has(s, t, i->object);
	switch (i->op) {
	case OP_LOCK: case OP_TIMEDLOCK: return mine;
	case OP_TRYLOCK: return m->program->kind[i->object] != SPINLOCK && object != 0;
	case OP_UNLOCK: return m->program->kind[i->object] == SPINLOCK || (owned && (!mine || object > OWNER));
	case OP_TRYRDLOCK: return object < 0;
	case OP_TRYWRLOCK: return object != 0;
	case OP_TRYDOWN: return object <= 0;
	case OP_ONCE: return object == 2;
	case OP_SIGNAL: case OP_BROADCAST:
		for (int n = 0; n < m->threads; n++)
			if (waits_for(m, &s->threads[n], i->object))
				return false;
		return true;
	default: return false;
	}
}

static bool can_go(const struct machine *m, const struct state *s, const struct thread *t)
{
	const struct instruction *i = &m->program->code[t->pc];
	if (i->op == OP_LOAD || i->op == OP_CHOOSE || i->op == OP_EXIT || waits_in_buffer(m, i))
		return true;
	if (t->buffered && !leaves_stores(m, s, t, i))          /* everything else empties the buffer first */
		return false;
	if ((i->op == OP_LOCK || i->op == OP_TIMEDLOCK) && knows_owner(m, i->object) && has(s, t, i->object))
		return true;
	switch (i->op) {
	case OP_END: return false;
	case OP_JOIN_ALL: return others_ended(m, s);
	case OP_LOCK: return s->objects[i->object] == 0;
	case OP_RDLOCK: return s->objects[i->object] >= 0;
	case OP_WRLOCK: return s->objects[i->object] == 0;
	case OP_TIMEDLOCK: return s->objects[i->object] == 0;
	case OP_DOWN: case OP_TIMEDDOWN: return s->objects[i->object] > 0;
	case OP_ONCE: return s->objects[i->object] != 1;
	case OP_WOKEN: case OP_TIMEDWOKEN: return (t->woken || t->late) && s->objects[i->second] == 0;
	case OP_PASS: return t->passed;
	default: return true;
	}
}

/* It has to wait, and not for ever. */
static bool may_give_up(const struct machine *m, const struct state *s, const struct thread *t)
{
	const struct instruction *i = &m->program->code[t->pc];
	if (t->buffered)
		return false;
	if (i->op == OP_TIMEDWOKEN)
		return !t->woken && !t->late;
	return (i->op == OP_TIMEDLOCK || i->op == OP_TIMEDDOWN) && !can_go(m, s, t);
}

static bool meets(const struct machine *m, const struct thread *t, int barrier)
{
	const struct instruction *i = &m->program->code[t->pc];
	return i->op == OP_PASS && i->object == barrier && !t->passed;
}

int machine_steps(const struct machine *m, const struct state *s, struct step *out)
{
	int n = 0;
	if (s->ended)
		return 0;
	for (int i = 0; i < m->threads; i++) {
		const struct thread *t = &s->threads[i];
		for (int b = 0; b < t->buffered; b++)
			if (may_reach(m, t, b))
				out[n++] = (struct step){ i, b, NONE };
		if (may_give_up(m, s, t))
			out[n++] = (struct step){ i, NONE, TIMES_OUT };
		if (!can_go(m, s, t))
			continue;
		int waiters = 0;
		const struct instruction *at = &m->program->code[t->pc];
		if (at->op == OP_BARRIER && s->objects[at->object] + 1 == m->program->start[at->object])
			for (int w = 0; w < m->threads; w++)
				if (meets(m, &s->threads[w], at->object))
					out[n++] = (struct step){ i, NONE, w };
		for (int k = 0; at->op == OP_CHOOSE && k < value(m->program, t, at->value); k++)
			out[n++] = (struct step){ i, NONE, k }, waiters++;
		if (m->program->code[t->pc].op == OP_SIGNAL)
			for (int w = 0; w < m->threads; w++)
				if (waits_for(m, &s->threads[w], m->program->code[t->pc].object))
					out[n++] = (struct step){ i, NONE, w }, waiters++;
		if (waiters == 0)
			out[n++] = (struct step){ i, NONE, NONE };
		if (n > MAX_STEPS - MAX_THREADS - MAX_BUFFER)
			abort();
	}
	return n;
}

static void update(const struct machine *m, struct state *s, struct thread *t, const struct instruction *i)
{
	int at = word(m, t, i), was = s->words[at], given = value(m->program, t, i->value);
	if (i->op == OP_ADD)
		s->words[at] = was + given;
	else if (i->op == OP_SWAP)
		s->words[at] = given;
	else if (was == given)
		s->words[at] = value(m->program, t, i->other);
	t->wrote |= s->words[at] != was;
	got(t, i, was);
}

static void arrive(const struct machine *m, struct state *s, struct thread *t, const struct instruction *i, int serial)
{
	bool last = ++s->objects[i->object] == m->program->start[i->object];
	if (!last)
		return;
	s->objects[i->object] = 0;
	for (int n = 0; n < m->threads; n++)
		if (meets(m, &s->threads[n], i->object)) {
			s->threads[n].passed = true;
			s->threads[n].serial = n == serial;
		}
	t->passed = true;
	t->serial = serial == NONE;
}

/* A try: told whether it got it. */
static void attempt(struct thread *t, const struct instruction *i, int *object, bool free, int taken)
{
	got(t, i, free);
	if (free)
		*object = taken;
}

/* A mutex that knows who has it. */
static void owned(struct state *s, struct thread *t, const struct instruction *i, enum kind kind)
{
	int *object = &s->objects[i->object];
	bool mine = has(s, t, i->object), takes = i->op != OP_UNLOCK, gets = *object == 0 || (mine && kind == RECURSIVE);
	if (takes && i->op != OP_LOCK)
		got(t, i, gets);
	if (takes && gets)
		*object += *object ? OWNER : (int)(t - s->threads) + 1;
	else if (!takes && mine)
		*object = *object > OWNER ? *object - OWNER : 0;
}

static void synchronise(const struct machine *m, struct state *s, int who, const struct instruction *i, int woken)
{
	struct thread *t = &s->threads[who];
	int *object = &s->objects[i->object];
	t->wrote |= i->op > OP_TRYWRLOCK;       /* who locks and unlocks leaves nothing behind */
	if (i->op <= OP_TIMEDLOCK && knows_owner(m, i->object)) {
		owned(s, t, i, m->program->kind[i->object]);
		return;
	}
	if (i->op == OP_UNLOCK && m->program->kind[i->object] == SPINLOCK && m->model != MODEL_SC) {
		t->buffer[t->buffered++] = (struct waiting){ .word = (int16_t)(-1 - i->object), .group = (uint8_t)t->group, .release = true };
		return;
	}
	switch (i->op) {
	case OP_LOCK: *object = who + 1; break;
	case OP_UNLOCK: *object = 0; break;
	case OP_TRYLOCK: case OP_TIMEDLOCK: attempt(t, i, object, *object == 0, who + 1); break;
	case OP_TRYRDLOCK: attempt(t, i, object, *object >= 0, *object + 1); break;
	case OP_TRYWRLOCK: attempt(t, i, object, *object == 0, -1 - who); break;
	case OP_RDLOCK: *object += 1; break;
	case OP_WRLOCK: *object = -1 - who; break;
	case OP_RWUNLOCK: *object = *object < 0 ? 0 : *object - 1; break;
	case OP_DOWN: *object -= 1; break;
	case OP_TRYDOWN: case OP_TIMEDDOWN: attempt(t, i, object, *object > 0, *object - 1); break;
	case OP_UP: *object += 1; break;
	case OP_WAIT: s->objects[i->second] = 0; t->woken = false; break;
	case OP_TIMEDWOKEN: got(t, i, !t->late); t->late = false; /* fall through */
	case OP_WOKEN: s->objects[i->second] = who + 1; t->woken = false; break;
	case OP_SIGNAL: if (woken != NONE) s->threads[woken].woken = true; break;
	case OP_BROADCAST:
		for (int n = 0; n < m->threads; n++)
			s->threads[n].woken |= waits_for(m, &s->threads[n], i->object);
		break;
	case OP_BARRIER: arrive(m, s, t, i, woken); break;
	case OP_PASS: got(t, i, t->serial); t->passed = t->serial = false; break;
	case OP_ONCE: got(t, i, *object == 0); t->pc = *object ? i->to - 1 : t->pc; *object = *object ? 2 : 1; break;
	case OP_ONCE_DONE: *object = 2; break;
	default: break;
	}
}

static void give_up(struct thread *t, const struct instruction *i)
{
	if (i->op == OP_TIMEDWOKEN) {
		t->late = true;
		return;
	}
	got(t, i, 0);
	t->pc++;
}

static bool touches(const struct instruction *i)
{
	return i->op == OP_LOAD || i->op == OP_FREE || (i->op >= OP_STORE && i->op <= OP_CAS);
}

static bool about_to_store(const struct machine *m, const struct thread *t, int at)
{
	const struct instruction *i = &m->program->code[t->pc];
	return touches(i) && i->op != OP_LOAD && word(m, t, i) == at;
}

static bool stored(const struct thread *t, int at)
{
	for (int i = 0; i < t->buffered; i++)
		if (t->buffer[i].word == at)
			return true;
	return false;
}

bool machine_races(const struct machine *m, const struct state *s, bool *unsure)
{
	bool race = false;
	*unsure = false;
	for (int a = 0; !s->ended && a < m->threads; a++) {
		const struct thread *t = &s->threads[a];
		const struct instruction *i = &m->program->code[t->pc];
		if (!touches(i) || (!m->program->is_plain[word(m, t, i)] && i->op != OP_FREE))
			continue;
		for (int b = 0; b < m->threads; b++)
			if (b != a) {
				race |= about_to_store(m, &s->threads[b], word(m, t, i));
				*unsure |= stored(&s->threads[b], word(m, t, i));
			}
	}
	return race;
}

void machine_take(const struct machine *m, struct state *s, struct step step)
{
	struct thread *t = &s->threads[step.thread];
	const struct instruction *i = &m->program->code[t->pc];
	if (step.store != NONE) {
		reach(s, t, step.store);
		settle(m, s);
		return;
	}
	if (step.woken == TIMES_OUT) {
		give_up(t, i);
		settle(m, s);
		return;
	}
	if (touches(i) && s->freed >> word(m, t, i) & 1) {
		s->failed = s->ended = true;
		return;
	}
	switch (i->op) {
	case OP_FREE: s->freed |= (uint64_t)1 << word(m, t, i); t->wrote = true; break;
	case OP_EXIT: s->ended = true; s->failed |= value(m->program, t, i->value) != 0; return;
	case OP_LOAD: got(t, i, seen(s, t, word(m, t, i))); break;
	case OP_CHOOSE: got(t, i, step.woken); t->wrote = true; break;
	case OP_STORE:
		if (waits_in_buffer(m, i))
			buffer(m, t, i);
		else
			s->words[word(m, t, i)] = value(m->program, t, i->value);
		t->wrote = true;
		break;
	case OP_ADD: case OP_SWAP: case OP_CAS: update(m, s, t, i); break;
	case OP_FENCE: case OP_JOIN_ALL: break;
	default: synchronise(m, s, step.thread, i, step.woken); break;
	}
	t->pc++;
	settle(m, s);
}

/* Would one more iteration of its loop, with nobody else about, bring the thread to where it is? */
static bool goes_round(const struct machine *m, const struct state *s, int who)
{
	static struct state alone;
	const struct thread *t = &s->threads[who];
	if (!t->vain || t->results != t->from)
		return false;
	memcpy(&alone, s, sizeof alone);
	do {
		if (!can_go(m, &alone, &alone.threads[who]))
			return false;
		machine_take(m, &alone, (struct step){ who, NONE, NONE });
	} while (alone.threads[who].results != t->from && alone.threads[who].from == t->from);
	return memcmp(&alone.threads[who], t, sizeof *t) == 0;
}

bool machine_spins_in_vain(const struct machine *m, const struct state *s)
{
	bool spins = false;
	for (int i = 0; i < m->threads; i++) {
		if (s->threads[i].buffered)
			return false;
		if (!can_go(m, s, &s->threads[i]))
			continue;
		if (!goes_round(m, s, i))
			return false;
		spins = true;
	}
	return spins;
}

void machine_begin(struct machine *m, struct state *first)
{
	memset(first, 0, sizeof *first);
	m->threads = 0;
	for (int b = 0; b < m->program->body_count; b++)
		for (int n = 0; n < m->program->bodies[b].copies; n++) {
			if (m->threads == MAX_THREADS) {
				fprintf(stderr, "more than %d threads\n", MAX_THREADS);
				exit(3);
			}
			m->body_of[m->threads] = b;
			first->threads[m->threads].pc = m->program->bodies[b].code;
			first->threads[m->threads++].reg[0] = m->program->bodies[b].plain ? 0 : n;
		}
	memcpy(first->words, m->program->initial, sizeof first->words);
	for (int i = 0; i < m->program->objects; i++)
		first->objects[i] = m->program->start[i];
	for (int i = 0; i < m->program->codes; i++)
		if (m->program->code[i].op == OP_BARRIER)
			first->objects[m->program->code[i].object] = 0;
	settle(m, first);
}

/* ---------------------------------------------------------------- bytes */

static unsigned char *put(unsigned char *to, int64_t n)
{
	uint64_t u = n < 0 ? (uint64_t)(-n) * 2 - 1 : (uint64_t)n * 2;
	for (; u >= 128; u >>= 7)
		*to++ = (unsigned char)(u | 128);
	*to++ = (unsigned char)u;
	return to;
}

static int64_t get(const unsigned char **from)
{
	uint64_t u = 0;
	int shift = 0;
	for (; **from >= 128; shift += 7)
		u |= (uint64_t)(*(*from)++ & 127) << shift;
	u |= (uint64_t)*(*from)++ << shift;
	return u & 1 ? -(int64_t)((u + 1) / 2) : (int64_t)(u / 2);
}

static unsigned char *put_thread(const struct machine *m, unsigned char *to, const struct thread *t)
{
	to = put(to, t->pc);
	for (int i = 0; i < m->program->registers; i++)
		to = put(to, t->reg[i]);
	to = put(to, t->results);
	to = put(to, t->from);
	to = put(to, t->before);
	*to++ = (unsigned char)(t->has_before | t->wrote << 1 | t->vain << 2 | t->woken << 3 | t->passed << 4 | t->serial << 5 | t->late << 6);
	to = put(to, t->group);
	to = put(to, t->buffered);
	for (int i = 0; i < t->buffered; i++) {
		to = put(to, t->buffer[i].word);
		to = put(to, t->buffer[i].value);
		to = put(to, t->buffer[i].group * 2 + t->buffer[i].release);
	}
	return to;
}

static void get_thread(const struct machine *m, const unsigned char **from, struct thread *t)
{
	memset(t, 0, sizeof *t);
	t->pc = (int)get(from);
	for (int i = 0; i < m->program->registers; i++)
		t->reg[i] = (int)get(from);
	t->results = (uint32_t)get(from);
	t->from = (uint32_t)get(from);
	t->before = (uint32_t)get(from);
	unsigned char flags = *(*from)++;
	t->has_before = flags & 1;
	t->wrote = flags & 2;
	t->vain = flags & 4;
	t->woken = flags & 8;
	t->passed = flags & 16;
	t->serial = flags & 32;
	t->late = flags & 64;
	t->group = (int)get(from);
	t->buffered = (int)get(from);
	for (int i = 0; i < t->buffered; i++) {
		t->buffer[i].word = (int16_t)get(from);
		t->buffer[i].value = (int16_t)get(from);
		int64_t both = get(from);
		t->buffer[i].group = (uint8_t)(both / 2);
		t->buffer[i].release = both & 1;
	}
}

static int by_bytes(const void *a, const void *b) { return memcmp(a, b, 256); }

/* Copies of a plain body: each in 256 bytes, sorted. */
static unsigned char *put_alike(const struct machine *m, unsigned char *to, const struct state *s, int first, int count)
{
	static unsigned char rows[MAX_THREADS][256];
	static size_t lengths[MAX_THREADS];
	memset(rows, 0, sizeof rows);
	for (int i = 0; i < count; i++) {
		size_t n = (size_t)(put_thread(m, rows[i], &s->threads[first + i]) - rows[i]);
		if (n > 255)
			abort();
		rows[i][255] = (unsigned char)n;
	}
	qsort(rows, (size_t)count, sizeof *rows, by_bytes);
	for (int i = 0; i < count; i++) {
		lengths[i] = rows[i][255];
		memcpy(to, rows[i], lengths[i]);
		to += lengths[i];
	}
	return to;
}

size_t machine_pack(const struct machine *m, const struct state *s, unsigned char *out)
{
	unsigned char *to = out;
	for (int i = 0; i < m->program->words; i++)
		to = put(to, s->words[i]);
	for (int i = 0; i < m->program->objects; i++)
		to = put(to, s->objects[i]);
	to = put(to, (int64_t)s->freed);
	*to++ = (unsigned char)(s->failed | s->ended << 1);
	for (int i = 0; i < m->threads;) {
		const struct body *b = &m->program->bodies[m->body_of[i]];
		to = b->plain && b->copies > 1 ? put_alike(m, to, s, i, b->copies) : put_thread(m, to, &s->threads[i]);
		i += b->plain && b->copies > 1 ? b->copies : 1;
	}
	if (to - out > STATE_BYTES)
		abort();
	return (size_t)(to - out);
}

void machine_unpack(const struct machine *m, const unsigned char *bytes, struct state *out)
{
	memset(out->words, 0, sizeof out->words);
	memset(out->objects, 0, sizeof out->objects);
	for (int i = 0; i < m->program->words; i++)
		out->words[i] = (int)get(&bytes);
	for (int i = 0; i < m->program->objects; i++)
		out->objects[i] = (int)get(&bytes);
	out->freed = (uint64_t)get(&bytes);
	out->failed = *bytes & 1;
	out->ended = *bytes++ & 2;
	for (int i = 0; i < m->threads; i++)
		get_thread(m, &bytes, &out->threads[i]);
}
