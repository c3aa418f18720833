/* analyses/check/pending.h -- under TSO and PSO: stores of a state that wait in their threads' buffers (docs/memory-models.md).
 * They stand at the end of a state: how many each thread has, then the nodes of all, thread by thread, each thread's in its order. */
#ifndef RADDLE_ANALYSES_CHECK_PENDING_H
#define RADDLE_ANALYSES_CHECK_PENDING_H

#include "analyses/check/space.h"

#define PENDING_MOST 1024u              /* stores that wait in a state */

uint32_t pending_count(const struct space *s, const struct state *at, uint32_t thread);
uint32_t pending_node(const struct space *s, const struct state *at, uint32_t thread, uint32_t i);      /* of its i-th; PENDING_FENCE: of a fence */
#define PENDING_FENCE (NO_NODE - 1)
/* More than can be kept are trouble, and none is added. */
void pending_add(const struct space *s, struct state *at, uint32_t thread, uint32_t node);
/* No later store leaves before those that wait now: a release fence. */
void pending_fence(const struct space *s, struct state *at, uint32_t thread);
bool pending_may_leave(const struct space *s, const struct state *at, uint32_t thread, uint32_t i);
uint32_t pending_leave(const struct space *s, struct state *at, uint32_t thread, uint32_t i);   /* its node */
/* The byte of this cell as the thread's newest store has it, + 1; 0: none of its stores has it. */
uint32_t pending_byte(const struct space *s, const struct state *at, uint32_t thread, uint32_t cell);
/* Must all stores of its thread be in memory before this, as far as the deed alone says?  Of some a state decides (space.c). */
bool pending_drains(const struct node *n);
/* Was it certain to bring them there, being told that? */
bool pending_drained(const struct node *n, uint64_t told);

#endif
