/* model/pointers.h -- the points-to analysis of a program: constraints from its code, calls through pointers resolved on the way.
 *
 * Objects: each variable, each function, each alloca, each call that allocates, and each call of a function that hands out what
 * it allocated (a wrapper: wrappers.c), so that what zmalloc gives one caller is not what it gives another. */
#ifndef RADDLE_MODEL_POINTERS_H
#define RADDLE_MODEL_POINTERS_H

#include "base/map.h"
#include "model/code.h"
#include "model/graph.h"
#include "model/library.h"
#include "model/points.h"

enum thing_kind { THING_OUTSIDE, THING_GLOBAL, THING_FUNCTION, THING_STACK, THING_HEAP, THING_VARARG, THING_ARGUMENTS };
struct thing { uint8_t kind; uint32_t index; };         /* what an object is: global, function, or the value that makes it; ARGUMENTS: of main, which
                                                         * nobody writes but who has them from there */

enum link_how { LINK_CALL, LINK_CALLBACK, LINK_THREAD, LINK_SIGNAL, LINK_EXIT };
struct link { uint32_t call, function; uint8_t how; };  /* this call may enter this function */

struct callback { uint32_t call; uint8_t how, count; int8_t args[3]; };        /* a function handed to the library */

enum reach_flag {
	FROM_OUTSIDE = 1,               /* functions: code we do not see may call it */
	AT_START = 2,                   /* functions: main, constructors */
	CALL_UNKNOWN = 4                /* calls: may go where we do not see */
};

struct wrapped { uint32_t call; int64_t offset; };      /* what a wrapper returns: what this call gave, so much further */

struct pointers {
	const struct code *code;
	struct points *points;
	VEC(struct thing) things;               /* by object */
	uint32_t *global_object;                /* by global, by its leader */
	uint32_t *function_object, *return_node, *vararg_object;       /* by function; 0 none yet */
	struct map value_object;                /* allocas and allocating calls */
	struct effects *effects;                /* by function: of the library */
	uint8_t *known;                         /* by function: 1 known by name */
	uint8_t *function_flags, *call_flags;   /* enum reach_flag; call_flags by value */
	VEC(struct link) links;
	struct map linked;
	VEC(struct callback) callbacks;
	uint32_t *wrapped_at, *wrapped_count;   /* by function: in `wrapped` */
	VEC(struct wrapped) wrapped;
};

void pointers_make(struct pointers *p, const struct code *c);
void pointers_release(struct pointers *p);

/* The function this operand names, if it names one; else NONE. */
uint32_t pointers_direct(const struct code *c, uint32_t value);
/* The pointer this one is made of by adding constants, *behind bytes in all: that many steps are looked through, and no more. */
#define POINTERS_STEPS 8u
uint32_t pointers_stem(const struct code *c, uint32_t pointer, int64_t *behind);
/* What the library does here, or NULL: this call's callee is not a function known by name. */
const struct effects *pointers_library(const struct pointers *p, const struct value *call);
uint32_t pointers_object(const struct pointers *p, uint32_t value);     /* of an alloca or allocating call; 0 none */

/* ---- wrappers.c ---- */
void wrappers_find(struct pointers *p);

#endif
