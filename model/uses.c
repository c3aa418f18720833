/* model/uses.c -- turns the operands round. */
#include "model/uses.h"

void uses_make(struct graph *uses, const struct code *c)
{
	struct graph_edge *edges = mem_take((c->operands.count + 1) * sizeof *edges);
	uint32_t count = 0;
	for (uint32_t v = 0; v < c->values.count; v++)
		for (uint32_t i = 0; i < c->values.at[v].operand_count; i++) {
			uint32_t operand = code_operands(c, &c->values.at[v])[i];
			if (operand)
				edges[count++] = (struct graph_edge){ operand, v };
		}
	graph_make(uses, (uint32_t)c->values.count, edges, count);
	mem_free(edges);
}
