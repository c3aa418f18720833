/* trace/held.h -- stores that wait in store buffers, as a trace of a run under a weak memory model tells them: which thread sees what
 * that is not in memory yet, and what a FLUSH takes there (wire/ring.h).
 *
 * A store is cut into pieces, one per 8-byte word it touches.  The thread itself sees of each byte the newest of its pieces; a FLUSH takes
 * of each byte the oldest.  Of one thread at most HELD_PIECES wait: a trace somebody made may have more, then the oldest leave by themselves. */
#ifndef RADDLE_TRACE_HELD_H
#define RADDLE_TRACE_HELD_H

#include "trace/event.h"

#define HELD_PIECES 1024u               /* more than a buffer of 256 stores can have */

struct held_piece {
	uint64_t word, value;           /* address, a multiple of 8; what stands there in the bytes of `mask` */
	uint8_t mask, unknown;          /* bytes of the word; those whose contents are not known */
	uint8_t flags;                  /* the caller's */
	uint32_t tag;                   /* the caller's */
};

struct held;
struct held *held_new(void);                                    /* never NULL */
void held_clear(struct held *h);
void held_free(struct held *h);                                 /* NULL is fine */
/* The store waits.  How many pieces it became; 0: it is longer than any store that waits, take it as made. */
uint32_t held_store(struct held *h, const struct event *ev, uint32_t tag, uint8_t flags);
/* What the thread sees of this word that is not in memory; tag and flags are those of the newest piece.  false: nothing. */
bool held_own(const struct held *h, uint32_t thread, uint64_t word, struct held_piece *out);
/* Takes out the part of the oldest piece of the thread that has any of these bytes of the word.  false: there is none. */
bool held_leave(struct held *h, uint32_t thread, uint64_t word, uint8_t mask, struct held_piece *out);
/* Takes out the oldest of too many. */
bool held_surplus(struct held *h, uint32_t thread, struct held_piece *out);
uint8_t held_mask(uint64_t address, uint64_t bytes);            /* bytes of the word `address` lies in, from there on */

#endif
