/* model/points.h -- what points where: inclusion constraints (Andersen's analysis) over objects and byte offsets, solved.
 *
 * A node stands for something that holds pointers: a value, or eight bytes of an object (a cell).  Its set has locations, each an
 * object and an offset.  An object has a stride s, 0 at first: once somebody steps through it in strides, offsets count modulo the
 * greatest common divisor of all of them, so arrays of structures keep their fields.
 *
 * Object 0 is everything outside.  What code we cannot see may reach has escaped: its contents are the outside's, who loads from it may
 * get anything that escaped (location 0), and what is stored there escapes.  A set with location 0 need not name what escaped. */
#ifndef RADDLE_MODEL_POINTS_H
#define RADDLE_MODEL_POINTS_H

#include <stdbool.h>
#include <stdint.h>

struct points;

#define POINTS_OUTSIDE 0u                       /* the object */

#define POINTS_ANYWHERE INT64_MIN               /* an offset not known */
struct points_place { uint32_t object; int64_t offset; };       /* offset as it counts now: modulo the stride */

/* What the solver tells while it works; both may add constraints. */
struct points_hooks {
	void *with;
	void (*called)(void *with, uint32_t call, uint32_t object);     /* the pointer of this call may point to this object */
	void (*escaped)(void *with, uint32_t object);
};

struct points *points_new(uint32_t nodes);      /* nodes 0 .. nodes - 1 are there from the start */
void points_free(struct points *p);             /* NULL is fine */
uint32_t points_node(struct points *p);
uint32_t points_object(struct points *p, uint64_t bytes);       /* bytes: 0 not known */

void points_address(struct points *p, uint32_t node, uint32_t object, int64_t offset);
/* to holds what from holds, `distance` further; or, stride not 0, that and any multiple of the stride further;
 * stride 1: anywhere in the same object. */
void points_copy(struct points *p, uint32_t from, uint32_t to, int64_t distance, uint32_t stride);
/* `bytes` bytes at the pointer and `distance` behind it; bytes 0: anywhere in what it points to. */
void points_load(struct points *p, uint32_t pointer, uint32_t to, int64_t distance, uint32_t bytes);
void points_store(struct points *p, uint32_t from, uint32_t pointer, int64_t distance, uint32_t bytes);
void points_call(struct points *p, uint32_t pointer, uint32_t call);
void points_escape(struct points *p, uint32_t node);            /* what it points to escapes */
void points_clone(struct points *p, uint32_t base, uint32_t clone);     /* objects: the clone holds what the base holds */

void points_solve(struct points *p, const struct points_hooks *hooks);

/* ---- asked when solved ---- */
uint32_t points_count(const struct points *p, uint32_t node);
struct points_place points_at(const struct points *p, uint32_t node, uint32_t i);
uint32_t points_objects(const struct points *p);
bool points_has_escaped(const struct points *p, uint32_t object);
/* May [offset, offset + bytes) of two places share a byte?  bytes 0: all of the object. */
bool points_overlap(const struct points *p, struct points_place a, uint32_t a_bytes, struct points_place b, uint32_t b_bytes);

#endif
