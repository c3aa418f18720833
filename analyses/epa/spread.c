/* analyses/epa/spread.c -- see spread.h.
 *
 * All events that are not the same, and writes that make memory right again, are taken in the order of the other run; what only the golden run did
 * stands where the other one went on.  Memory is told by words of eight bytes. */
#include <stdio.h>

#include "analyses/epa/spread.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mix.h"

struct item { uint64_t order; uint32_t thread; bool right; const struct canon_event *golden, *other; size_t at; };

struct carrier { uint32_t node; uint64_t order; size_t at; bool there; };        /* what was wrong last, where */
struct wrong_word { uint32_t node, thread; uint64_t order; size_t at; bool wrong; };

struct making {
	struct spread *spread;
	VEC(struct item) items;
	struct map nodes, edges;                /* keys -> index */
	struct map words;                       /* word of memory -> index in wrong + 1 */
	bool *spoilt;                           /* things these are in */
	VEC(struct wrong_word) wrong;
	struct carrier *carriers;               /* one a thread */
	bool again;                             /* second time round: what was right */
	uint64_t since;                         /* order of the first that was wrong */
};

static uint64_t word_key(const struct canon_event *e)
{
	return mix_word(mix_word(1, e->thing), e->offset >> 3);
}

static bool is_read(const struct canon_event *e)
{
	return e->kind == EV_READ || e->kind == EV_ALOAD || e->kind == EV_RMW || e->kind == EV_CAS || e->kind == EV_LIBREAD;
}

static bool reads(const struct canon_event *e)
{
	return is_read(e) || (e->kind == EV_OUTPUT && e->thing);
}

static bool writes(const struct canon_event *e)
{
	return e->kind == EV_WRITE || e->kind == EV_ASTORE || e->kind == EV_RMW || (e->kind == EV_CAS && !(e->flags & CANON_FAILED)) ||
		e->kind == EV_LIBWRITE || e->kind == EV_COPY || e->kind == EV_INPUT;
}

/* ---- what is to be looked at ---- */

static uint64_t order_of(const struct canon_lane *lane, size_t at)
{
	return at < lane->order.count ? lane->order.at[at] : UINT64_MAX;
}

static void take(struct making *k, uint32_t thread, const struct canon_event *g, const struct canon_event *o, uint64_t order, size_t at, bool right)
{
	vec_push(&k->items, ((struct item){ order, thread, right, g, o, at }));
}

/* Both have the events; those that are not the same. */
static void take_wrong(struct making *k, uint32_t i, const struct thread_diff *t, const struct stretch *s)
{
	const struct canon_lane *a = t->golden, *b = t->other;
	size_t end = s->golden_count > s->other_count ? s->golden_count : s->other_count;       /* of the last one entries may have more in one run */
	for (size_t at = 0; at < end;) {
		at += diff_same(a, s->golden + at, b, s->other + at, end - at);
		if (at == end || s->golden + at == a->count || s->other + at == b->count)
			break;
		at -= diff_into(a, s->golden + at, b, s->other + at);
		if (at >= s->golden_count || at >= s->other_count)
			break;
		size_t g = s->golden + at, o = s->other + at;
		take(k, i, canon_at(a, g), canon_at(b, o), order_of(b, o), o, false);
		at += canon_span(a, g) > canon_span(b, o) ? canon_span(a, g) : canon_span(b, o);
	}
}

static bool is_same_event(const struct canon_lane *a, size_t g, const struct canon_lane *b, size_t o)
{
	uint32_t span = canon_span(a, g);
	return span == canon_span(b, o) && diff_same(a, g, b, o, span) == span;
}

/* Of those that are the same: writes to words that are wrong at some time. */
static void take_right(struct making *k, uint32_t i, const struct thread_diff *t, const struct stretch *s)
{
	const struct canon_lane *a = t->golden, *b = t->other;
	for (size_t at = 0; at < s->golden_count && at < s->other_count; at++) {
		size_t g = s->golden + at, o = s->other + at;
		const struct canon_event *e = canon_at(b, o);
		if (writes(e) && k->spoilt[e->thing] && order_of(b, o) > k->since && map_get(&k->words, word_key(e)) && is_same_event(a, g, b, o))
			take(k, i, canon_at(a, g), e, order_of(b, o), o, true);
	}
}

static void take_alone(struct making *k, uint32_t i, const struct canon_lane *lane, size_t from, size_t count, uint64_t order, bool golden)
{
	for (size_t at = from; at < from + count; at++) {
		const struct canon_event *e = canon_at(lane, at);
		if (e->kind < CANON_MORE && writes(e))
			take(k, i, golden ? e : NULL, golden ? NULL : e, golden ? order : order_of(lane, at), at, false);
	}
}

static void take_thread(struct making *k, uint32_t i, const struct thread_diff *t)
{
	for (size_t n = 0; n < t->stretches.count; n++) {
		const struct stretch *s = &t->stretches.at[n];
		if (s->aligned)
			(k->again ? take_right : take_wrong)(k, i, t, s);
		if (s->aligned || k->again)
			continue;
		if (t->other)
			take_alone(k, i, t->other, s->other, s->other_count, 0, false);
		if (t->golden && t->other && s->other + s->other_count < t->other->count)
			take_alone(k, i, t->golden, s->golden, s->golden_count, order_of(t->other, s->other + s->other_count), true);
	}
}

static int by_order(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	return x->at != y->at ? (x->at < y->at ? -1 : 1) : (int)x->thread - (int)y->thread;
}

static void note_word(struct making *k, const struct canon_event *e)
{
	map_put(&k->words, word_key(e), NULL);
	k->spoilt[e->thing] = true;
}

/* Words that will be wrong, so that only writes to these are looked at. */
static void note_words(struct making *k)
{
	k->since = UINT64_MAX;
	for (size_t i = 0; i < k->items.count; i++) {
		const struct item *it = &k->items.at[i];
		k->since = it->order < k->since ? it->order : k->since;
		if (it->other && writes(it->other))
			note_word(k, it->other);
		if (it->golden && writes(it->golden))
			note_word(k, it->golden);
	}
}

static void take_all(struct making *k, const struct diff *d)
{
	for (uint32_t i = 0; i < d->thread_count; i++)
		if (d->threads[i].first)
			take_thread(k, i, &d->threads[i]);
	note_words(k);
	k->again = true;
	for (uint32_t i = 0; i < d->thread_count && k->items.count; i++)
		take_thread(k, i, &d->threads[i]);
	if (k->items.count)
		qsort(k->items.at, k->items.count, sizeof *k->items.at, by_order);
}

/* ---- nodes and edges ---- */

static uint32_t node_of(struct making *k, const struct item *it, enum deviation kind)
{
	const struct canon_event *e = it->other ? it->other : it->golden;
	const struct diff *d = k->spread->diff;
	const struct named_place *p = &d->other->book->place.at[e->place];
	enum named_kind what = d->other->book->thing.at[e->thing].kind;
	bool by_name = !e->thing || what == NAMED_STACK || what == NAMED_TLS;
	bool fresh;
	uint64_t *at = map_put(&k->nodes, mix_word(mix_word(mix_word(2, it->thread), e->thing), by_name ? (uint64_t)(e->kind + 1u) << 32 | p->variable : 0), &fresh);
	if (fresh) {
		*at = k->spread->nodes.count;
		vec_push(&k->spread->nodes, ((struct spread_node){ .thread = it->thread, .thing = e->thing, .variable = p->variable, .place = e->place,
			.kind = kind, .event = e->kind, .first = it->at + 1 }));
	}
	k->spread->nodes.at[*at].times++;
	return (uint32_t)*at;
}

static void edge(struct making *k, uint32_t from, uint32_t to, enum carried by, bool crosses, uint64_t after)
{
	bool fresh;
	uint64_t *at = map_put(&k->edges, mix_word(mix_word(3, (uint64_t)from << 32 | to), by), &fresh);
	if (fresh) {
		*at = k->spread->edges.count;
		vec_push(&k->spread->edges, ((struct spread_edge){ from, to, by, crosses, after, 0 }));
	}
	k->spread->edges.at[*at].times++;
}

static struct wrong_word *word_of(struct making *k, const struct canon_event *e, bool make)
{
	uint64_t *at = make ? map_put(&k->words, word_key(e), NULL) : map_get(&k->words, word_key(e));
	if (!at || (!make && !*at))
		return NULL;
	if (!*at) {
		vec_add(&k->wrong);
		*at = k->wrong.count;
	}
	return &k->wrong.at[*at - 1];
}

static void spoil(struct making *k, const struct canon_event *e, const struct item *it, uint32_t node)
{
	*word_of(k, e, true) = (struct wrong_word){ node, it->thread, it->order, it->at, true };
}

static enum deviation kind_of(const struct item *it)
{
	if (!it->golden || !it->other)
		return DEV_CONTROL;
	if (decides_way(it->golden->kind))
		return DEV_CONTROL;
	return it->golden->thing != it->other->thing || it->golden->offset != it->other->offset ? DEV_ADDRESS : DEV_DATA;
}

static void wrong(struct making *k, const struct item *it)
{
	enum deviation kind = kind_of(it);
	uint32_t node = node_of(k, it, kind);
	struct carrier *c = &k->carriers[it->thread];
	const struct wrong_word *w = it->other && kind == DEV_DATA && reads(it->other) ? word_of(k, it->other, false) : NULL;
	bool by_memory = w && w->wrong;
	if (by_memory && w->node != node)
		edge(k, w->node, node, BY_MEMORY, w->thread != it->thread, w->thread == it->thread ? it->at - w->at : it->order - w->order);
	else if (!by_memory && c->there && c->node != node && !(it->other && kind == DEV_DATA && is_read(it->other)))
		edge(k, c->node, node, BY_THREAD, false, it->at > c->at ? it->at - c->at : 0);
	else if (!by_memory && k->spread->nodes.at[node].times == 1)
		k->spread->nodes.at[node].origin = true;
	*c = (struct carrier){ node, it->order, it->at, true };
	if (it->other && writes(it->other))
		spoil(k, it->other, it, node);
	if (it->golden && writes(it->golden) && (!it->other || kind == DEV_ADDRESS))
		spoil(k, it->golden, it, node);         /* what should be there is not */
}

static void right(struct making *k, const struct item *it)
{
	struct wrong_word *w = word_of(k, it->other, false);
	if (!w || !w->wrong)
		return;
	w->wrong = false;
	k->spread->nodes.at[w->node].converged++;
}

void spread_make(struct spread *s, const struct diff *d)
{
	struct making k = { .spread = s };
	*s = (struct spread){ .diff = d };
	k.carriers = mem_take((d->thread_count + 1u) * sizeof *k.carriers);
	k.spoilt = mem_take(d->other->book->thing.count * sizeof *k.spoilt);
	take_all(&k, d);
	for (size_t i = 0; i < k.items.count; i++) {
		if (k.items.at[i].right)
			right(&k, &k.items.at[i]);
		else
			wrong(&k, &k.items.at[i]);
	}
	vec_release(&k.items);
	map_release(&k.nodes);
	map_release(&k.edges);
	map_release(&k.words);
	vec_release(&k.wrong);
	mem_free(k.carriers);
	mem_free(k.spoilt);
}

void spread_release(struct spread *s)
{
	vec_release(&s->nodes);
	vec_release(&s->edges);
}

char *spread_name(const struct spread *s, uint32_t node, char *into, size_t room)
{
	const struct spread_node *n = &s->nodes.at[node];
	const struct names_book *b = s->diff->other->book;
	char thing[300] = "";
	const char *variable = book_say(b, n->variable);
	enum named_kind kind = b->thing.at[n->thing].kind;
	if (n->thing && kind != NAMED_STACK && kind != NAMED_TLS)
		book_name(b, n->thing, 0, 0, thing, sizeof thing);
	snprintf(into, room, "%s %s", s->diff->threads[n->thread].path, *thing ? thing : *variable ? variable : kind == NAMED_STACK ? "local" : n->event == EV_BRANCH ? "way" : event_word(n->event));
	return into;
}

static void dot_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', out);
		fputc(*text, out);
	}
}

void spread_dot(const struct spread *s, FILE *out)
{
	char name[400], where[256];
	fprintf(out, "digraph spread {\n  rankdir=LR;\n  node [shape=box];\n");
	for (uint32_t i = 0; i < s->nodes.count; i++) {
		fprintf(out, "  n%u [label=\"", i);
		dot_text(out, spread_name(s, i, name, sizeof name));
		fprintf(out, "\\n");
		dot_text(out, book_where(s->diff->other->book, s->nodes.at[i].place, where, sizeof where));
		fprintf(out, "\"%s%s];\n", s->nodes.at[i].origin ? ", style=bold" : "", s->nodes.at[i].converged ? ", color=gray" : "");
	}
	for (size_t i = 0; i < s->edges.count; i++) {
		const struct spread_edge *e = &s->edges.at[i];
		fprintf(out, "  n%u -> n%u [label=\"%s, %llu later\"%s];\n", e->from, e->to, e->by == BY_MEMORY ? "memory" : "thread",
			(unsigned long long)e->after, e->crosses ? ", color=red" : "");
	}
	fprintf(out, "}\n");
}
