/* analyses/check/threads.h -- what each thread of a program does, as far as runs have shown: a tree by what it was told. */
#ifndef RADDLE_ANALYSES_CHECK_THREADS_H
#define RADDLE_ANALYSES_CHECK_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#include "analyses/check/image.h"
#include "base/map.h"
#include "base/vec.h"
#include "drive/steer.h"
#include "drive/surroundings.h"
#include "trace/live.h"

#define NO_NODE     UINT32_MAX
#define NO_CELL     UINT32_MAX
#define MAX_THREADS 128u
#define EXIT_FAILED 0x100u              /* and the signal: `value` of an exit that is none by exit() */
#define MOST_CHOICES 256u              /* numbers of raddle_choose */

enum deed {
	DEED_UNKNOWN,           /* no run has come here yet */
	DEED_BACK,              /* the place is the one called `first`: a loop (loops.c) */
	DEED_READ, DEED_WRITE, DEED_UPDATE,     /* update: what is written hangs on what was read (read-modify-write, compare-exchange) */
	DEED_FENCE,
	DEED_LOCK, DEED_UNLOCK, DEED_WAIT, DEED_WAKE, DEED_SIGNAL, DEED_BROADCAST,
	DEED_DOWN, DEED_UP,                     /* of a semaphore */
	DEED_ARRIVE, DEED_LEAVE,                /* at a barrier */
	DEED_ONCE, DEED_ONCE_DONE,              /* told 1: this thread runs it, up to the other one */
	DEED_INIT,                              /* of a semaphore or barrier, by the only thread there is */
	DEED_CHOOSE,                            /* told any number below `value` (raddle_choose) */
	DEED_REFUSED,                           /* a call that only this thread's own deeds made fail */
	DEED_ALLOC, DEED_FREE, DEED_CREATE, DEED_JOIN,
	DEED_RESULT,                            /* told what the thread that was joined returned: `value` of where that one ended, if `plain` */
	DEED_END,
	DEED_EXIT,              /* of the whole program: by exit, abort, a failed assertion */
	DEED_ATOMIC,            /* no other thread goes on from here (`value` 1) up to the other one (0), unless this one has to wait */
	DEED_NEVER              /* it goes no further: an assumption that does not hold, a thread more than the search is bounded to */
};

/* A place in a thread's life: all it was told before is on the way here. */
struct node {
	uint32_t parent, thread;
	uint64_t told;                  /* at the parent: what leads here */
	uint64_t written;               /* at the parent, by an update that was told so */
	/* What it does here. */
	uint8_t deed, size;
	bool waits;                     /* a write, or an unlock that is one (of a spin lock): it waits in its thread's store buffer (TSO, PSO).  A lock that
	                                 * is only tried: where it is not free, stores stay in the buffer; */
	bool release;                   /* and overtakes nothing (PSO).  A fence: no later write overtakes earlier ones, else it empties the buffer */
	bool plain;                     /* an access that is not atomic; a choice there are more numbers for than are explored */
	bool failed;                    /* at the parent: the update that was told so wrote nothing, it is a compare-exchange */
	bool recursive, reading;        /* the lock may be taken again by who has it; is taken for reading */
	bool tried, timed;              /* it does not wait: it is told EBUSY, EAGAIN; it may give up at any time: ETIMEDOUT */
	uint32_t other;                 /* thread created, joined */
	uint64_t object, second;        /* address, lock, condition; a wait's lock */
	uint64_t value;                 /* written; how many to choose from; of a new semaphore or barrier; errno of a refusal; code of an exit */
	uint32_t points;                /* of its thread (wire/steer.h) since the deed before, its own included; 0: part of that one.  Some
	                                 * deeds pass one more or less if they wait: joins, wake-ups that time out, leaving a barrier;
	                                 * one of their own is meant */
	uint32_t cell;                  /* of its first byte among those shared, or NO_CELL; */
	uint32_t life;                  /* cell that says whether its heap block was freed, or NO_CELL: only one thread has to do with it */
	uint32_t lock;                  /* its lock among all locks */
	bool is_head;                   /* of a loop */
	bool was_end;                   /* a class is known in which the thread stands here */
	uint32_t first;                 /* the child learned first, or NO_NODE */
	uint32_t tail;                  /* threads_tail(), 0: not known */
	uint32_t place;                 /* of an access, in threads.places */
};

struct block { uint64_t at, bytes; uint32_t thread; bool by_more, freed, other_uses; uint32_t cell; };
/* thread: that touched it last; other_uses: by locks and library functions */

struct threads {
	uint32_t model;                 /* enum steer_model all runs are made under */
	VEC(struct node) nodes;
	struct surroundings around;     /* what runs loaded and asked for */
	struct names paths;             /* of threads, "T_0" first: their numbers */
	struct names places;            /* "bank.c:41", a tab, what is accessed there or nothing */
	uint32_t roots[MAX_THREADS];
	struct map children;            /* node and number of what was told -> node */
	struct map tolds;               /* what was told -> a number */
	struct map tails;               /* a write, and the tail behind it -> a number */
	struct map bytes;               /* address -> who touched it */
	struct map initial;             /* address -> value + 1 before anybody wrote */
	struct map cells;               /* address -> number; those more than one thread touches and one writes */
	VEC(uint64_t) cell_at;          /* addresses; behind them a cell for each block that one thread frees and another uses */
	VEC(struct block) blocks;       /* of the heap, by address */
	uint32_t life_count;
	struct map locks;               /* address -> number */
	struct map objects;             /* locks, conditions and the like: address -> bytes */
	uint32_t values;                /* so many of a number there are more than MOST_CHOICES of are explored, */
	bool has_wide;                  /* and there was one; */
	bool bounded;                   /* or a thread stopped at the bound of threads */
	bool is_unbounded;              /* no search within a bound of threads: what stops there has */
	bool too_many;                  /* threads */
	bool has_sections;              /* DEED_ATOMIC; */
	bool has_assumptions;           /* DEED_NEVER */
	bool follows_libraries;         /* accesses of library functions are deeds of threads, as others are; */
	bool shares_by_library;         /* they are not, and should be */
	bool alike;                     /* threads that only write may stand for each other */
	bool came_back;                 /* where a class is known to end is the beginning of a loop: that class is another */
	bool grown;                     /* another byte is shared now, or there is another lock or thread, or what a
	                                 * shared byte was at first is known: states are others */
	bool shares_plainly;            /* some access to what threads share is not atomic */
	bool has_thread_memory;         /* thread-local variables, which nobody watches */
	bool addresses_asked;           /* whether the program counts with addresses of blocks */
	bool reuses;                    /* freed blocks are given out again, to who freed them */
	const char *trusted;            /* names of objects whose code need not be watched, with commas between them; or NULL */
	char granted[400];              /* functions of libstdc++ it calls (calls.h) */
	bool asked;                     /* what objects there are, and what they call */
	VEC(struct image *) images;     /* of those that are watched */
	bool (*is_over)(const void *who);       /* no more time to learn, or NULL; */
	const void *who;
	bool cut;                       /* a run was not learned to its end for that */
	char trouble[512];              /* "" none: why what was learned does not tell the whole program */
	char doubted[192];              /* "" none: the same, but bugs are still looked for */
};

void threads_init(struct threads *t);
void threads_release(struct threads *t);

/* For learn.c: what a run shows. */
#define IS_WRITTEN     (1u << 17)
#define BY_LIBRARY     (1u << 18)
#define WRITTEN_AMONG  (1u << 19)       /* while there were other threads */
uint32_t threads_thread(struct threads *t, const char *path);   /* its number; MAX_THREADS and more: there are too many */
void threads_touch(struct threads *t, uint32_t thread, uint64_t at, uint64_t bytes, uint64_t flags);
void threads_block_add(struct threads *t, uint64_t at, uint64_t bytes);
enum use { USE_ACCESS, USE_FREE, USE_OTHER };
void threads_block_touch(struct threads *t, uint32_t thread, uint64_t at, enum use use);
bool threads_has_block(const struct threads *t, uint64_t at);    /* of the heap */
void threads_uses_object(struct threads *t, uint32_t thread, uint64_t at, uint32_t bytes);      /* a lock, a condition */
bool threads_shares(const struct threads *t, const struct node *n);     /* another thread has to do with its bytes */
void threads_find_cell(struct threads *t, struct node *n);      /* and its lock */

/* Where each thread was when a run ended. */
/* NO_NODE: never begun; spins: all that did not wait went round; discarded: the run is of no interest (OUTCOME_ASSUME) */
struct run_end { uint32_t at[MAX_THREADS]; uint32_t count; bool spins, discarded; };
/* Learns from a steered run of which all points were asked for, and its events; and where it ended. */
void threads_learn(struct threads *t, const struct steer_result *run, struct live *events, struct run_end *end);

void threads_are_ends(struct threads *t, const uint32_t *nodes, uint32_t count);        /* of a class: `was_end` */
uint32_t threads_child(struct threads *t, uint32_t node, uint64_t told);                /* made if it was not there */
uint32_t threads_child_known(const struct threads *t, uint32_t node, uint64_t told);    /* NO_NODE: not there */
/* Nodes from which threads only write and end have a number, the same for the same writes; others 0. */
uint32_t threads_tail(struct threads *t, uint32_t node);
uint32_t threads_tail_with(struct threads *t, uint32_t write, uint32_t tail);   /* of this write and then what `tail` stands for */
void threads_find_cells(struct threads *t);             /* and the cell of every node; clears `grown` */
bool deed_is_private(const struct node *n);             /* no other thread can notice it or be noticed by it, and it ends */

#endif
