/* trace/verify_reads.c -- may this read have this value?
 *
 * A read may see a write that is concurrent to it, or the last one ordered before it.  Going through the writes of a cell
 * from the newest back, a write ordered before the read and behind all older ones ends the search.
 *   (1) a read that nothing so far explains stays open: a concurrent write may come later in the merged order, and a call
 *       under way may turn out to have led into unseen code.  What is open at the end is a problem;
 *   (2) unseen code that ran at no certain time between the write and the read makes the read an unseen writer's;
 *   (3) memory that libraries change behind the program's back never contradicts: locks and their like, the data of objects
 *       that are not instrumented, blocks libraries allocated for themselves, mappings shared with other processes;
 *       and nothing contradicts in a flight recording, of which any stretch of a thread may be missing;
 *       A steered run does not say which functions were called: there, libraries that are loaded or linked in may have written anything;
 *   (4) of a stack only what was written since its frame was entered counts, and only whole: compilers keep there what
 *       nobody recorded. */
#include <string.h>

#include "trace/verify_inside.h"

#define OPEN_MOST 200000u
#define ARGUMENTS_MOST (4ull << 20)     /* above the first thread's stack: arguments and environment */

enum sort { SORT_PLAIN, SORT_STACK, SORT_TLS, SORT_LIBRARY, SORT_GLOBAL, SORT_HEAP, SORT_NOWHERE };

static enum sort sort_of(struct verifier *v, uint64_t address, struct thread_id *owner)
{
	const struct object *b = objects_at(v->objects, address);
	*owner = b ? b->thread : NO_THREAD;
	if (b && b->kind == OBJECT_STACK)
		return SORT_STACK;
	if (b && b->kind == OBJECT_TLS)
		return SORT_TLS;
	if (b) {
		uint64_t *mark = map_get(b->kind == OBJECT_HEAP ? &v->calls.library_blocks : &v->calls.shared_maps, b->start);
		return mark && *mark ? SORT_LIBRARY : SORT_HEAP;
	}
	for (uint32_t i = 0; i < trace_module_count(v->trace); i++) {
		const struct trace_module *m = trace_module(v->trace, i);
		if (address >= m->low && address < m->high)
			return m->instrumented ? SORT_GLOBAL : SORT_LIBRARY;
	}
	const struct thread_state *first = v->threads;
	if (first->stack_high && address - first->stack_high < ARGUMENTS_MOST) {
		owner->i = 0;
		return SORT_STACK;
	}
	return v->real ? SORT_NOWHERE : SORT_PLAIN;
}

static uint64_t cut(uint64_t word, uint8_t mask)        /* the bytes of the mask, brought down */
{
	unsigned shift = mask ? (unsigned)__builtin_ctz(mask) : 0;
	return (word & spread(mask)) >> 8 * shift;
}

/* ---- unseen writers ---- */

static void note_unseen(struct verifier *v, const struct verify_problem *about, bool known)
{
	bool fresh;
	uint64_t *slot = map_put(&v->waiting.site_index, (uint64_t)(uintptr_t)about->place, &fresh);
	if (fresh) {
		struct verify_site *s = vec_add(&v->out->unseen);
		*s = (struct verify_site){ .place = about->place, .value = about->value, .expected = about->expected, .known = known,
			.thread = about->thread, .name = about->name ? about->name : object_text(v, about->object) };
		*slot = v->out->unseen.count;
	}
	v->out->unseen.at[*slot - 1].reads++;
}

/* ---- one cell ---- */

struct look {
	uint64_t address;               /* of the cell */
	uint8_t mask;                   /* bytes read */
	uint64_t value;                 /* at their places */
	bool exact;                     /* an atomic operation with a version */
	uint8_t wrong;                  /* found: bytes nothing explains */
	const struct entry *expected;   /* what should have been there */
	enum verify_cause cause;
	bool learn;                     /* nothing known was contradicted, nothing known explains it */
	bool open;                      /* it was written with contents not known */
};

/* What one write contributes.  Returns the bytes for which older ones matter too. */
static uint8_t look_at(struct verifier *v, struct look *l, const struct entry *e, uint8_t open)
{
	uint8_t mine = e->mask & open, fits;
	bool known = before(v, e->thread, e->time, v->now), ends = known && e->flags & ENTRY_COVERS;
	bool anything = e->flags & ENTRY_UNKNOWN || (e->flags & ENTRY_LIBRARY && !known);
	enum verify_cause cause = e->flags & (ENTRY_LIBRARY | ENTRY_UNKNOWN) ? BY_LIBRARY : e->flags & ENTRY_LEARNED ? BY_INITIAL
		: !known ? BY_RACE : e->thread == v->now ? BY_OWN_WRITE : BY_OTHER_WRITE;
	fits = anything ? mine : mine & equal_bytes(e->value, l->value);
	if (mine & l->wrong & fits && cause > l->cause)
		l->cause = cause;
	if (anything && mine & l->wrong)
		l->learn = l->open = true;
	l->wrong &= (uint8_t)~fits;
	if (mine & ~fits & l->wrong)                            /* the oldest that matters: unseen code may have run since */
		l->expected = e;
	if (ends)
		open &= (uint8_t)~e->mask;
	if (e->flags & ENTRY_LOST && !ends) {
		if (mine & l->wrong && l->cause < BY_RACE)
			l->cause = BY_RACE;
		l->wrong &= (uint8_t)~mine;
		open &= (uint8_t)~mine;
	}
	return open;
}

/* What the memory held before anybody wrote it. */
static void look_at_origin(struct verifier *v, struct look *l, uint8_t open)
{
	struct thread_id owner;
	enum sort sort = sort_of(v, l->address + (unsigned)__builtin_ctz(open), &owner);
	enum verify_cause cause = sort == SORT_STACK || sort == SORT_HEAP ? BY_FRESH : BY_INITIAL;
	if (sort == SORT_NOWHERE && !v->last && !trace_fact(v->trace, "forked"))
		cause = BY_UNSEEN;
	if (sort == SORT_HEAP || sort == SORT_GLOBAL || sort == SORT_PLAIN || sort == SORT_NOWHERE)
		l->learn = true;
	if (cause > l->cause)
		l->cause = cause;
	l->wrong &= (uint8_t)~open;
}

static void look_through(struct verifier *v, struct look *l, const struct shadow_page *p, const struct entry *e)
{
	uint8_t open = l->mask;
	l->wrong = l->mask;
	for (; e->mask && open & l->wrong; e = &v->shadow.older.at[e->more - 1]) {
		open = look_at(v, l, e, open);
		if (!e->more)
			break;
	}
	if (p->base.mask && open & l->wrong)
		open = look_at(v, l, &p->base, open);
	if (open & l->wrong)
		look_at_origin(v, l, open & l->wrong);
}

/* ---- who else may have written it? ---- */

static bool stack_is_stale(struct verifier *v, const struct look *l, struct thread_id owner)
{
	const struct entry *e = l->expected;
	if (owner.i >= v->thread_count || e->flags & ENTRY_LEARNED || (e->mask & l->mask) != l->mask)
		return true;
	uint32_t entered = calls_frame_seq(v, owner.i, l->address + (unsigned)__builtin_ctz(l->mask));
	return v->real && e->seq <= entered;
}

/* BY_UNSEEN or a better cause; CAUSE_COUNT: nobody. */
static enum verify_cause who_else(struct verifier *v, const struct look *l, uint8_t meta)
{
	struct thread_id owner;
	const struct entry *e = l->expected;
	uint64_t address = l->address + (unsigned)__builtin_ctz(l->wrong);
	enum sort sort = sort_of(v, address, &owner);
	if (meta & META_WILD || v->in_handler)
		return BY_SIGNAL;
	if (sort == SORT_STACK && stack_is_stale(v, l, owner))
		return BY_FRESH;
	if (sort == SORT_TLS && (owner.i >= v->thread_count || e->seq <= v->threads[owner.i].outside_seq))
		return BY_LIBRARY;
	if (sync_is_object(v, address))
		return BY_LIBRARY;
	if (sort == SORT_LIBRARY || sort == SORT_NOWHERE || v->out->undecided || v->last)
		return BY_UNSEEN;
	if (v->libraries && !v->flow)                           /* calls are not recorded: one may have been made at any time */
		return BY_UNSEEN;
	if (e->seq <= v->calls.wild_seq || !(e->flags & ENTRY_CLEAN) || e->seq <= v->calls.gap_seq)
		return BY_UNSEEN;
	if (l->exact && e->seq <= v->stripes[stripe_of(l->address)].gap_seq)
		return BY_UNSEEN;
	return CAUSE_COUNT;
}

/* ---- open reads ---- */

static struct verify_problem describe(const struct event *ev, const struct look *l)
{
	const struct entry *e = l->expected;
	struct verify_problem p = { .rule = RULE_VALUE, .thread = ev->thread, .index = ev->index, .place = ev->place, .name = ev->name,
		.object = l->address + (unsigned)__builtin_ctz(l->mask), .size = (unsigned)__builtin_popcount(l->mask),
		.value = cut(l->value, l->mask), .writer = NO_THREAD };
	if (e) {
		uint64_t bytes = spread(e->mask & l->mask);
		p.expected = cut((l->value & ~bytes) | (e->value & bytes), l->mask);
		p.writer.i = e->thread;
		p.writer_seq = e->flags & ENTRY_LEARNED ? 0 : e->seq;
	}
	return p;
}

static void forget_open(struct verifier *v)
{
	vec_clear(&v->waiting.pending);
	vec_clear(&v->waiting.open);
	map_release(&v->waiting.pending_index);
}

static uint32_t open_read(struct verifier *v, const struct event *ev, const struct look *l)
{
	if (!v->waiting.unresolved)
		forget_open(v);
	struct open_read *o = vec_add(&v->waiting.open);
	o->about = describe(ev, l);
	o->about.text = l->expected && l->expected->flags & ENTRY_LEARNED ? "found" : "wrote";
	o->time = clock_own(v, v->now);
	o->time_seq = v->seq;
	o->exact = l->exact;
	o->record = ev->time;
	return (uint32_t)v->waiting.open.count - 1;
}

static void add_pending(struct verifier *v, uint32_t read, const struct look *l, uint8_t *meta)
{
	uint64_t *slot = map_put(&v->waiting.pending_index, l->address, NULL);
	vec_push(&v->waiting.pending, ((struct pending){ l->address, l->value, read, (uint32_t)*slot, l->wrong }));
	*slot = v->waiting.pending.count;
	*meta |= META_PENDING;
	v->waiting.open.at[read].cells++;
	v->waiting.unresolved++;
}

static void explained(struct verifier *v, struct pending *p)
{
	struct open_read *o = &v->waiting.open.at[p->read];
	p->mask = 0;
	v->waiting.unresolved--;
	if (--o->cells || o->closed)
		return;
	o->closed = true;
	v->out->causes[o->interrupted ? BY_SIGNAL : o->weak ? BY_UNSEEN : BY_RACE]++;
	if (o->weak)
		note_unseen(v, &o->about, true);
}

void reads_resolve(struct verifier *v, uint64_t cell, const struct entry *w)
{
	uint64_t *slot = map_get(&v->waiting.pending_index, cell);
	for (uint32_t i = slot ? (uint32_t)*slot : 0; i; i = v->waiting.pending.at[i - 1].next) {
		struct pending *p = &v->waiting.pending.at[i - 1];
		const struct open_read *o = &v->waiting.open.at[p->read];
		if (!p->mask || v->total || before(v, o->about.thread.i, o->time, v->now) || (o->exact && w->flags & ENTRY_ATOMIC))
			continue;
		bool anything = w->flags & (ENTRY_UNKNOWN | ENTRY_LIBRARY);
		uint8_t fits = p->mask & w->mask & (anything ? 0xff : equal_bytes(w->value, p->value));
		if (fits && !(p->mask &= (uint8_t)~fits))
			explained(v, p);
	}
}

void reads_weaken(struct verifier *v, uint32_t thread, uint32_t since)
{
	for (size_t i = 0; i < v->waiting.pending.count && v->waiting.unresolved; i++) {
		struct pending *p = &v->waiting.pending.at[i];
		struct open_read *o = &v->waiting.open.at[p->read];
		if (!p->mask || (v->total ? o->time_seq <= since : before(v, o->about.thread.i, o->time, thread)))
			continue;
		o->weak = true;
		explained(v, p);
	}
}

void reads_interrupted(struct verifier *v, uint32_t thread, uint64_t time)
{
	for (size_t i = 0; i < v->waiting.pending.count && v->waiting.unresolved; i++) {
		struct pending *p = &v->waiting.pending.at[i];
		struct open_read *o = &v->waiting.open.at[p->read];
		if (!p->mask || o->about.thread.i != thread || o->record != time)
			continue;
		o->interrupted = true;
		explained(v, p);
	}
}

void reads_finish(struct verifier *v)
{
	for (size_t i = 0; i < v->waiting.open.count; i++) {
		const struct open_read *o = &v->waiting.open.at[i];
		if (o->closed)
			continue;
		if (v->out->undecided) {
			v->out->causes[BY_UNSEEN]++;
			note_unseen(v, &o->about, true);
			continue;
		}
		struct event ev = { .thread = o->about.thread, .index = o->about.index, .place = o->about.place, .object = o->about.object,
			.name = o->about.name };
		struct verify_problem *p = problem(v, RULE_VALUE, &ev, "%s", o->about.text), text = *p;
		*p = o->about;
		p->text = text.text;
	}
}

/* ---- the door ---- */

static enum verify_cause stays_open(struct verifier *v, const struct event *ev, const struct look *l, uint8_t *meta, uint32_t *read)
{
	if (v->waiting.open.count >= OPEN_MOST) {
		v->out->undecided = "too many reads wait for an explanation";
		return BY_UNSEEN;
	}
	if (*read == UINT32_MAX)
		*read = open_read(v, ev, l);
	add_pending(v, *read, l, meta);
	return CAUSE_COUNT;
}

static enum verify_cause judge(struct verifier *v, const struct event *ev, struct look *l, struct shadow_page *p, struct entry *e,
	uint32_t *read)
{
	uint8_t *meta = &p->meta[e - p->cells];
	if (e->mask && e->thread != v->now)
		*meta |= META_SHARED;
	look_through(v, l, p, e);
	enum verify_cause else_by = l->wrong ? who_else(v, l, *meta) : l->cause;
	if (else_by == BY_UNSEEN) {
		struct verify_problem about = describe(ev, l);
		note_unseen(v, &about, l->wrong);
	}
	bool at_work = l->open && v->real && !v->flow;          /* perhaps whoever wrote it is, and calls back: nothing would say so */
	if ((else_by == BY_UNSEEN || (l->learn && !l->wrong)) && !v->in_handler && !v->threads[v->now].callbacks && !at_work)
		memory_learn(v, p, l->address, l->mask, l->value);
	if (else_by != CAUSE_COUNT)
		return else_by > l->cause ? else_by : l->cause;
	return stays_open(v, ev, l, meta, read);
}

/* Of the bytes read, those the thread sees of its own stores that wait: they leave l->mask. */
static enum verify_cause judge_own(struct verifier *v, const struct event *ev, struct look *l, struct shadow_page *p, struct entry *cell,
	uint32_t *read)
{
	struct held_piece own;
	if (!held_own(v->held, v->now, l->address, &own) || !(own.mask & l->mask))
		return BY_OWN_WRITE;
	struct entry store = { .value = own.value, .mask = own.mask & l->mask, .thread = (uint16_t)v->now, .seq = own.tag,
		.flags = own.flags | ENTRY_CLEAN };
	struct look mine = { .address = l->address, .mask = store.mask, .value = l->value, .expected = &store,
		.wrong = (uint8_t)(store.mask & ~own.unknown & ~equal_bytes(own.value, l->value)) };
	l->mask &= (uint8_t)~store.mask;
	if (!mine.wrong)
		return BY_OWN_WRITE;
	enum verify_cause by = who_else(v, &mine, p->meta[cell - p->cells]);
	if (by == BY_UNSEEN) {
		struct verify_problem about = describe(ev, &mine);
		note_unseen(v, &about, true);
	}
	return by != CAUSE_COUNT ? by : stays_open(v, ev, &mine, &p->meta[cell - p->cells], read);
}

void reads_check(struct verifier *v, const struct event *ev, uint64_t address, unsigned size, const uint8_t *bytes)
{
	enum verify_cause worst = BY_OWN_WRITE;
	uint32_t read = UINT32_MAX;
	v->out->reads++;
	for (unsigned done = 0; done < size;) {
		unsigned shift = (address + done) % CELL, count = size - done < CELL - shift ? size - done : CELL - shift;
		struct look l = { .address = (address + done) & ~7ull, .mask = (uint8_t)(((1u << count) - 1) << shift),
			.exact = event_class(ev->kind) == CLASS_ATOMIC && ev->version };
		struct shadow_page *p;
		struct entry *e = memory_cell(v, address + done, &p);
		memcpy(&l.value, bytes + done, count);
		l.value <<= 8 * shift;
		done += count;
		if (v->held) {
			enum verify_cause by = judge_own(v, ev, &l, p, e, &read);
			worst = by > worst ? by : worst;
		}
		if (!l.mask)
			continue;
		if (e->thread == v->now && (e->mask & l.mask) == l.mask && !(e->flags & (ENTRY_UNKNOWN | ENTRY_LIBRARY | ENTRY_LEARNED)) &&
			!((e->value ^ l.value) & spread(l.mask)))
			continue;
		enum verify_cause cause = judge(v, ev, &l, p, e, &read);
		worst = cause > worst ? cause : worst;
	}
	if (worst != CAUSE_COUNT)
		v->out->causes[worst]++;
}
