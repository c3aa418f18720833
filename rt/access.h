/* rt/access.h -- plain accesses of a steered program (access.c), behind the doors of entry.S. */
#ifndef RADDLE_RT_ACCESS_H
#define RADDLE_RT_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

/* Plain accesses of 1 to 8 bytes this thread may still make without coming to a point: whoever lets it run gives them, when
 * the next of them that matters is known and no trace is kept.  0: every access is a point. */
extern __thread uint64_t access_quota __attribute__((tls_model("initial-exec")));
/* Rounds of loops until waiting.c wants to look again; times this thread may have changed something unseen (inline assembly, code nobody watches,
 * thread-local variables), and times any thread may have so changed what others see. */
extern __thread uint64_t access_rounds __attribute__((tls_model("initial-exec"), visibility("hidden")));
extern __thread uint64_t access_own __attribute__((tls_model("initial-exec"), visibility("hidden")));
extern uint64_t access_unseen __attribute__((visibility("hidden")));
extern bool access_states __attribute__((visibility("hidden")));            /* raddle_round is to look at the state of the thread */
extern bool waiting_asked_value __attribute__((visibility("hidden")));      /* somebody has called sem_getvalue: of which semaphore is not known */
void access_round(uint64_t place, uint64_t door);
bool stepping_begins(uint64_t at);             /* stepping.c */
void stepping_ends(void);

uint64_t access_load(const void *address, uint32_t what, const void *site);
void     access_store(void *address, uint64_t bits, uint32_t what, const void *site);

#endif
