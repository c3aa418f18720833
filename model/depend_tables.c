/* model/depend_tables.c -- who enters a function, who writes an object, which calls may not return. */
#include "model/depend_inside.h"

#include <stdlib.h>
#include <string.h>

bool effects_have(const struct effects *e, char letter)
{
	for (uint32_t i = 0; i < e->count; i++)
		if (e->at[i].letter == letter)
			return true;
	return false;
}

/* ---- calls ---- */

static void make_calls(struct tables *t)
{
	const struct code *c = t->code;
	size_t links = t->pointers->links.count, count = c->values.count > links ? c->values.count : links;
	struct graph_edge *edges = mem_take((count + 1) * sizeof *edges);
	for (uint32_t i = 0; i < links; i++)
		edges[i] = (struct graph_edge){ t->pointers->links.at[i].function, i };
	graph_make(&t->into, (uint32_t)count, edges, (uint32_t)links);
	for (uint32_t i = 0; i < links; i++)
		edges[i] = (struct graph_edge){ t->pointers->links.at[i].call, i };
	graph_make(&t->from, (uint32_t)count, edges, (uint32_t)links);
	uint32_t used = 0;
	for (uint32_t v = 0; v < c->values.count; v++)
		if (c->values.at[v].op == OP_RETURN)
			edges[used++] = (struct graph_edge){ c->values.at[v].function, v };
	graph_make(&t->returns, (uint32_t)c->values.count, edges, used);
	mem_free(edges);
}

static bool call_stays(const struct tables *t, uint32_t call)
{
	const struct pointers *p = t->pointers;
	const struct effects *e = pointers_library(p, &t->code->values.at[call]);
	if (p->call_flags[call] & CALL_UNKNOWN || (e && effects_have(e, '!')))
		return true;
	for (uint32_t i = t->from.at[call]; i < t->from.at[call + 1]; i++)
		if (p->links.at[t->from.next[i]].how != LINK_THREAD && t->stays[p->links.at[t->from.next[i]].function])
			return true;
	return false;
}

static bool block_stays(void *with, uint32_t block)
{
	const struct tables *t = with;
	const struct block *b = &t->code->blocks.at[block];
	uint32_t last = b->first + b->count - 1;
	return t->code->values.at[last].op == OP_CALL && call_stays(t, last);
}

/* Has this function a loop, or a way out that is no return? */
static bool may_stay_by_itself(const struct code *c, const struct function *f)
{
	struct flow flow;
	bool found = false;
	for (uint32_t v = f->first; v < f->first + f->count; v++)
		found |= c->values.at[v].op == OP_END && c->values.at[v].flags & VALUE_LEAVES;
	if (found)
		return true;
	flow_make(&flow, c, c->blocks.at[f->block_at].function, NULL, NULL);
	for (uint32_t n = 0; n < flow.exit && !found; n++)
		for (uint32_t i = flow.next.at[n]; i < flow.next.at[n + 1]; i++)
			found |= flow.next.next[i] == flow.exit && c->blocks.at[f->block_at + n].next_count > 0;
	flow_release(&flow);
	return found;
}

static void find_staying(struct tables *t)
{
	const struct code *c = t->code;
	for (uint32_t i = 0; i < c->functions.count; i++)
		if (c->functions.at[i].flags & FUNCTION_DEFINED)
			t->stays[i] = may_stay_by_itself(c, &c->functions.at[i]);
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t v = 0; v < c->values.count; v++) {
			const struct value *call = &c->values.at[v];
			if (call->op == OP_CALL && call->function != NONE && !t->stays[call->function] && call_stays(t, v))
				t->stays[call->function] = changed = true;
		}
	}
}

const struct flow *tables_flow(struct tables *t, uint32_t function)
{
	if (!t->has_flow[function]) {
		t->has_flow[function] = 1;
		flow_make(&t->flows[function], t->code, function, block_stays, t);
	}
	return &t->flows[function];
}

/* ---- writes ---- */

static void note_write(struct tables *t, uint32_t by, uint32_t pointer, uint32_t bytes)
{
	const struct points *p = t->pointers->points;
	for (uint32_t i = 0; pointer && i < points_count(p, pointer); i++)
		vec_push(&t->written, ((struct written){ by, bytes, points_at(p, pointer, i) }));
}

static void note_new(struct tables *t, uint32_t by)
{
	uint32_t object = pointers_object(t->pointers, by);
	if (object)
		vec_push(&t->written, ((struct written){ by, 0, { object, POINTS_ANYWHERE } }));
}

static void note_library(struct tables *t, uint32_t call, const struct effects *e)
{
	const struct value *v = &t->code->values.at[call];
	uint32_t f = pointers_direct(t->code, code_operands(t->code, v)[0]);
	const char *name = f == NONE ? "" : code_text(t->code, t->code->functions.at[f].name);
	for (uint32_t i = 0; i < e->count; i++) {
		const struct effect *one = &e->at[i];
		if (one->letter == 'n' || one->letter == 'H')
			note_new(t, call);
		if (!strchr("WCIHUV", one->letter))
			continue;
		for (uint32_t k = 1; k < v->operand_count; k++)
			if (one->args[0] < 0 || (uint32_t)one->args[0] + 1 == k)
				note_write(t, call, code_operands(t->code, v)[k], v->bytes ? v->bytes : library_bytes(name, k - 1));
	}
}

static int by_object(const void *a, const void *b)
{
	const struct written *x = a, *y = b;
	return x->at.object != y->at.object ? (x->at.object < y->at.object ? -1 : 1) : x->by < y->by ? -1 : x->by > y->by;
}

static void find_writes(struct tables *t)
{
	const struct code *c = t->code;
	for (uint32_t v = 0; v < c->values.count; v++) {
		const struct value *w = &c->values.at[v];
		if (w->op == OP_STORE || w->op == OP_RMW || w->op == OP_CAS)
			note_write(t, v, code_operands(c, w)[0], w->bytes);
		const struct effects *e = w->op == OP_CALL ? pointers_library(t->pointers, w) : NULL;
		if (e)
			note_library(t, v, e);
	}
	if (t->written.count)
		qsort(t->written.at, t->written.count, sizeof *t->written.at, by_object);
	uint32_t objects = points_objects(t->pointers->points), at = 0;
	t->written_at = mem_take((objects + 2ul) * sizeof *t->written_at);
	for (uint32_t o = 0; o <= objects; o++) {
		while (at < t->written.count && t->written.at[at].at.object < o)
			at++;
		t->written_at[o] = at;
	}
}

void tables_make(struct tables *t, const struct pointers *p)
{
	memset(t, 0, sizeof *t);
	t->code = p->code;
	t->pointers = p;
	t->stays = mem_take(p->code->functions.count + 1);
	t->flows = mem_take((p->code->functions.count + 1) * sizeof *t->flows);
	t->has_flow = mem_take(p->code->functions.count + 1);
	make_calls(t);
	find_staying(t);
	find_writes(t);
}

void tables_release(struct tables *t)
{
	for (size_t i = 0; i < t->code->functions.count; i++)
		if (t->has_flow[i])
			flow_release(&t->flows[i]);
	graph_release(&t->into);
	graph_release(&t->from);
	graph_release(&t->returns);
	vec_release(&t->written);
	mem_free(t->written_at);
	mem_free(t->stays);
	mem_free(t->flows);
	mem_free(t->has_flow);
}
