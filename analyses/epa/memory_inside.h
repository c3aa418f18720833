/* analyses/epa/memory_inside.h -- what memory.c (objects come and go), memory_find.c (what lies there now) and memory_heard.c (what a thread
 * calls it) share; nobody else.
 *
 * Live objects are trace/objects.h's, those that ever were and those a thread has heard of known.h's; what each is called hangs on its id.  Globals are found
 * by symbol.  Tables that are kept small by address (near, ranges, recent) only save looking again: what is not in them is found all the same. */
#ifndef RADDLE_EPA_MEMORY_INSIDE_H
#define RADDLE_EPA_MEMORY_INSIDE_H

#include "analyses/epa/halves.h"
#include "analyses/epa/known.h"
#include "analyses/epa/memory.h"

#define RANGES   256u                           /* of globals, kept by address */
#define NEAR     256u                           /* pieces of live objects, kept by address */
#define PAGES    64u
#define PAGE     4096ull
#define RECENT   1024u
#define NO_ID    UINT32_MAX                     /* it lies in no object */
#define LOWEST   65536ull                       /* nothing lies below */

struct range { uint64_t low, high; uint32_t thing, id; uint64_t origin; };      /* offset = address - origin */
struct near { struct range range; uint64_t when; };                             /* good as long as changes is that */
struct named_spot { uint32_t thing, id; uint64_t offset; };                     /* and the object it is in, or NO_ID */
struct stored { uint64_t value; struct named_spot is; };                        /* a pointer in memory */
struct held { uint32_t when; struct named_spot is; };                           /* good until known has something newer there */
struct recent { const struct place *place; const char *name; uint32_t number; };
struct loaded_file { uint64_t low, high, base; uint32_t thing, text; bool instrumented; };

struct thread_memory {
	uint32_t path, thread_thing;
	bool has_stack, has_tls;
	struct event stack, tls;
	struct map made;                        /* place -> how many objects it made there */
	struct known known;                     /* objects it made or read pointers to */
	struct near near[NEAR];                 /* what it calls some pieces of them */
	uint64_t changes[PAGES];                /* of known, by page, counted from 1 */
	struct map held;                        /* value -> index in kept + 1, 0 none: values it read last that known has another name for */
	VEC(struct held) kept;
	struct stored freed;                    /* the block it gave back last */
	uint64_t moved_to;                      /* where realloc moved a block a moment ago */
	const char *called;                     /* a function that has not returned anything yet */
	uint32_t children;                      /* it made so far */
	bool stack_lies, tls_lies;              /* there since it said so, or since it was made */
	uint32_t tls_id;                        /* what its handle is in, for who reads that before the thread says anything; NO_ID none */
	uint64_t wrote_at;                      /* where libc wrote a word for it a moment ago: a handle, if it makes a thread now; 0 */
};

struct memory {
	struct trace *trace;
	struct names_book *book;
	struct objects *live;
	struct known gone;                      /* what lay there last, and */
	VEC(uint32_t) leaving;                  /* what is to be put there before it is asked */
	VEC(bool) left;                         /* by id, as far as it goes: somebody gave it back */
	VEC(struct range) named;                /* by id of the object */
	struct range ranges[RANGES];
	struct near near[NEAR];
	uint64_t changes;                       /* of live, counted from 1 */
	VEC(struct loaded_file) files;
	struct range arguments, strings;        /* of the first thread; thing 0: not known */
	uint64_t main_top;                      /* the first thread's frames are below; 0 not known */
	uint32_t thread_count;
	struct thread_memory *threads;
	struct map pointers;                    /* address -> index in stored + 1 */
	VEC(struct stored) stored;
	struct map handles;                     /* where libc put the handle of a thread -> its number + 1 */
	struct halves halves;
	struct map places;                      /* place and name -> number in the book; */
	struct recent recent[RECENT];           /* some of them, by where the place lies */
};

static inline bool in_range(const struct range *r, uint64_t address)
{
	return address >= r->low && address < r->high;
}

static inline struct named_spot spot_in(const struct range *r, uint64_t address)
{
	return (struct named_spot){ r->thing, r->id, address - r->origin };
}

static inline struct named_spot number(uint64_t value)
{
	return (struct named_spot){ 0, NO_ID, value };
}

static inline bool may_point(uint64_t value)
{
	return value >= LOWEST && value >> 47 == 0;
}

static inline struct spot told(struct named_spot is)
{
	return (struct spot){ is.thing, is.offset };
}

/* ---- memory.c ---- */
void memory_teach(struct memory *m, struct thread_memory *t, uint32_t id);      /* it has heard of this object */
struct stored *memory_store_for(struct memory *m, uint64_t address);
bool memory_is_handle(struct memory *m, uint64_t address, uint64_t value, struct named_spot *out);      /* of a thread, as libc put it there */

/* ---- memory_find.c ---- */
bool memory_find(struct memory *m, uint64_t address, struct named_spot *out);   /* false: nothing is known there, out left as it was */
bool memory_is_in_files(const struct memory *m, uint64_t low, uint64_t high);
void memory_keep_file(struct memory *m, struct thread_memory *t, uint64_t address);     /* near, too, for who points there: globals never move */
struct named_spot memory_spot_of(const struct memory *m, uint32_t id, uint64_t address);
struct named_spot memory_now(struct memory *m, uint64_t value);                 /* what lies there now, whoever asks */

#endif
