/* rt/world_inside.h -- between world.c (one call, made or served), world_wait.c (what it would wait for, and how long) and world_parts.c (calls that are
 * made in parts). */
#ifndef RADDLE_RT_WORLD_INSIDE_H
#define RADDLE_RT_WORLD_INSIDE_H

#include "rt/world.h"

/* ---- world.c ---- */
/* A part of a call is over: kept, and the others may have something to notice.  flags: INPUT_MORE, it is not the last one. */
void call_noted(const struct world_call *c, long result, struct piece *pieces, unsigned count, uint32_t flags);
long call_made(const struct world_call *c, const struct call_about *about);    /* as a whole */
/* A strand that blocks SIGPIPE must not die of it, whatever others block.  What the kernel blocked before, if that was changed. */
bool pipe_shield(const struct world_call *c, uint64_t *before);
void pipe_unshield(const uint64_t *before);

/* ---- world_wait.c ---- */
struct wait { struct awaited awaited; uint64_t deadline; };
struct wait wait_plan(const struct world_call *c, const struct call_about *about);     /* what this call would wait for, if it would */
uint64_t call_patience(const struct world_call *c);   /* what poll and its like were given: nanoseconds, UINT64_MAX for ever, 0 not at all */
uint64_t wait_until(uint64_t nanoseconds);            /* that long from now, as a deadline */
long wait_too_late(const struct world_call *c);       /* the answer when its time is up */
bool wait_found_nothing(const struct wait *w, long result);   /* poll and its like, after all; and their time is not up */
void wait_time_left(const struct world_call *c, uint64_t deadline);   /* which select tells */
long call_flags(const struct world_call *c);          /* MSG_... */

/* ---- world_parts.c ---- */
const struct iovec *call_vector(const struct world_call *c, struct iovec *one, uint64_t *count);      /* the bytes it sends, or receives */
bool call_waits_for_all(const struct world_call *c);  /* MSG_WAITALL */
long call_made_whole(const struct world_call *c, const struct call_about *about);      /* such a one */
long call_made_out(const struct world_call *c, const struct call_about *about);        /* one that sends */
long call_made_connect(const struct world_call *c, const struct call_about *about);

#endif
