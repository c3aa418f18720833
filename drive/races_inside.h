/* drive/races_inside.h -- what the files of the race detector share.
 *   races.c         threads, which event does what
 *   races_clocks.c  vector clocks; rows of functions and locks, kept once each; the hash table
 *   races_bytes.c  who touched which byte last
 *   races_sync.c    locks and the like, atomics: who learns what from whom
 *   races_held.c    stores that are not in memory yet
 *   races_found.c   pairs of places that raced
 *   races_print.c   as text and JSON */
#ifndef RADDLE_DRIVE_RACES_INSIDE_H
#define RADDLE_DRIVE_RACES_INSIDE_H

#include "base/err.h"
#include "base/vec.h"
#include "drive/races.h"
#include "trace/held.h"
#include "trace/objects.h"

#define NONE UINT32_MAX
#define RACERS_MAX 65536u

/* ---- a hash table from 64-bit keys to small numbers, emptied by a new generation ---- */
struct slot { uint64_t key; uint32_t generation, value; };
struct slots { struct slot *at; uint32_t room, count, generation; };
uint32_t *slots_get(const struct slots *s, uint64_t key);               /* NULL: not there */
uint32_t *slots_put(struct slots *s, uint64_t key);                     /* NONE if it was not there; good until the next put */
void slots_drop(struct slots *s, uint64_t key);
void slots_clear(struct slots *s);
void slots_release(struct slots *s);

/* ---- vector clocks, by number ---- */
struct clock { uint32_t *at; uint32_t count, room; };
struct clocks { VEC(struct clock) all; VEC(uint32_t) spare; uint32_t used; uint64_t numbers; };
uint32_t clock_take(struct clocks *c);                                  /* all zero */
void clock_drop(struct clocks *c, uint32_t id);                         /* NONE is fine */
void clock_join(struct clocks *c, uint32_t into, uint32_t from);        /* NONE is fine for `from` */
void clock_copy(struct clocks *c, uint32_t into, uint32_t from);
void clock_set(struct clocks *c, uint32_t id, uint32_t thread, uint32_t value);
void clocks_clear(struct clocks *c);
void clocks_release(struct clocks *c);

static inline uint32_t clock_at(const struct clocks *c, uint32_t id, uint32_t thread)
{
	const struct clock *k = &c->all.at[id];
	return thread < k->count ? k->at[thread] : 0;
}

/* ---- rows: functions one inside the other, locks one taken after the other.  NONE is the empty row. ---- */
struct link { uint32_t before, length; uint64_t what; const struct place *place; };
struct links { VEC(struct link) all; struct slots index; };
uint32_t link_add(struct links *l, uint32_t before, uint64_t what, const struct place *place);   /* NONE when there is no more room */
void links_clear(struct links *l);

/* ---- threads ---- */
struct racer {
	bool known, ended;
	bool counted;                   /* it has ended, and is in races.dead */
	uint32_t now;                   /* its clock; now[own] is its epoch */
	uint32_t fence;                 /* what its last release fence covers, or NONE */
	uint32_t loose;                 /* what relaxed reads saw since it began, for acquire fences, or NONE */
	uint32_t held, stack;           /* rows */
	uint32_t ignores;
	uint32_t maker;
	const struct place *made_at;
	const struct place *unseen;     /* code nobody watches that it came through last, or NULL, */
	const char *unseen_in;          /* its library, NULL: assembly, */
	uint32_t unseen_epoch;          /* and the thread's epoch from there on */
};

/* ---- what was touched ---- */
enum { TOUCH_WRITES = 1, TOUCH_ATOMIC = 2 };
struct seen {                           /* one access, as far as it touched one word, or a chunk as a whole */
	uint32_t next, clock, thread, bytes;
	uint32_t stack, held;
	const struct place *place;
	uint8_t mask, how, kind;        /* bytes of the word; TOUCH_*; enum event_kind */
	uint32_t nth;                   /* event of its thread, 0 not known */
};

#define CHUNK_BYTES 512u
#define CHUNK_WORDS 64u
struct chunk {
	uint64_t number;                /* address / CHUNK_BYTES; UINT64_MAX: spare */
	uint64_t words, sync;           /* words that have a list; words that have sync[] */
	uint32_t whole;                 /* accesses to all of it */
	uint32_t head[CHUNK_WORDS];
};

struct touch {                          /* an access on its way */
	uint32_t thread, clock, now;    /* its epoch and clock */
	uint64_t address, bytes;
	const struct place *place;
	uint32_t stack, held, nth;
	uint8_t how, kind;
	bool waits;                     /* it is not in memory yet */
};

/* ---- what synchronises ---- */
enum sync_class { SYNC_LOCK, SYNC_SEM, SYNC_BARRIER, SYNC_ONCE, SYNC_SAID, SYNC_MESSAGE };
#define HEADS 6
struct head { uint32_t thread, clock; };
struct sync {
	uint64_t address;
	uint32_t next;                  /* of the same word */
	uint8_t class, mask;            /* MESSAGE: bytes of the word */
	uint32_t clock[2];              /* LOCK: of those who wrote, of those who read; BARRIER: of even and odd generations */
	uint64_t generation[2];
	struct head heads[HEADS];       /* MESSAGE: releases whose sequences the bytes are in */
	uint32_t head_count;
};

/* When a pair was seen: in which run first and last, and the last time's event, so that one access counts once. */
struct found_mark { uint64_t event; uint32_t first, last; uint64_t at; uint32_t asked; };       /* at: looked at last, of `asked` */

/* A store that waits: its bytes that do, and what it hands on when it is read, a clock or NONE. */
struct held_back { uint32_t bytes, carried; };

struct races {
	struct race_limits limits;
	struct race_names names;
	struct clocks clocks;
	struct links links;
	VEC(struct racer) racers;
	uint32_t racer_count;           /* of this run */
	uint32_t dead;                  /* a clock: all that threads have done that have ended; NONE: nobody asked */
	struct objects *objects;

	VEC(struct seen) seen;
	uint32_t seen_spare, seen_live;
	VEC(struct chunk) chunks;
	VEC(uint32_t) chunk_spare;
	struct slots chunk_index;
	uint32_t hand;                  /* whose turn it is to be forgotten */
	uint32_t last_chunk;            /* found last, or NONE */
	uint64_t unseen;

	VEC(struct sync) syncs;
	VEC(uint32_t) sync_spare;
	struct slots sync_index;        /* word -> first */
	uint32_t signals[65];           /* clocks of those who sent them, or NONE */
	VEC(uint32_t) numbers;          /* of descriptors: clocks of those who closed them, or NONE */

	struct held *held;
	VEC(struct held_back) held_back;
	VEC(uint32_t) held_spare;

	struct slots pairs;
	VEC(struct race) found;
	VEC(struct found_mark) marks;   /* of each of them */
	uint64_t more, events;
	uint32_t run, run_first;        /* number of the run; found before it */
	VEC(struct race_hit) hits;
	VEC(struct race_thread) threads;        /* of runs that had a pair nobody had before */
	struct arena arena;             /* of found */
	const char *stopped;
};

static inline struct racer *racer(struct races *r, uint32_t thread) { return &r->racers.at[thread]; }

/* races_bytes.c */
void bytes_touch(struct races *r, const struct touch *t);
void bytes_over_known(struct races *r, const struct touch *t);         /* only where something is remembered */
void bytes_forget(struct races *r, uint64_t address, uint64_t bytes);  /* the memory is another's now; objects in it too */
void bytes_note_sync(struct races *r, uint64_t address);               /* there is a sync object in this word */

/* races_sync.c */
void sync_note(struct races *r, const struct event *ev);
void sync_atomic_reads(struct races *r, const struct event *ev);        /* before the access is held against others, */
void sync_atomic_writes(struct races *r, const struct event *ev);       /* and behind it */
void sync_forget_word(struct races *r, uint64_t word);
void sync_plain_write(struct races *r, uint64_t word, uint8_t mask);    /* ends release sequences there */
void sync_ended(struct races *r, uint32_t thread);

void sync_store(struct races *r, uint32_t thread, uint64_t word, uint8_t mask, uint32_t carried);       /* atomic, and in memory now */

/* races_held.c */
bool held_plain(struct races *r, const struct event *ev, uint64_t bytes);       /* false: it does not wait */
bool held_atomic(struct races *r, const struct event *ev, uint32_t carried);    /* the same; the clock is copied */
uint8_t held_forwards(const struct races *r, uint32_t thread, uint64_t word);   /* bytes the thread has from its own stores that wait */
void held_note(struct races *r, const struct event *ev);                        /* a FLUSH */

/* races_found.c */
void found_race(struct races *r, const struct seen *first, uint64_t word, const struct touch *second);
void pairs_run_ends(struct races *r);
void pairs_clear(struct races *r);
void pairs_release(struct races *r);

#endif
