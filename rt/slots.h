/* rt/slots.h -- the threads of a recorded program, by their pthread_t (slots.c). */
#ifndef RADDLE_RT_SLOTS_H
#define RADDLE_RT_SLOTS_H

#include "rt/steer.h"
#include "rt/sync.h"

#define NAME_BYTES 16u

enum how { HOW_RETURN = 0, HOW_EXIT = 1, HOW_CANCEL = 2 };
enum slot_bit { SLOT_USED = 1, SLOT_CREATOR_DONE = 2, SLOT_ENDED = 4, SLOT_LET_GO = 8, SLOT_ALL = 15 };

struct slot {
	uint32_t state;                       /* enum slot_bit */
	uint32_t how, rounds;
	uint64_t known;                       /* when its owner became known: counts up */
	union {
		void *(*posix)(void *);
		thrd_start_t c11;
	} start;
	void *arg;
	struct rt_birth birth;
	struct strand *strand;                /* in a steered run */
	uint64_t mask;                        /* signals the thread starts with, if it has them from its creator */
	uint64_t virtual_mask;                /* of the creator, in a steered run */
	bool inherits;
	bool has_own_stack;                   /* the program's, not one of libc's */
	uint64_t frames_low, frames_bytes;    /* where the program's frames lie, if libc's stack is another one; 0: it is not */
	bool is_named;                        /* by another thread, perhaps before this one had begun */
	char name[NAME_BYTES];
};

struct slot *slot_take(void);                         /* a free one, for a thread to be made; NULL: there is none */
void slot_mark(struct slot *s, uint32_t bits);        /* with all of them it is given back */
void slot_own(struct slot *s, pthread_t thread);      /* said by creator and child, once each; the first counts */
bool slot_is_owned(const struct slot *s);
struct slot *slot_of(pthread_t thread);               /* NULL: not recorded */

static inline uint32_t slot_uid(const struct slot *s) { return s ? s->birth.uid : 0; }

#endif
