/* trace/verify_inside.h -- what the files behind trace/verify.h share; nobody else includes it.
 *
 *   verify.c         the pass, problems, what is said at the end
 *   verify_clocks.c  happens-before by vector clocks
 *   verify_sync.c    locks, threads, conditions, barriers, semaphores, versions
 *   verify_calls.c   code raddle does not see: when it ran; and the frames of each thread
 *   verify_names.c   library functions known to write nothing the program reads, or exactly what is recorded
 *   verify_memory.c  what each byte may hold
 *   verify_reads.c   may this read have this value?
 *   verify_held.c    stores that wait, under a weak memory model */
#ifndef RADDLE_TRACE_VERIFY_INSIDE_H
#define RADDLE_TRACE_VERIFY_INSIDE_H

#include "base/map.h"
#include "trace/held.h"
#include "trace/objects.h"
#include "trace/stripes.h"
#include "trace/verify.h"

struct verifier;

/* ---- clocks (verify_clocks.c) ----
 * clock[u] of thread t: how much of u's life is known to have passed before what t does now.  A thread's own number rises
 * whenever others may learn from it, so (thread, number) names a stretch of its life. */
struct clock { uint32_t *at; uint32_t count; };
struct meeting {                        /* what a stripe, or the end of a thread, hands on */
	struct clock clock;
	uint32_t last, change;          /* thread that wrote it last and its `change` then */
};
void clocks_fork(struct verifier *v, uint32_t parent, uint32_t child);
void clocks_join(struct verifier *v, uint32_t thread, uint32_t ended);
void clocks_meet(struct verifier *v, uint32_t thread, struct meeting *m);       /* an operation that took a number, */
void clocks_step(struct verifier *v, uint32_t thread);                          /* and when all is said about it */
void clocks_look(struct verifier *v, uint32_t thread, const struct meeting *m); /* an atomic load */
uint32_t clock_own(const struct verifier *v, uint32_t thread);

/* ---- locks, threads, conditions, barriers, semaphores, versions (verify_sync.c) ---- */
struct stripe_state { uint64_t last; uint32_t gap_seq; struct meeting meeting; };

struct lock_state {
	uint64_t address;
	uint32_t owner, depth, readers; /* owner UINT32_MAX: none */
	uint32_t type, bytes;           /* enum lock_type; how much memory libraries use of it */
	uint64_t left;                  /* barrier: highest generation left + 1 */
	int64_t value;                  /* semaphore, if value_known */
	bool value_known, fresh_init;
	bool met;                       /* it was taken or initialised in this trace */
};

struct sync_state {
	struct map lock_index;                  /* address -> index into locks + 1 */
	VEC(struct lock_state) locks;
	VEC(uint32_t) held;                     /* locks that somebody holds */
	struct map reader_counts;               /* lock << 32 | thread -> times */
};

bool sync_versions(struct verifier *v, const struct event *ev);         /* did others learn from it? */
void sync_event(struct verifier *v, const struct event *ev);
void sync_number(struct verifier *v, const struct event *ev);           /* total order */
void sync_settle(struct verifier *v, const struct event *ev);           /* before any event of a thread */
bool sync_is_object(const struct verifier *v, uint64_t address);        /* inside a lock, condition, ... */
void sync_forget(struct verifier *v, uint64_t start, uint64_t bytes);   /* memory begins a new life */

/* ---- code raddle does not see, and the frames of each thread (verify_calls.c, verify_names.c) ---- */
struct frame {
	uint32_t seq;                   /* when it was entered */
	bool outside, serves;           /* unseen code it called is still at work; the same of a library that calls back */
	bool callback;                  /* a library called it */
	uint64_t low;                   /* lowest address of the stack it or its callers touched */
};

enum call_kind { CALL_NONE, CALL_KNOWN, CALL_ALLOCATES, CALL_UNKNOWN };

struct calls_state {
	uint32_t wild_gen, wild_seq;            /* how often unseen code ran; the place of its last end */
	uint32_t gap_seq;                       /* records were lost here */
	struct map call_kinds;                  /* address of a name -> enum call_kind */
	struct names known;                     /* ids below known_allocating are CALL_ALLOCATES */
	uint32_t known_allocating;
	struct names outside;
	struct map library_blocks;              /* start of heap objects that libraries made for themselves */
	struct map shared_maps;                 /* start of mappings other processes may write */
};

void names_prepare(struct verifier *v);
bool names_any_library(const struct trace *t);                          /* beside libc and its like, one that is not instrumented */
enum call_kind call_kind_of(struct verifier *v, const char *name);
void calls_event(struct verifier *v, const struct event *ev);           /* first of all, for every event */
void calls_first(struct verifier *v, const struct event *ev);           /* the first event of a thread */
void calls_lost(struct verifier *v, const struct event *ev);
void calls_finish(struct verifier *v);                                  /* calls nobody came back from */
bool calls_clean(struct verifier *v, uint32_t thread);                  /* does it know all unseen code that ran? */
void calls_touch_stack(struct verifier *v, uint32_t thread, uint64_t address);
uint32_t calls_frame_seq(const struct verifier *v, uint32_t owner, uint64_t address);   /* when its frame was entered */

/* ---- what each byte may hold: shadow memory (verify_memory.c) ---- */
#define CELL 8u
#define PAGE_BYTES 4096u
#define PAGE_CELLS (PAGE_BYTES / CELL)
#define CHAIN_MOST 12u

enum entry_flag {
	ENTRY_COVERS = 1,               /* every older write of its bytes is ordered before it */
	ENTRY_UNKNOWN = 2,              /* contents not known */
	ENTRY_LIBRARY = 4,              /* written by a library or system call: contents as they stood a little later */
	ENTRY_LEARNED = 8,              /* not a write: what a read found */
	ENTRY_CLEAN = 16,               /* all unseen code known by then ran before it */
	ENTRY_LOST = 32,                /* older ones of its bytes were dropped */
	ENTRY_ATOMIC = 64               /* placed exactly by its version */
};

struct entry {                          /* one write to some bytes of one cell */
	uint64_t value;
	uint32_t time, seq;
	uint32_t more;                  /* the one before it: index into `older` + 1, 0 none */
	uint16_t thread;
	uint8_t mask, flags;            /* mask 0: none */
};

enum meta_bit { META_SHARED = 1, META_PENDING = 2, META_WILD = 4 };

struct shadow_page {
	uint64_t number;
	struct entry base;              /* of all its bytes, older than any of its cells'; mask 0: none */
	struct entry *cells;            /* PAGE_CELLS of them, or NULL: only base */
	uint8_t *meta;                  /* enum meta_bit of each cell, there when cells are */
};

struct shadow_state {
	struct map page_index;
	VEC(struct shadow_page *) pages;
	struct { uint64_t number; struct shadow_page *page; } cache[256];
	VEC(struct entry) older;
	uint32_t older_free;                    /* chained by `more` */
};

/* All for the event at hand. */
struct entry *memory_cell(struct verifier *v, uint64_t address, struct shadow_page **page);     /* made if need be */
void memory_write(struct verifier *v, uint64_t address, unsigned size, const uint8_t *bytes, unsigned flags);
void memory_range(struct verifier *v, uint64_t address, uint64_t size, const uint8_t *bytes, uint64_t known, int fill,
	unsigned flags);                                                /* bytes past `known`: fill, or -1 unknown */
void memory_learn(struct verifier *v, struct shadow_page *p, uint64_t address, uint8_t mask, uint64_t value);
void memory_forget(struct verifier *v, uint64_t address, uint64_t size);
void memory_doubt(struct verifier *v, uint64_t address);                /* what was written there last may not have been */
void memory_release(struct verifier *v);
static inline uint64_t spread(uint8_t mask)             /* a byte of ones for each bit */
{
	uint64_t m = mask * 0x0101010101010101ull & 0x8040201008040201ull;
	return ((m + 0x7f7f7f7f7f7f7f7full) & 0x8080808080808080ull) / 0x80 * 0xff;
}
static inline uint8_t equal_bytes(uint64_t a, uint64_t b)       /* a bit for each byte that is the same */
{
	uint64_t x = a ^ b, differs = (((x & 0x7f7f7f7f7f7f7f7full) + 0x7f7f7f7f7f7f7f7full) | x) & 0x8080808080808080ull;
	return (uint8_t)~((differs >> 7) * 0x0102040810204080ull >> 56);
}

/* ---- may this read have this value? (verify_reads.c) ---- */
/* Whom a read belongs to while it waits for a later, concurrent write that explains it. */
struct open_read {
	struct verify_problem about;
	uint64_t time_seq, record;      /* its place in the merged order; the time of its record */
	uint32_t time;                  /* of its thread */
	uint32_t cells;                 /* still unexplained */
	bool weak, interrupted, exact;              /* unseen code may explain it; atomic: later atomics do not */
	bool closed;
};
struct pending { uint64_t cell, value; uint32_t read, next; uint8_t mask; };

struct waiting_state {                          /* reads that wait for what explains them */
	VEC(struct open_read) open;
	VEC(struct pending) pending;
	struct map pending_index;               /* cell -> index + 1 */
	size_t unresolved;
	struct map site_index;                  /* address of a place -> index into out->unseen + 1 */
};

void reads_check(struct verifier *v, const struct event *ev, uint64_t address, unsigned size, const uint8_t *bytes);
void reads_resolve(struct verifier *v, uint64_t cell, const struct entry *written);     /* a cell with META_PENDING */
void reads_weaken(struct verifier *v, uint32_t thread, uint32_t since); /* unseen code ran in `thread` since then */
void reads_interrupted(struct verifier *v, uint32_t thread, uint64_t time);      /* a signal, while the record of this time was made */
void reads_finish(struct verifier *v);

/* ---- stores that wait (verify_held.c) ---- */
bool held_back(struct verifier *v, const struct event *ev, unsigned flags);     /* false: it does not wait */
void held_flushed(struct verifier *v, const struct event *ev);                  /* a FLUSH */

/* ---- the whole (verify.c) ---- */
struct thread_state {
	struct clock clock;
	uint32_t change;                /* bumped when it learns something */
	bool forked, begun, ended, joined, seen;
	bool after_handler;             /* its last event was a signal handler's */
	/* calls and frames */
	VEC(struct frame) frames;
	uint32_t callbacks;             /* how many of them libraries called */
	uint64_t stack_low, stack_high;
	enum call_kind call;            /* the call under way, as far as known */
	const char *callee;             /* NULL: through a pointer */
	uint32_t call_seq;
	uint32_t outside_seq;           /* the last event that was no plain access: libraries may have run */
	uint32_t wild_time;             /* own number when unseen code last ran in it, 0 never */
	uint32_t clean_gen, clean_change;       /* clean_known is right for these */
	bool clean_known;
	/* the record at hand: a signal handler may jump out of it half way */
	uint64_t recent_time, recent[40];
	uint32_t recent_count;
	/* waits */
	uint64_t waits_cond;            /* between CWAIT and CWAKE, 0 none */
	uint64_t enters;                /* barrier entered and not left, 0 none */
	uint64_t enters_generation;
	uint64_t doubtful_unlock;       /* unlocked what it does not hold; refused if the next event says so */
	struct event doubtful_event;
};

struct verifier {
	struct verify *out;
	struct trace *trace;
	struct objects *objects;
	bool total, real, last, values;         /* order; it names objects; a flight recording; it has values */
	bool flow, libraries;                   /* it says which functions ran; objects are loaded that may write what is not seen */
	uint64_t number;                        /* total: of the event before, and whose it is */
	uint32_t number_of;
	uint32_t now;                           /* thread of this event, */
	bool in_handler;                        /* in a signal handler */
	uint32_t seq;                           /* events so far: the place of this one in the merged order + 1 */
	uint32_t thread_count;
	struct thread_state *threads;
	struct stripe_state *stripes;
	struct sync_state sync;
	struct calls_state calls;
	struct shadow_state shadow;
	struct waiting_state waiting;
	struct held *held;                      /* NULL: no store has waited so far */
};

#define PROBLEMS_KEPT 100u
struct verify_problem *problem(struct verifier *v, enum verify_rule rule, const struct event *ev, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
const char *path_of(const struct verifier *v, uint32_t thread);
const char *object_text(struct verifier *v, uint64_t address);         /* kept */

/* Does `thread` at its `time` come before what `now` does at this moment? */
static inline bool before(const struct verifier *v, uint32_t thread, uint32_t time, uint32_t now)
{
	const struct clock *c = &v->threads[now].clock;
	return v->total || thread == now || (thread < c->count && c->at[thread] >= time);
}

#endif
