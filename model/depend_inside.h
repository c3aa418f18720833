/* model/depend_inside.h -- the tables depend.c walks along, made by depend_tables.c. */
#ifndef RADDLE_MODEL_DEPEND_INSIDE_H
#define RADDLE_MODEL_DEPEND_INSIDE_H

#include "model/depend.h"
#include "model/flow.h"

struct written { uint32_t by, bytes; struct points_place at; };         /* bytes 0: anywhere in the object */

struct tables {
	const struct code *code;
	const struct pointers *pointers;
	struct graph into;                      /* function -> links that may enter it */
	struct graph from;                      /* call -> its links */
	struct graph returns;                   /* function -> its OP_RETURN values */
	VEC(struct written) written;            /* by object: written_at */
	uint32_t *written_at;
	uint8_t *stays;                         /* by function: a call of it may not return */
	struct flow *flows;                     /* by function, made when asked */
	uint8_t *has_flow;
};

void tables_make(struct tables *t, const struct pointers *p);
void tables_release(struct tables *t);
const struct flow *tables_flow(struct tables *t, uint32_t function);
bool effects_have(const struct effects *e, char letter);
struct tables *depend_tables(struct depend *d);         /* its own */

#endif
