/* analyses/predict/values.c -- see values.h. */
#include "analyses/predict/values.h"

#include <string.h>

#include "analyses/predict/script.h"
#include "model/guards.h"

#define READS_MOST (32u << 20)          /* that are kept: with more no read is known to be the last one of its place */
#define ASK_BUDGET 20000u               /* steps of one question */
#define NUMBERS_AT   (1ull << 47)       /* where no program has memory: what is known of numbers of descriptors */
#define NUMBERS_MASK 0xffffffull
#define ASK_EVERY  65536u               /* events, whether to go on */

/* ---- the trace with its accesses ---- */

static uint32_t site_of(struct values *v, const struct place *place)
{
	uint64_t *slot = map_put(&v->by_place, (uint64_t)(uintptr_t)place, NULL);
	if (!*slot) {
		uint32_t site = place->ordinal == UINT32_MAX || !*place->linkage ? NONE : model_site(v->model, place->unit, place->linkage, place->ordinal);
		*slot = site + 1ull;
	}
	return (uint32_t)(*slot - 1);
}

static bool touches_marked(const struct recording *r, const struct event *ev)
{
	struct touched range[2];
	uint32_t count = event_is_access(ev) || ev->kind == EV_INPUT || ev->kind == EV_OUTPUT ? event_touches(ev, NULL, range) : 0;
	for (uint32_t i = 0; i < count; i++)
		for (uint64_t at = range[i].start & ~7ull, k = 0; at < range[i].start + range[i].bytes && k < SCREEN_RANGE; at += 8, k += 8)
			if (screen_marks(&r->screen, at))
				return true;
	return false;
}

static void note_written(struct values *v, uint64_t value, uint64_t address)
{
	bool fresh;
	uint64_t *at = map_put(&v->first_at, value, &fresh);
	*at = fresh ? address : *at;
}

/* The pointers a copy brought, as far as its bytes were recorded: behind the 8 that say where they came from. */
static void note_copied(struct values *v, const struct event *ev, uint32_t node)
{
	uint64_t word;
	if (node != NO_NODE && ev->byte_count > 8) {
		vec_push(&v->copies, ((struct copied){ ev->object, v->brought.count, ev->byte_count - 8 }));
		for (uint32_t i = 8; i < ev->byte_count; i++)
			vec_push(&v->brought, ev->bytes[i]);
		*map_put(&v->copy_of, node, NULL) = v->copies.count;
	}
	for (uint64_t k = -ev->object & 7; k + 16 <= ev->byte_count; k += 8) {
		memcpy(&word, ev->bytes + 8 + k, sizeof word);
		note_written(v, word, ev->object + k);
	}
}

/* Pointers that are read, that are written, and where they lead. */
static void note_pointers(struct values *v, const struct event *ev, uint32_t node)
{
	bool reads = ev->kind == EV_READ || ev->kind == EV_ALOAD || ev->kind == EV_RMW || ev->kind == EV_CAS;
	bool writes = ev->kind == EV_WRITE || ev->kind == EV_ASTORE || ev->kind == EV_RMW || (ev->kind == EV_CAS && !ev->failed);
	bool plain = ev->kind == EV_WRITE || ev->kind == EV_ASTORE;
	if (ev->kind == EV_ALLOC || ev->kind == EV_REALLOC)
		vec_push(&v->blocks, ((struct heap_block){ ev->object, ev->arg, ev->place }));
	if (ev->kind == EV_COPY && ev->bytes)
		note_copied(v, ev, node);
	if (reads && ev->has_value && ev->size <= 8 && v->kept_reads++ < READS_MOST)
		vec_push(&v->reads[ev->thread.i].all, ((struct read_event){ ev->index, ev->object, ev->arg, node, site_of(v, ev->place), ev->size }));
	else if (reads)
		map_put(&v->unkept, site_of(v, ev->place), NULL);
	if (!ev->has_value || ev->size < 8)
		return;
	if (writes)
		note_written(v, plain ? ev->arg : ev->written, ev->object);
	if (writes && ev->size == 16)
		note_written(v, plain ? ev->arg_high : ev->written_high, ev->object + 8);
}

/* ---- orders of less ---- */

static void view_begin(struct view *w, const struct values *v)
{
	w->order = order_new(v->trace);
	order_watch(w->order, v->goes_on, v->with);
}

/* Nothing is learnt from an atomic access but the value.  node: in the whole. */
static void view_access(struct view *w, const struct event *ev, uint32_t node)
{
	struct event as = *ev;
	as.order = as.order2 = __ATOMIC_RELAXED;
	uint32_t own = order_note_access(w->order, &as);
	while (w->node_of.count <= own)
		vec_push(&w->node_of, NO_NODE);
	w->node_of.at[own] = node;
}

static void view_release(struct view *w)
{
	order_free(w->order);
	vec_release(&w->node_of);
	*w = (struct view){ 0 };
}

static void note_bare(struct values *v, const struct event *ev, uint32_t node)
{
	if (node != NO_NODE)
		view_access(&v->bare, ev, node);
	else if (ev->kind == EV_BEGIN || ev->kind == EV_END || ev->kind == EV_FORK)
		order_note(v->bare.order, ev);
}

/* ---- the whole ---- */

/* The number of a descriptor is free: written where it is closed, read where it is given out again. */
static uint32_t note_number(struct values *v, const struct event *ev)
{
	bool shuts = ev->kind == EV_SHUT;
	uint64_t *times = shuts ? map_put(&v->shut, ev->arg, NULL) : map_get(&v->shut, ev->arg);
	if (!times) {
		order_note(v->order, ev);
		return NO_NODE;
	}
	*times += shuts;
	struct event as = *ev;
	as.kind = shuts ? EV_WRITE : EV_READ;
	as.object = NUMBERS_AT + 8 * (ev->arg & NUMBERS_MASK);
	as.size = 8;
	as.has_value = true;
	as.arg = *times;
	uint32_t node = order_note_access(v->order, &as);
	if (!shuts)
		map_put(&v->opened, node, NULL);
	return node;
}

void values_release(struct values *v)
{
	map_release(&v->shut);
	map_release(&v->opened);
	written_release(&v->written);
	order_free(v->order);
	view_release(&v->bare);
	view_release(&v->sure);
	for (uint32_t i = 0; i < v->threads; i++)
		vec_release(&v->reads[i].all);
	mem_free(v->reads);
	vec_release(&v->blocks);
	vec_release(&v->site);
	map_release(&v->by_place);
	map_release(&v->first_at);
	steady_release(&v->steady);
	map_release(&v->copy_of);
	vec_release(&v->copies);
	vec_release(&v->brought);
	map_release(&v->begins_zero);
	map_release(&v->unkept);
	v->kept_reads = 0;
	v->order = NULL;
	v->reads = NULL;
	v->threads = 0;
}

/* 0, or 1: it is not to go on, or -1 and why. */
static int read_accesses(struct values *v, const struct recording *r, struct err *why)
{
	struct merged *m;
	const struct event *ev;
	uint64_t read = 0;
	int got;
	if (v->order)
		return 0;
	if (merged_open(&m, r->trace, why) < 0)
		return -1;
	v->order = order_new(r->trace);
	v->trace = r->trace;
	order_watch(v->order, v->goes_on, v->with);
	view_begin(&v->bare, v);
	v->threads = trace_thread_count(r->trace);
	v->reads = mem_take((v->threads + 1) * sizeof *v->reads);
	steady_begin(&v->steady, v->model);
	written_begin(&v->written, v->model, v->threads);
	while ((got = merged_next_in_place(m, &ev, why)) > 0) {
		uint32_t node = NO_NODE;
		if (read++ % ASK_EVERY == 0 && v->goes_on && !v->goes_on(v->with))
			break;
		if (ev->kind == EV_SHUT || ev->kind == EV_OPENED)
			node = note_number(v, ev);
		else if (touches_marked(r, ev))
			node = order_note_access(v->order, ev);
		else
			order_note(v->order, ev);
		if (ev->kind != EV_SHUT && ev->kind != EV_OPENED)
			note_bare(v, ev, node);
		while (node != NO_NODE && v->site.count <= node)
			vec_push(&v->site, NONE);
		if (node != NO_NODE)
			v->site.at[node] = site_of(v, ev->place);
		written_note(&v->written, r->trace, ev, node == NO_NODE ? NONE : site_of(v, ev->place), node != NO_NODE);
		note_pointers(v, ev, node);
		steady_note(&v->steady, ev, node == NO_NODE && event_is_access(ev) ? NONE : site_of(v, ev->place), node != NO_NODE);
	}
	merged_close(m);
	if (got == 0) {
		order_seal(v->order);
		order_seal(v->bare.order);
	} else
		values_release(v);
	return got;
}

int values_open(struct values *v, const struct recording *r, struct err *why)
{
	return v->model ? read_accesses(v, r, why) : 0;
}

/* The trace once more: what is steady was not known before.  The same. */
static int read_sure(struct values *v, const struct recording *r, struct err *why)
{
	struct merged *m;
	const struct event *ev;
	uint64_t read = 0;
	uint32_t bare = 0;
	int got;
	if (v->sure.order)
		return 0;
	if (merged_open(&m, r->trace, why) < 0)
		return -1;
	view_begin(&v->sure, v);
	while ((got = merged_next_in_place(m, &ev, why)) > 0) {
		if (read++ % ASK_EVERY == 0 && v->goes_on && !v->goes_on(v->with))
			break;
		if (touches_marked(r, ev)) {
			while (v->bare.node_of.at[bare] == NO_NODE)
				bare++;
			view_access(&v->sure, ev, v->bare.node_of.at[bare++]);
		} else if (steady_sync(&v->steady, ev, site_of(v, ev->place)))
			order_note(v->sure.order, ev);
	}
	merged_close(m);
	if (got == 0)
		order_seal(v->sure.order);
	else
		view_release(&v->sure);
	return got;
}

/* ---- which reads are held ---- */

#define CALLS_A_LINE 16u                /* with more it is not known which of them an event is of */

struct held {
	struct values *v;
	uint32_t node[AIM_MOMENTS], count;                      /* must */
	struct { const struct read_event *read; struct guard guard; } guard[AIM_MOMENTS * GUARDS_MOST];
	uint32_t guards;
	struct answer on[AIM_MOMENTS * CALLS_A_LINE];           /* may */
	uint32_t answers;
	bool all;                                               /* any read may */
	bool strict;                                            /* a guard may only see what is known to answer as it did, */
	bool any;                                               /* or any read what anybody wrote */
	bool numbers;                                           /* and of descriptors */
	const struct view *view;                                /* whose nodes are told; NULL: of the whole */
};

/* The block this address is in; NULL: in none, or there were several in the course of time. */
static const struct heap_block *block_of(const struct values *v, uint64_t address)
{
	const struct heap_block *found = NULL;
	for (size_t i = 0; i < v->blocks.count; i++)
		if (address - v->blocks.at[i].start < v->blocks.at[i].bytes) {
			if (found)
				return NULL;
			found = &v->blocks.at[i];
		}
	return found;
}

/* What model/ says of the instructions whose doing the event may be.  How many answers; 0: it is not known. */
static uint32_t answers_for(struct values *v, const struct moment *m, unsigned parts, struct answer on[CALLS_A_LINE])
{
	uint32_t site = site_of(v, m->place), count = 0, one;
	if (site != NONE && model_code(v->model)->values.at[site].op == OP_CALL && !model_calls_library(v->model, site))
		return 0;                       /* it happened somewhere inside */
	while ((one = site == NONE ? model_call_at(v->model, m->place->file, m->place->line, count) : count ? NONE : site) != NONE) {
		if (count == CALLS_A_LINE)
			return 0;
		on[count] = depend_on(v->depend, one, parts);
		if (on[count++].everything)
			return 0;
	}
	return count;
}

static bool is_among(const struct answer *on, uint32_t count, uint32_t site)
{
	for (uint32_t i = 0; i < count && site != NONE; i++)
		if (answer_has(&on[i], site))
			return true;
	return false;
}

/* Are the writes of the recording to where it read all there can be?  call: it was come to through, NONE whichever. */
static bool is_all(struct values *v, const struct read_event *read, uint32_t call, uint32_t made)
{
	const struct written_read where = { read->site, call, read->address, read->size };
	return written_is_all(&v->written, &v->steady, v->depend, &where, made);
}

/* The read that handed this event its pointer: the last before it that can have and that returned one into the block. */
static void hold_for(struct values *v, struct held *h, const struct moment *m)
{
	struct answer on[CALLS_A_LINE];
	const struct heap_block *block = block_of(v, m->address);
	uint32_t made = block ? model_call_at(v->model, block->place->file, block->place->line, 0) : NONE;
	if (made != NONE && model_call_at(v->model, block->place->file, block->place->line, 1) != NONE)
		made = NONE;                    /* which of them it was is not known */
	uint32_t count = block && m->spot.thread < v->threads ? answers_for(v, m, PART_ADDRESS | PART_COPIED, on) : 0;
	for (size_t i = count ? v->reads[m->spot.thread].all.count : 0; i-- > 0;) {
		const struct read_event *read = &v->reads[m->spot.thread].all.at[i];
		if (read->node == NO_NODE || read->size != 8 || read->index >= m->index || read->value - block->start >= block->bytes || !is_among(on, count, read->site))
			continue;
		const uint64_t *at = map_get(&v->first_at, read->value);
		if (at && *at == read->address && is_all(v, read, NONE, made))
			h->node[h->count++] = read->node;
		return;
	}
}

/* The last read of a place that a thread did before this event of it, of whatever memory; NULL there was none. */
static const struct read_event *last_read(const struct values *v, uint32_t thread, uint64_t before, uint32_t site)
{
	for (size_t i = v->reads[thread].all.count; i-- > 0;) {
		const struct read_event *read = &v->reads[thread].all.at[i];
		if (read->index < before && read->site == site)
			return read;
	}
	return NULL;
}

/* Does it read where it read, if the event is this one? */
static bool reads_there(struct values *v, const struct guard *g)
{
	bool tied = g->tied;
	for (uint32_t i = 0; i < g->tie_count; i++)
		tied &= steady_read(&v->steady, g->loads[i]);
	return tied || steady_place(&v->steady, g->read);
}

/* The reads without whose answers the event would not be reached. */
static void guard_for(struct values *v, struct held *h, const struct moment *m)
{
	struct guards guards;
	uint32_t site = site_of(v, m->place), heap[CALLS_A_LINE], heaps = 0, one;
	const struct heap_block *block = block_of(v, m->address);
	if (m->spot.thread >= v->threads || v->kept_reads > READS_MOST)
		return;
	if (site == NONE) {
		site = model_call_at(v->model, m->place->file, m->place->line, 0);
		if (site == NONE || model_call_at(v->model, m->place->file, m->place->line, 1) != NONE)
			return;
	}
	while (block && heaps < CALLS_A_LINE && (one = model_call_at(v->model, block->place->file, block->place->line, heaps)) != NONE)
		heap[heaps++] = one;
	guards_find(&guards, v->depend, site, heap, heaps == CALLS_A_LINE ? 0 : heaps);
	for (uint32_t i = 0; i < guards.count; i++) {
		const struct read_event *read = last_read(v, m->spot.thread, m->index, guards.at[i].read);
		if (!read || read->node == NO_NODE || !reads_there(v, &guards.at[i]) || !is_all(v, read, guards.at[i].call, NONE) || !guard_fits(v->depend, &guards.at[i], read->value))
			continue;
		h->guard[h->guards].read = read;
		h->guard[h->guards++].guard = guards.at[i];
	}
}

/* Is what a read reads part of a variable that is zero when the program begins? */
static bool begins_zero(struct values *v, const struct read_event *read)
{
	bool fresh;
	uint64_t *known = map_put(&v->begins_zero, read->address, &fresh), start, bytes;
	if (fresh) {
		const char *name = trace_symbol_range(v->trace, read->address, &start, &bytes);
		bool inside = name && read->address >= start && read->address + read->size <= start + bytes;
		*known = inside && model_begins_zero(v->model, name) ? 1 : 2;
	}
	return *known == 1;
}

/* What a write left where a read reads; false: not known. */
static bool left_there(struct values *v, const struct read_event *read, uint32_t write, const uint8_t *value, uint64_t *out)
{
	const uint64_t *copy = value || write == NO_NODE ? NULL : map_get(&v->copy_of, write);
	const struct copied *c = copy ? &v->copies.at[*copy - 1] : NULL;
	if (c && c->address <= read->address && read->address + read->size <= c->address + c->bytes)
		value = v->brought.at + c->at + (read->address - c->address);
	*out = 0;
	if (!value && write == NO_NODE)
		return begins_zero(v, read);
	if (value)
		memcpy(out, value, read->size);
	return value != NULL;
}

/* The node of the whole; NO_NODE: nobody's access. */
static uint32_t whole_node(const struct held *h, uint32_t node)
{
	if (!h->view || node == NO_NODE)
		return node;
	return node < h->view->node_of.count ? h->view->node_of.at[node] : NO_NODE;
}

static enum order_fit fits(void *context, uint32_t node, uint32_t write, const uint8_t *value)
{
	struct held *h = context;
	struct values *v = h->v;
	uint64_t left;
	bool guards = false;
	node = whole_node(h, node);
	write = whole_node(h, write);
	if (h->any)
		return write == NO_NODE ? FIT_SAME : FIT_YES;
	for (uint32_t i = 0; i < h->count; i++)
		if (h->node[i] == node)
			return FIT_SAME;
	for (uint32_t i = 0; i < h->guards; i++) {
		const struct read_event *read = h->guard[i].read;
		if (read->node != node)
			continue;
		guards = true;
		bool known = left_there(v, read, write, value, &left), answers = known && guard_fits(v->depend, &h->guard[i].guard, left);
		if (h->strict && !answers)
			return FIT_NO;
		if (!known || answers)
			continue;
		struct order_node by = write == NO_NODE ? (struct order_node){ 0 } : order_node(v->order, write);
		if (write == NO_NODE || steady_is(&v->steady, by.thread, by.index, write < v->site.count ? v->site.at[write] : NONE))
			return FIT_NO;
	}
	return guards ? FIT_YES : FIT_SAME;
}

static bool keeps(void *context, uint32_t node)
{
	const struct held *h = context;
	node = whole_node(h, node);
	if (map_get(&h->v->opened, node))
		return h->numbers;
	if (h->all)
		return true;
	for (uint32_t i = 0; i < h->guards; i++)
		if (h->guard[i].read->node == node)
			return true;
	for (uint32_t i = 0; i < h->count; i++)
		if (h->node[i] == node)
			return true;
	return node < h->v->site.count && is_among(h->on, h->answers, h->v->site.at[node]);
}

/* Where the model cannot see what an event depends on, that may be all its thread has read, and so all that those have read who wrote it. */
static void may_for(struct values *v, struct held *h, const struct moment *m)
{
	uint32_t count = answers_for(v, m, PART_REACH | PART_ADDRESS, h->on + h->answers);
	h->all |= !count;
	h->answers += count;
}

/* The aim where its events stand in another order of the same trace. */
static struct aim aim_in(const struct order *o, const struct aim *aim)
{
	struct aim here = *aim;
	for (uint32_t i = 0; i < AIM_MOMENTS; i++)
		if (i < aim->count || aim->at[i].place)
			here.at[i].spot = order_spot(o, aim->at[i].spot.thread, aim->at[i].index);
	return here;
}

static enum order_answer ask_in(struct held *h, const struct view *view, const struct aim *aim, FILE *explain)
{
	struct order *o = view ? view->order : h->v->order;
	struct order_read reads = { .keeps = keeps, .fits = fits, .context = h, .bold = true };
	struct aim here = aim_in(o, aim);
	uint64_t before = order_spent(o);
	h->view = view;
	enum order_answer answer = script_ask(o, &here, &reads, ASK_BUDGET, NULL, explain);
	h->v->spent += order_spent(o) - before;
	return answer;
}

/* Does every run come to this event as this one did, if its guards, from the `first` on, answer alike?  Then there is one question each: a thread that asks again may get its
 * answer in another round. */
static bool is_in_place(struct values *v, const struct held *h, uint32_t first, const struct moment *m)
{
	uint32_t asked[GUARDS_MOST], count = 0, site = site_of(v, m->place);
	if (steady_event(&v->steady, m->place, site, PART_REACH))
		return true;
	for (uint32_t i = first; i < h->guards && count < GUARDS_MOST; i++) {
		uint32_t times = 0, read = h->guard[i].read->site;
		for (size_t k = 0; k < v->reads[m->spot.thread].all.count; k++)
			times += v->reads[m->spot.thread].all.at[k].site == read;
		if (times == 1)
			asked[count++] = read;
	}
	return site != NONE && count && steady_but_for(&v->steady, site, asked, count);
}

/* A no is one for every run. */
static int ask_must(struct held *h, const struct recording *r, const struct aim *aim, enum order_answer *answer, FILE *explain, struct err *why)
{
	struct values *v = h->v;
	bool in_place = true;
	int got = 0;
	*answer = ORDER_YES;
	for (uint32_t i = 0; i < aim->count; i++) {
		const struct moment *m = &aim->at[i];
		uint32_t held = h->count, guards = h->guards;
		hold_for(v, h, m);
		guard_for(v, h, m);
		if (h->count == held && h->guards == guards && !steady_event(&v->steady, m->place, site_of(v, m->place), PART_REACH | PART_ADDRESS))
			return 0;
		in_place = in_place && is_in_place(v, h, guards, m);
	}
	if (h->count + h->guards)
		*answer = ask_in(h, &v->bare, aim, explain);
	if (*answer != ORDER_NO && in_place && (got = read_sure(v, r, why)) == 0)
		*answer = ask_in(h, &v->sure, aim, explain);
	return got < 0 ? -1 : 0;
}

/* All that the two may depend on is held.  If that is every read, one table says most of it. */
static bool is_apart(struct held *h, const struct aim *aim, FILE *explain)
{
	for (uint32_t i = 0; i < aim->count; i++)
		may_for(h->v, h, &aim->at[i]);
	struct aim here = aim_in(h->v->order, aim);
	uint64_t before = order_spent(h->v->order);
	bool apart = h->all && script_kept_apart(h->v->order, &here, explain);
	h->v->spent += order_spent(h->v->order) - before;
	return apart;
}

int values_apart(struct values *v, const struct recording *r, const struct aim *aim, FILE *explain, struct err *why)
{
	struct held held = { .v = v, .numbers = true };
	if (!v->model || r->cut || aim->kind == AIM_LATE)
		return 0;
	int got = read_accesses(v, r, why);
	return got < 0 ? -1 : got == 0 && is_apart(&held, aim, explain);
}

int values_ask(struct values *v, const struct recording *r, const struct aim *aim, enum values_hold hold, enum order_answer *answer, FILE *explain,
	struct err *why)
{
	struct held held = { .v = v, .numbers = hold == VALUES_MAY };
	*answer = ORDER_UNKNOWN;
	if (!v->model || r->cut || aim->kind == AIM_LATE)
		return 0;
	int got = read_accesses(v, r, why);
	if (got != 0)
		return got < 0 ? -1 : 0;
	if (hold == VALUES_MUST)
		return ask_must(&held, r, aim, answer, explain, why);
	*answer = is_apart(&held, aim, explain) ? ORDER_NO : ask_in(&held, NULL, aim, explain);
	return 0;
}

int values_script(struct values *v, const struct recording *r, const struct aim *aim, enum values_hold hold, uint32_t way, struct schedule *out, struct err *why)
{
	struct held held = { .v = v, .strict = true, .any = hold == VALUES_ANY, .numbers = hold == VALUES_MAY };
	int got = v->model && !r->cut ? read_accesses(v, r, why) : 1;
	if (got != 0)
		return got < 0 ? -1 : 0;
	for (uint32_t i = 0; i < aim->count; i++)
		if (hold == VALUES_MUST) {
			hold_for(v, &held, &aim->at[i]);
			guard_for(v, &held, &aim->at[i]);
		} else
			may_for(v, &held, &aim->at[i]);
	if ((hold == VALUES_MUST && !held.guards) || (hold == VALUES_ANY && (held.all || !held.answers)))
		return 0;
	struct order_read reads = { .keeps = keeps, .fits = fits, .context = &held, .bold = true };
	struct aim here = aim_in(v->order, aim);
	uint64_t before = order_spent(v->order);
	enum order_answer answer = script_make_keeping(out, r, v->order, &here, &reads, ASK_BUDGET, way);
	v->spent += order_spent(v->order) - before;
	return answer == ORDER_YES;
}

/* ---- what is made from what ---- */

/* A load or an atomic operation: what it read is an event of its own, and was kept. */
static bool is_told(const struct values *v, uint32_t site)
{
	enum op op = model_code(v->model)->values.at[site].op;
	return (op == OP_LOAD || op == OP_RMW || op == OP_CAS) && !map_get(&v->unkept, site);
}

int values_depend(struct values *v, const struct recording *r, const struct aim *aim, struct err *why)
{
	const struct moment *first = &aim->at[0], *last = &aim->at[aim->count - 1];
	struct answer on[CALLS_A_LINE];
	if (!v->model || r->cut)
		return 1;
	int got = read_accesses(v, r, why);
	if (got != 0)
		return got < 0 ? -1 : 1;
	uint32_t site = site_of(v, first->place), thread = last->spot.thread;
	uint32_t count = site != NONE && is_told(v, site) && thread < v->threads && v->kept_reads <= READS_MOST ? answers_for(v, last, PART_ALL, on) : 0;
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < on[i].count; k++)
			if (!is_told(v, on[i].reads[k]))
				return 1;
	for (size_t i = 0; i < v->reads[thread].all.count && count; i++) {
		const struct read_event *read = &v->reads[thread].all.at[i];
		if (read->index >= first->index && read->index < last->index && is_among(on, count, read->site))
			return 1;
	}
	return !count;
}
