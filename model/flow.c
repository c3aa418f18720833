/* model/flow.c -- see flow.h.  Control dependence as Ferrante, Ottenstein and Warren have it, on the graph with the added edges:
 * for an edge a -> b where b does not postdominate a, everything from b up to a's immediate postdominator hangs on a. */
#include "model/flow.h"

struct edges { struct graph_edge *at; size_t count, room; };

static void add_edge(struct edges *e, uint32_t from, uint32_t to)
{
	vec_push(e, ((struct graph_edge){ from, to }));
}

/* Blocks from which an edge leads back to a block still open in a walk: each cycle has one. */
static void find_rounds(const struct graph *g, bool *rounds)
{
	enum { NEW, OPEN, CLOSED };
	uint8_t *state = mem_take(g->count);
	VEC(struct graph_edge) stack = { 0 };
	for (uint32_t root = 0; root < g->count; root++) {
		if (state[root] == NEW)
			vec_push(&stack, ((struct graph_edge){ root, g->at[root] }));
		while (stack.count) {
			struct graph_edge *top = &stack.at[stack.count - 1];
			uint32_t n = top->from;
			state[n] = OPEN;
			if (top->to == g->at[n + 1]) {
				state[n] = CLOSED;
				stack.count--;
				continue;
			}
			uint32_t next = g->next[top->to++];
			if (state[next] == OPEN)
				rounds[n] = true;
			else if (state[next] == NEW)
				vec_push(&stack, ((struct graph_edge){ next, g->at[next] }));
		}
	}
	vec_release(&stack);
	mem_free(state);
}

static void find_control(struct flow *f)
{
	struct edges found = { 0 };
	uint32_t *last = mem_take((f->exit + 1ul) * sizeof *last);      /* + 1: no pair twice */
	for (uint32_t a = 0; a < f->exit; a++)
		for (uint32_t i = f->next.at[a]; i < f->next.at[a + 1]; i++)
			for (uint32_t b = f->next.next[i]; b != f->postdominator[a] && b != f->exit; b = f->postdominator[b])
				if (last[b] != a + 1) {
					last[b] = a + 1;
					add_edge(&found, b, a);
				}
	graph_make(&f->control, f->exit + 1, found.at, (uint32_t)found.count);
	vec_release(&found);
	mem_free(last);
}

void flow_make(struct flow *f, const struct code *c, uint32_t function, bool (*may_stay)(void *with, uint32_t block), void *with)
{
	const struct function *fn = &c->functions.at[function];
	struct edges edges = { 0 };
	struct graph plain;
	f->exit = fn->block_count;
	for (uint32_t n = 0; n < f->exit; n++) {
		const struct block *b = &c->blocks.at[fn->block_at + n];
		for (uint32_t i = 0; i < b->next_count; i++)
			add_edge(&edges, n, c->next.at[b->next_at + i] - fn->block_at);
	}
	graph_make(&plain, f->exit + 1, edges.at, (uint32_t)edges.count);
	bool *rounds = mem_take(f->exit + 1ul);
	find_rounds(&plain, rounds);
	for (uint32_t n = 0; n < f->exit; n++)
		if (rounds[n] || plain.at[n] == plain.at[n + 1] || (may_stay && may_stay(with, fn->block_at + n)))
			add_edge(&edges, n, f->exit);
	graph_make(&f->next, f->exit + 1, edges.at, (uint32_t)edges.count);
	graph_reverse(&f->back, &f->next);
	f->dominator = mem_take((f->exit + 1ul) * sizeof *f->dominator);
	f->postdominator = mem_take((f->exit + 1ul) * sizeof *f->postdominator);
	graph_dominators(&f->next, 0, f->dominator);
	graph_dominators(&f->back, f->exit, f->postdominator);
	find_control(f);
	graph_release(&plain);
	vec_release(&edges);
	mem_free(rounds);
}

void flow_release(struct flow *f)
{
	graph_release(&f->next);
	graph_release(&f->back);
	graph_release(&f->control);
	mem_free(f->dominator);
	mem_free(f->postdominator);
	*f = (struct flow){ 0 };
}
