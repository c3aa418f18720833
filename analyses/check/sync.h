/* analyses/check/sync.h -- locks of all kinds, semaphores, barriers and onces, as far as threads notice them: one word each.
 *   mutex, spin lock, read-write lock   owner + 1 in the lowest byte, how often it has it << 8, readers << 20
 *   semaphore                           its value
 *   barrier                             how many have arrived, how many it takes << 16
 *   once                                0 nobody ran it, 1 somebody runs it, 2 it was run */
#ifndef RADDLE_ANALYSES_CHECK_SYNC_H
#define RADDLE_ANALYSES_CHECK_SYNC_H

#include "analyses/check/threads.h"

/* Would the deed go through now, and what would the thread be told?  One that is only tried always goes through. */
bool sync_goes(const struct node *n, uint32_t word, uint64_t *told);
/* What the word is when it went through and the thread was told that.  False: it gives up what it does not have. */
bool sync_act(const struct node *n, uint32_t *word, uint64_t told);
bool sync_is_free(const struct node *n, uint32_t word); /* a lock for this thread */
/* Under TSO and PSO: has what the deed would do now no locked instruction in libc, so that stores stay in the buffer?  Of what the word decides. */
bool sync_keeps_stores(const struct node *n, uint32_t word);
bool barrier_is_last(uint32_t word);                    /* whoever arrives now lets all go */

#endif
