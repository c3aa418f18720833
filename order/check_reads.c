/* order/check_reads.c -- plays a witness on memory: do its reads return what they should?
 *
 * Shares with the engine the accesses as they were noted and nothing derived from them.  Two plays, of the observed row and of the
 * witness, over the bytes that reads in question touch; a byte holds a value, or who wrote it where that is not known.
 * Under TSO and PSO the witness is played with store buffers: what waits, in the order it was made; a FLUSH takes one of them to memory if nothing
 * before it may not be overtaken; a read finds the newest of its thread's own, else memory.
 * Cost: all accesses twice. */
#include "order/inside.h"

/* What lies in a byte: node + 1 that wrote it, 0 nobody yet. */
struct memory { struct map byte; };

/* seen: node -> 1 + where in who[] the writers begin that it saw in the observed row, byte by byte.  waiting: nodes, as they were made */
struct play { const struct order *o; const struct order_read *q; struct memory now; struct map seen; VEC(uint64_t) who; VEC(uint32_t) waiting; };

static const struct access *access_at(const struct order *o, uint32_t node, uint32_t i)
{
	uint32_t first = o->nodes.at[node].access;
	bool there = first != NONE && first + i < o->accesses.count && o->accesses.at[first + i].node == node;
	return there ? &o->accesses.at[first + i] : NULL;
}

static bool matters(const struct play *p, uint32_t node)
{
	return !p->q->keeps || p->q->keeps(p->q->context, node);
}

/* Bytes in question: of reads in the witness that matter, and of the one asked about. */
static void in_question(struct play *p, uint32_t node)
{
	const struct access *a;
	for (uint32_t i = 0; (a = access_at(p->o, node, i)); i++)
		for (uint64_t byte = a->address; a->reads && byte < a->address + a->size; byte++)
			map_put(&p->now.byte, byte, NULL);
}

/* Of more memory than there are bytes in question these are looked at, not that. */
static void play_wide(struct play *p, const struct access *a)
{
	for (size_t i = 0; i < p->now.byte.room; i++) {
		struct map_cell *cell = &p->now.byte.cells[i];
		if (cell->used && cell->key - a->address < a->size)
			cell->value = a->node + 1ull;
	}
}

static void play_writes(struct play *p, uint32_t node)
{
	const struct access *a;
	for (uint32_t i = 0; (a = access_at(p->o, node, i)); i++) {
		bool wide = a->writes && a->size > p->now.byte.room;
		if (wide)
			play_wide(p, a);
		for (uint64_t byte = a->address; a->writes && !wide && byte < a->address + a->size; byte++) {
			uint64_t *slot = map_get(&p->now.byte, byte);
			if (slot)
				*slot = node + 1ull;
		}
	}
}

/* The value a writer left in a byte, -1 not known. */
static int left(const struct order *o, uint32_t node, uint64_t byte)
{
	const struct access *a;
	for (uint32_t i = 0; (a = access_at(o, node, i)); i++)
		if (a->writes && byte - a->address < a->size && a->wrote_known)
			return a->wrote[byte - a->address];
	return -1;
}

/* First values: what the first reader of a byte nobody had written saw, if nobody has said (struct access_cell). */
static void play_first(struct play *p, struct map *first, uint32_t node)
{
	const struct access *a;
	for (uint32_t i = 0; (a = access_at(p->o, node, i)); i++)
		for (uint64_t byte = a->address; a->reads && a->read_known && byte < a->address + a->size; byte++) {
			uint64_t *now = map_get(&p->now.byte, byte), *slot = now && !*now ? map_put(first, byte, NULL) : NULL;
			if (slot && !*slot)
				*slot = a->read[byte - a->address] + 1ull;
		}
}

/* The observed row: first values, and whom each read saw. */
static void play_observed(struct play *p, struct map *first)
{
	const struct access *a;
	for (uint32_t n = 0; n < p->o->nodes.count; n++) {
		uint64_t *seen = map_get(&p->seen, n);
		play_first(p, first, n);
		if (seen)
			*seen = p->who.count + 1;
		for (uint32_t i = 0; seen && (a = access_at(p->o, n, i)); i++)
			for (uint64_t byte = a->address; a->reads && byte < a->address + a->size; byte++)
				vec_push(&p->who, *map_get(&p->now.byte, byte));
		play_writes(p, n);
	}
	for (size_t i = 0; i < p->now.byte.room; i++)
		p->now.byte.cells[i].value = 0;
}

/* The first value of a byte, -1 not known. */
static int first_of(const struct play *p, const struct map *first, uint64_t byte)
{
	const struct access_cell *said = access_cell(p->o, byte);
	uint64_t *slot = map_get(first, byte);
	return slot ? (int)*slot - 1 : said && said->first_known >> (byte & 7) & 1 ? said->first[byte & 7] : -1;
}

/* ---- store buffers ---- */

static bool writes_byte(const struct order *o, uint32_t node, uint64_t byte)
{
	const struct access *a;
	for (uint32_t i = 0; (a = access_at(o, node, i)); i++)
		if (a->writes && byte - a->address < a->size)
			return true;
	return false;
}

/* Whose write this node finds there, + 1; 0: the first value. */
static uint64_t found(const struct play *p, uint32_t reader, uint64_t byte)
{
	for (size_t i = p->waiting.count; i-- > 0;)
		if (p->o->nodes.at[p->waiting.at[i]].thread == p->o->nodes.at[reader].thread && writes_byte(p->o, p->waiting.at[i], byte))
			return p->waiting.at[i] + 1ull;
	return *map_get(&p->now.byte, byte);
}

/* pthread_spin_unlock(), which is one store. */
static bool gives_spin(const struct node *n)
{
	return n->kind == EV_UNLOCK && n->keeps && (n->number >> 8 & 0xff) == LOCK_SPIN;
}

static bool releases(const struct node *n)
{
	bool ordered = n->order == ORDER_RELEASE || n->order == ORDER_ACQ_REL || n->order == ORDER_SEQ_CST;
	return n->kind == EV_RELEASE || gives_spin(n) || ((n->kind == EV_FENCE || n->kind == EV_ASTORE) && ordered);
}

static bool may_wait(const struct play *p, uint32_t node)
{
	const struct node *n = &p->o->nodes.at[node];
	const struct access *a = access_at(p->o, node, 0);
	if (n->kind == EV_ASTORE)
		return n->order != ORDER_SEQ_CST && !(a && a->size == 16) && n->op != OP_EMPTIES;
	return n->kind == EV_WRITE || n->kind == EV_COPY || n->kind == EV_RELEASE || gives_spin(n) || (n->kind == EV_FENCE && releases(n) && n->order != ORDER_SEQ_CST);
}

static bool finds_it_empty(const struct node *n)
{
	switch (n->kind) {
	case EV_READ: case EV_WRITE: case EV_ALOAD: case EV_COPY: case EV_LIBREAD: case EV_ALLOC: case EV_BEGIN: case EV_RELEASE: case EV_ACQUIRE:
		return false;
	case EV_ASTORE: case EV_FENCE:
		return n->order == ORDER_SEQ_CST;
	default:
		return !n->keeps;
	}
}

/* Made one after the other: do they reach memory so? */
static bool in_order(const struct play *p, uint32_t first, uint32_t second)
{
	const struct access *a;
	if (p->o->model == ORDER_TSO || p->o->nodes.at[first].kind == EV_FENCE || releases(&p->o->nodes.at[second]))
		return true;
	for (uint32_t i = 0; (a = access_at(p->o, second, i)); i++)
		for (uint64_t byte = a->address; a->writes && byte < a->address + a->size; byte++)
			if (writes_byte(p->o, first, byte))
				return true;
	return false;
}

static const char *play_flush(struct play *p, uint32_t made)
{
	const struct order *o = p->o;
	size_t at = 0;
	while (at < p->waiting.count && p->waiting.at[at] != made)
		at++;
	if (at == p->waiting.count)
		return "a store reaches memory that was not made";
	for (size_t i = 0; i < at; i++)
		if (o->nodes.at[p->waiting.at[i]].thread == o->nodes.at[made].thread && in_order(p, p->waiting.at[i], made))
			return "a store overtakes one it cannot";
	for (p->waiting.count--; at < p->waiting.count; at++)
		p->waiting.at[at] = p->waiting.at[at + 1];
	play_writes(p, made);
	return NULL;
}

/* What this node does to memory and buffers. */
static const char *play_node(struct play *p, uint32_t node)
{
	const struct node *n = &p->o->nodes.at[node];
	if (p->o->model == ORDER_SC) {
		play_writes(p, node);
		return NULL;
	}
	if (n->kind == EV_FLUSH)
		return play_flush(p, n->other);
	for (size_t i = 0; finds_it_empty(n) && i < p->waiting.count; i++)
		if (p->o->nodes.at[p->waiting.at[i]].thread == n->thread)
			return "a store waits where the buffer is empty";
	if (may_wait(p, node))
		vec_push(&p->waiting, node);
	else
		play_writes(p, node);
	return NULL;
}

/* ---- reads ---- */

static bool holds_value(const struct play *p, const struct map *first, uint32_t reader, uint64_t byte, int value)
{
	uint64_t writer = found(p, reader, byte);
	int there = writer ? left(p->o, (uint32_t)writer - 1, byte) : first_of(p, first, byte);
	return there >= 0 && there == value;
}

/* May it return what lies there now?  By the caller's word, where the bytes are all of one writer. */
static enum order_fit fit_now(const struct play *p, const struct map *first, const struct access *a)
{
	uint8_t value[16];
	uint64_t writer = found(p, a->node, a->address);
	bool known = true;
	if (!p->q->fits || a->size > sizeof value)
		return FIT_SAME;
	for (uint32_t i = 0; i < a->size; i++) {
		int there = writer ? left(p->o, (uint32_t)writer - 1, a->address + i) : first_of(p, first, a->address + i);
		known &= there >= 0 && found(p, a->node, a->address + i) == writer;
		value[i] = (uint8_t)there;
	}
	return p->q->fits(p->q->context, a->node, writer ? (uint32_t)writer - 1 : NO_NODE, known ? value : NULL);
}

static const char *play_read(struct play *p, const struct map *first, uint32_t node)
{
	const struct access *a;
	uint64_t at = *map_get(&p->seen, node) - 1;
	for (uint32_t i = 0; (a = access_at(p->o, node, i)); i++)
		for (uint64_t byte = a->address; a->reads && byte < a->address + a->size; byte++) {
			uint64_t now = found(p, node, byte), then = p->who.at[at++];
			if (now != then && fit_now(p, first, a) != FIT_YES && !(a->read_known && holds_value(p, first, node, byte, a->read[byte - a->address])))
				return "a read that matters returns something else";
		}
	return NULL;
}

static const char *play_asked(struct play *p, const struct map *first)
{
	const struct access *a, *from;
	for (uint32_t i = 0; (a = access_at(p->o, p->q->read, i)); i++)
		for (uint64_t byte = a->address; a->reads && byte < a->address + a->size; byte++) {
			bool shared = false;
			for (uint32_t k = 0; !p->q->value && (from = access_at(p->o, p->q->from, k)); k++)
				shared |= from->writes && byte - from->address < from->size;
			if (p->q->value ? !holds_value(p, first, p->q->read, byte, p->q->value[byte - a->address])
				: shared && found(p, p->q->read, byte) != p->q->from + 1ull)
				return "the read asked about does not return what was asked for";
		}
	return NULL;
}

const char *check_reads(const struct order *o, const struct witness *w, const struct order_read *q)
{
	struct play p = { .o = o, .q = q };
	struct map first = { 0 };
	const char *wrong = NULL;
	if (q->read != NO_NODE)
		in_question(&p, q->read);
	for (uint32_t i = 0; i < w->count; i++)
		if (matters(&p, w->node[i])) {
			map_put(&p.seen, w->node[i], NULL);
			in_question(&p, w->node[i]);
		}
	play_observed(&p, &first);
	for (uint32_t n = 0; n < w->head && !wrong; n++)
		wrong = play_node(&p, n);
	for (uint32_t i = 0; i < w->count && !wrong; i++) {
		if (matters(&p, w->node[i]))
			wrong = play_read(&p, &first, w->node[i]);
		wrong = wrong ? wrong : play_node(&p, w->node[i]);
	}
	if (!wrong && q->read != NO_NODE)
		wrong = play_asked(&p, &first);
	map_release(&p.now.byte);
	map_release(&p.seen);
	vec_release(&p.who);
	vec_release(&p.waiting);
	map_release(&first);
	return wrong;
}
