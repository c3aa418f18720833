/* model/depend.h -- which recorded reads an event can depend on.
 *
 * The answer to a question about a site is a set of sites that read: as long as each of them returns what it returned, the event is
 * reached, touches the same object at the same place, writes the same value, whatever else changes.  Values are followed through
 * registers, calls, choices of control, and memory that is not recorded; at a recorded read they end, and what decides where
 * that read looks and whether it happens is followed on.  "everything" is the answer where code cannot be seen: inline assembly, functions
 * unknown by name, signals, memory such code may have changed.  That memory came from the heap at one address and not another is no
 * difference. */
#ifndef RADDLE_MODEL_DEPEND_H
#define RADDLE_MODEL_DEPEND_H

#include "model/pointers.h"

/* ADDRESS and VALUE alone are what they are given that the event is reached as it was: by the same calls, in the same round of a loop.
 * Whoever asks for them without REACH keeps what that says by other means. */
enum part {
	PART_REACH = 1, PART_ADDRESS = 2, PART_VALUE = 4, PART_ALL = 7,
	PART_DIRECT = 8,                        /* a recorded read ends the way: what decides about the read itself is not followed */
	PART_COPIED = 16                        /* with ADDRESS alone: reads that may have returned the pointer itself, not what it was computed from or chosen by */
};

struct answer {
	bool everything;
	uint32_t because;                       /* the value or call that cannot be seen through, if everything */
	uint32_t count;
	const uint32_t *reads;                  /* values, rising; they live as long as the depend */
};

struct depend;

/* recorded: by value, not 0 where a read is recorded; NULL: every load and atomic operation is.  Must outlive it. */
struct depend *depend_new(const struct pointers *p, const uint8_t *recorded);
void depend_free(struct depend *d);             /* NULL is fine */
struct answer depend_on(struct depend *d, uint32_t site, unsigned parts);
/* A write, and the values at which control comes to it so that it writes there: itself, or calls of its function that hand over a pointer there. */
struct writer { uint32_t by; const uint32_t *via; uint32_t count; };
/* Tells every instruction that may write what a load reads, but for what makes the memory; some more than once.  call: it was come to through this one (NONE: or
 * another).  false: not all are known. */
bool depend_writers(struct depend *d, uint32_t read, uint32_t call, void (*told)(void *with, const struct writer *w), void *with);
/* Tells every function in which a thread that comes to one of these instructions may have begun, NONE: the first thread.  false: not all are known. */
bool depend_begins(struct depend *d, const uint32_t *values, uint32_t count, void (*told)(void *with, uint32_t function), void *with);
/* Is the first thread alone the one that may begin threads in this function, and does it ask no library function how others are getting on? */
bool depend_first_begins(struct depend *d, uint32_t function);
/* May one thread that began in this function (NONE: the first thread) come to these instructions twice in all, and not through this call in between (NONE: whatever is
 * in between)? */
bool depend_repeats(struct depend *d, const uint32_t *values, uint32_t count, uint32_t call, uint32_t begins);
bool answer_has(const struct answer *a, uint32_t read);         /* or everything */

#endif
