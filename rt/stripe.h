/* rt/stripe.h -- the counters that order operations on one object, and how an atomic operation gets its number.
 * count: operations numbered so far.  seq: odd while an atomic operation is under way, with the uid of its thread in the upper
 * half; a reader that saw the same even number before and after saw no operation in between. */
#ifndef RADDLE_RT_STRIPE_H
#define RADDLE_RT_STRIPE_H

#define STRIPE_LOCKED   1       /* the operation is still to come */
#define STRIPE_DONE     2       /* it took effect; its number or its record is to come */
#define STRIPE_BROKEN   3       /* a signal came before it took effect and gave the stripe back: start again */
#define STRIPE_NOTED    4       /* a signal came afterwards, numbered it and wrote its record */

#ifndef __ASSEMBLER__
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#include "wire/ring.h"

struct stripe {
	uint64_t count;
	uint64_t seq;
	char pad[48];
} __attribute__((aligned(64)));

extern struct stripe stripes[VERSION_STRIPES];

/* The operation this thread is at, for a signal that lands in the middle: all it takes to write its record. */
struct stripe_use {
	struct stripe *stripe;          /* NULL: none */
	uint64_t mine;                  /* seq while the stripe is ours; STRIPE_NOT_TAKEN: it only looks */
	uint64_t version;
	uint64_t *record;               /* where the record is being written, or NULL */
	const void *address, *site;
	uint64_t *found;                /* what was read and what is written, of 16 bytes both halves */
	const uint64_t *value;
	uint32_t phase;
	uint8_t kind;                   /* enum event_kind */
	bool wide, failed;
};
extern __thread struct stripe_use stripe_use __attribute__((tls_model("initial-exec")));

#define STRIPE_NOT_TAKEN 1              /* no thread has uid 0 */

/*   fill stripe_use while stripe is NULL; segment_room();
 *   do {
 *           stripe_begin(stripe);
 *           the operation, by stripe_swap(&stripe_use.phase, ...), or reading alone
 *   } while (!stripe_end());
 *   stripe_note(); */
void stripe_begin(struct stripe *stripe);
bool stripe_end(void);                  /* false: nothing was done; again */
void stripe_note(void);
/* Reads without taking the stripe, between these two; false: it changed meanwhile. */
uint64_t stripe_look(struct stripe *stripe);
bool stripe_looked(uint64_t look);

/* Compare-exchange of 1, 2, 4, 8 or 16 bytes (swap.S): 1 stored; 0 not equal, found[] is what is there; 2 broken. */
unsigned stripe_swap(uint32_t *phase, unsigned size, void *at, uint64_t found[], const uint64_t value[]);
/* Reads 16 aligned bytes in one step (swap.S). */
void load_16(const void *at, uint64_t value[2], bool by_vector);

/* A handler starts: nobody shall wait for it, and what it does comes after what took effect before.  The interrupted operation
 * is numbered and its record written, or it is sent back to its beginning. */
void stripe_interrupted(struct stripe_use *save, ucontext_t *context);
void stripe_resumed(const struct stripe_use *saved);    /* it returns; NULL: to somewhere else */
#endif

#endif
