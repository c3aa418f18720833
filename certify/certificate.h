/* certify/certificate.h -- a certificate of `raddle check` (docs/certificate-format.md) in memory.
 *
 * The bytes may be anybody's.  What certificate_parse() lets through is such that a machine over it (machine.h) stays in its tables and ends:
 *   (1) a place comes behind its parent, which is of the same thread and leads on; no two children of one were told the same;
 *   (2) a way back leads to an ancestor that reads by a point of its own, and nothing on the way from there to it changes memory;
 *   (3) an access lies wholly in the memory that is listed as shared, or wholly beside it; what two threads touch, and one writes, is listed;
 *   (4) threads, blocks and objects named are there. */
#ifndef RADDLE_CERTIFY_CERTIFICATE_H
#define RADDLE_CERTIFY_CERTIFICATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/err.h"
#include "base/map.h"
#include "base/vec.h"

#define NOWHERE UINT32_MAX              /* no place, cell, block, object */
#define MOST_THREADS 128u

enum act {
	ACT_UNKNOWN, ACT_BACK, ACT_READ, ACT_WRITE, ACT_UPDATE, ACT_FENCE, ACT_LOCK, ACT_UNLOCK, ACT_WAIT, ACT_WAKE, ACT_SIGNAL, ACT_BROADCAST,
	ACT_DOWN, ACT_UP, ACT_ARRIVE, ACT_LEAVE, ACT_ONCE, ACT_ONCE_DONE, ACT_INIT, ACT_CHOOSE, ACT_REFUSED, ACT_ALLOC, ACT_FREE, ACT_CREATE,
	ACT_JOIN, ACT_RESULT, ACT_END, ACT_EXIT, ACT_COUNT
};
extern const char *const act_words[ACT_COUNT];

/* Where a thread is after all it was told on the way, and what it does there. */
struct spot {
	uint64_t told, written;         /* at the parent; by an update that was told so */
	uint64_t object, second, value;
	uint32_t parent, child, sibling;        /* NOWHERE: none */
	uint32_t other;                 /* thread created or joined; where a way back leads */
	uint32_t points;                /* 0: it happens together with what came before it */
	uint32_t cell;                  /* of its first byte in shared memory, or NOWHERE */
	uint32_t block;                 /* one that somebody frees and somebody else uses, or NOWHERE */
	uint32_t word;                  /* its lock or the like among all, or NOWHERE */
	uint8_t act, size, thread;
	bool plain;                     /* not atomic; of where a thread has ended: `value` is what it returned */
	bool waits, release, recursive, reading, tried, timed;
	bool failed;                    /* at the parent: the update that was told so left memory alone */
	bool is_barrier;                /* what an init makes; else a semaphore */
	bool is_head;                   /* a way back leads here */
	bool is_quiet;                  /* nobody else can notice it, nor keep it from happening */
};

struct step_said { char what; uint8_t thread; uint32_t answer; uint64_t nth; };         /* r run, a answer, c choice, f store reaches memory */
struct class_said { uint32_t line; size_t ends, steps, step_count; bool spins, found; };        /* ends, steps: where they begin in those of all */
struct loop_said { uint32_t line, spot; size_t steps, step_count; };    /* a way back, and what leads to it */
struct block_said { uint64_t at, bytes; bool freed, tracked; uint32_t by; };

struct certificate {
	const char *name;               /* of the file */
	char program[40];
	VEC(char *) arguments;
	char *trust;
	struct buffer around;           /* lines of drive/surroundings.h, and a 0 */
	uint32_t model;                 /* 0 SC, 1 TSO, 2 PSO */
	bool reuse, is_bug;
	uint64_t races;
	VEC(char *) threads;            /* paths */
	uint32_t roots[MOST_THREADS];
	VEC(struct spot) spots;
	VEC(uint16_t) first;            /* of each shared byte, 256: not known */
	struct map cells;               /* address -> its number in `first` */
	VEC(struct block_said) blocks;
	struct map words;               /* address of a lock or the like -> number */
	VEC(struct class_said) classes;
	VEC(struct loop_said) loops;
	VEC(uint32_t) ends;             /* a place a thread, NOWHERE: never begun */
	VEC(struct step_said) steps;
};

/* 0; or -1 and why, which names the line.  Release it either way. */
int  certificate_parse(struct certificate *c, const char *name, const char *text, size_t count, struct err *why);
void certificate_release(struct certificate *c);
uint32_t spot_child(const struct certificate *c, uint32_t spot, uint64_t told);         /* NOWHERE: it has none that was told so */
/* Where its thread was told something last, or did what others could notice: what of an end belongs to a class. */
uint32_t spot_of_class(const struct certificate *c, uint32_t spot);
bool spot_is_over(const struct certificate *c, uint32_t spot);          /* its thread has ended, or the program through it */
bool act_is_access(enum act act);
/* Finds cells, blocks, words and what is quiet.  0, or -1 and why. */
int  certificate_link(struct certificate *c, struct err *why);

#endif
