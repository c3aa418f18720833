/* order/inside.h -- what the files of order/ share; check.c takes only `struct node` and the lists of threads from it.
 *
 *   (1) a node's number is its place in the observed order; threads[t].node[] are those of t, rising;
 *   (2) rows[n.row * threads + t] is how many nodes of t must come before n, for t other than n's own;
 *   (3) a section lies between an acquire and its release; of one thread's sections of one lock at most one is open, as locks
 *       taken again by their holder are one section;
 *   (4) a thread's first node is its begin, so nothing of a thread stands at spot 0 but that;
 *   (5) lines are rows of nodes in one order: those of the threads, and in a weak order, behind them, one for each thread's store
 *       buffer, whose nodes are FLUSHes, and more such (stores.c).  `thread` in a node or a spot is the number of a line; that modulo
 *       own_count is whose it is;
 *   (6) a FLUSH is the node right behind the one that was made. */
#ifndef RADDLE_ORDER_INSIDE_H
#define RADDLE_ORDER_INSIDE_H

#include "base/heap.h"
#include "base/map.h"
#include "base/vec.h"
#include "order/order.h"

#define NONE UINT32_MAX

enum op {                       /* what a node does, beyond the must-order */
	OP_PASS,                /* nothing: its place in the must-order is all */
	OP_TAKE, OP_GIVE,       /* a lock; weak orders: a spin lock is given back by a FLUSH */
	OP_CWAIT, OP_CWAKE,     /* gives a lock and waits; has been signalled and takes it */
	OP_SIGNAL, OP_BROADCAST,
	OP_SWAIT, OP_SPOST,
	OP_EMPTIES              /* nothing but that its thread's store buffer is empty behind it; weak orders only (buffer.c) */
};

struct node {
	uint32_t thread, at;            /* the at-th of its thread */
	uint32_t row, held;             /* must-order; sections its thread is in behind it: helds[], 0 none */
	uint32_t section;               /* TAKE GIVE CWAIT CWAKE: sections[], or NONE */
	uint32_t object;                /* condition or semaphore: conds[], sems[]; CWAKE and CWAIT: conds[] */
	uint32_t access;                /* accesses[], the first of its own; NONE */
	uint32_t other;                 /* CWAKE: its CWAIT, if it needs a signal, else NONE; FLUSH: the release that reaches memory */
	uint64_t key : 40;              /* 2 * index of the event in its thread + 1; one less: made up, in front of it */
	uint64_t op : 8, kind : 8, order : 7;   /* enum op; enum event_kind of the event, 0: made up; atomics and fences: enum mem_order */
	uint64_t keeps : 1;             /* weak orders: a call of libc without a locked instruction, which leaves stores in the buffer */
	uint64_t address, number;       /* object and arg of the event */
	const struct place *place;
};
_Static_assert(sizeof(struct node) == 64, "a trace of 10^8 events has more than 2 * 10^7 of them");

#define ONCE_LEFT 2                     /* number of a ONCE whose routine was left by an exception or the like */

struct section { uint32_t lock, thread, take, give; bool shared; };     /* give: NONE, never given back */
struct held { uint32_t section, next; };
struct lock_user { uint32_t thread; VEC(uint32_t) sections; };
struct fail { uint32_t node, section; };                               /* a trylock, and whom it met */
struct lock { uint64_t address; uint32_t open, read_by, write_by, dead, since, made; bool robust, tried, again; VEC(struct lock_user) users; VEC(struct fail) fails; };
/* open: sections not given back so far; by: where writers go first, thread + 1, NONE several; dead: the node that destroyed it, + 1;
 * since: the first section behind that; made: the node that made it, + 1, 0 it was there from the first;
 * robust: it was taken over from a thread that had ended; tried: by one who did not get it;
 * again: it was made again, or is one that was */
struct cond { uint64_t address; VEC(uint32_t) nodes; };                 /* waits, wakes and signals, rising */
struct sem { uint64_t address; VEC(uint32_t) nodes; VEC(int64_t) after;  /* values behind each, counted from 0 */
	 int64_t value, lowest, first; uint32_t made; bool known, fresh, again; };      /* made: the node that made it where another was, + 1; 0 none; again: as of locks */
struct shared_map { uint64_t start, bytes; };
struct born { uint64_t address; uint32_t node; };       /* memory was given out there: from this node on another lock or semaphore */
#define BLOCK_BITS 6                    /* of blocks of memory in which locks and semaphores are looked for */

struct open { uint32_t lock, section, depth; };
/* Weak orders: a release that waits; a store that no longer overtakes some of them, by the bytes it touches (PSO). */
struct mark { uint64_t key; uint32_t node; bool fence; };
struct behind { uint64_t key; uint32_t marks; };

struct thread_line {
	VEC(uint32_t) node;
	VEC(struct open) open;
	uint32_t row, held;             /* now */
	bool begun, ended, blocked;     /* blocked: its last event says that it is about to wait */
	uint32_t cwait;                 /* waits now, or NONE */
	uint32_t release_fence;         /* the last, or NONE */
	VEC(uint32_t) loose;            /* releases seen by relaxed reads since the last acquire fence */
	uint64_t last_index;
	VEC(struct mark) marks;         /* weak orders: its releases that wait, rising; the i-th is node i of its buffer's line */
	VEC(struct behind) behinds;     /* rising by key */
	VEC(uint64_t) mixed;            /* keys of stores that overlap another one that may still wait, and are not the same bytes */
	VEC(uint32_t) empties;          /* its nodes behind which the buffer is empty, rising */
	VEC(uint32_t) leaving;          /* sections of spin locks it has left since the buffer was empty: the store that gives one back may wait */
};

struct message { VEC(uint32_t) from; };                 /* releases a location carries, one of each thread */
struct saw { uint32_t node, from; };                   /* an atomic or a fence, and a release it saw */
struct gather { VEC(uint32_t) nodes; };                 /* all who entered a generation, released an object, ... */

struct unmodelled { const char *name; const struct place *where; uint64_t times; };
struct choice { uint32_t first, second; uint64_t object; const char *what; bool after; };   /* nodes */

struct edge { uint32_t from, to; };

/* access.c: bytes touched by a node; the values of the first 16, where they are known.  reaches: the node behind which what it writes is in
 * memory, itself or its FLUSH; cell: of a write, where its cells begin in written_cells[]; torn: it waits, and reaches memory word by word */
struct access { uint64_t address; uint32_t size, node, reaches, cell; bool reads, writes, read_known, wrote_known, torn; uint8_t read[16], wrote[16]; };
struct access_cell { VEC(uint32_t) writes; uint8_t first[8], first_known; };    /* 8 bytes: accesses[]; values nobody wrote */

struct order {
	const struct trace *trace;
	uint32_t thread_count;                  /* lines */
	uint32_t own_count;                     /* lines that are threads of the trace; weak: half of them */
	bool weak;
	enum order_model model;                 /* stores that wait are nodes, under this one (stores.c); SC: they are not */
	uint32_t chains;                        /* and lines of each thread for them */
	bool overordered;                           /* more is in order than must be: then no question may be answered NO */
	struct thread_line *threads;
	VEC(struct node) nodes;
	VEC(uint32_t) rows;
	uint32_t row_count;
	VEC(struct section) sections;
	VEC(struct held) helds;
	VEC(struct lock) locks;
	VEC(struct cond) conds;
	VEC(struct sem) sems;
	struct map lock_index, cond_index, sem_index, gather_index, once_index;     /* address -> 1 + number */
	struct map block_index;                 /* address >> BLOCK_BITS -> 1: a lock or semaphore lies in that block */
	struct map user_index;                  /* lock << 32 | thread -> 1 + index in users */
	struct map message_index;
	struct map behind_index;                /* weak: thread << 48 ^ byte -> releases of its thread it is behind (PSO) */
	struct map store_index;                 /* stores.c: thread << 48 ^ byte -> 1 + FLUSH of its last store there */
	struct map extent_index;                /* weak: the same -> how often the buffer was emptied << 32 | which bytes the store there has, mixed */
	VEC(struct message) messages;
	VEC(struct gather) gathers;
	VEC(struct saw) saws;                   /* rising by node */
	VEC(struct born) born;                  /* rising by node */
	VEC(struct shared_map) shared_maps;     /* memory other processes have too */
	VEC(struct unmodelled) unmodelled;
	VEC(struct choice) choices;
	VEC(uint32_t) tried;                    /* nodes that take a lock they only tried for */
	VEC(struct access) accesses;
	VEC(struct access_cell) cells;
	VEC(uint32_t) written_cells;            /* of each write, one behind the other: cells[] */
	struct map cell_index;                  /* address / 8 -> 1 + number */
	bool sealed, robust, lives, blind;      /* robust: some lock is; lives: some lock was made again; blind: the atomic at hand does not look at what it meets */
	bool (*goes_on)(void *with);            /* or NULL: until the answer is known */
	void *goes_with;
	uint64_t spent;                         /* steps of all questions */
	struct search *search;                  /* scratch, search.c */
	struct scratch *room;                   /* ask.c's */
	struct replay *replay;                  /* check.c's own memory */
	struct kept *kept;                      /* kept.c's rows, once they are asked for */
};

/* must.c */
const char *node_word(uint8_t kind, uint64_t address);                  /* what it did, in a word or four */
void node_explain(const struct order *o, uint32_t node, FILE *out);     /* the same, and whose, and where */
bool must(const struct order *o, uint32_t x, uint32_t y);               /* node x before node y, in every run */
uint32_t row_new(struct order *o, uint32_t like);                       /* a copy */
bool row_learn(struct order *o, struct thread_line *t, uint32_t self, uint32_t node, bool *own);   /* t's row knows `node`; *own: it is already a fresh one */
void cone_add(const struct order *o, uint32_t *front, uint32_t node);   /* front[] reaches node and all it needs */

void front_at(const struct order *o, uint32_t *front, uint32_t cut);    /* the observed prefix of nodes below `cut`, added to front[] */

/* near.c: the observed order, restricted.  front[] grows.  True it holds; false a limit was met on the way: *culprit is the
 * take of the section that cannot be closed, or NONE. */
bool near_complete(const struct order *o, uint32_t *front, const uint32_t *limit, uint32_t *culprit);
/* The last section of `lock` that `thread` has begun within `front` and that cannot overlap one of mode `shared`; NONE. */
uint32_t last_begun(const struct order *o, uint32_t lock, const struct lock_user *u, uint32_t front, bool shared);

/* access.c */
struct access_cell *access_cell(const struct order *o, uint64_t byte);          /* NULL: nobody touched it */
uint32_t access_cells(const struct access *a);                                  /* how many it touches, in whole or in part */
uint8_t access_in_cell(const struct access *a, uint32_t nth);                   /* which bytes of the nth of them */
int access_byte(const struct access *a, uint64_t byte, bool written);           /* the value there, -1 not known */
uint32_t access_last_write(const struct order *o, uint64_t byte, uint32_t before);      /* observed, below node `before`; NONE */
uint32_t access_write_of(const struct order *o, uint32_t node, uint64_t byte);  /* the access by which a node writes it; NONE */
uint32_t access_last_own(const struct order *o, uint64_t byte, uint32_t reader);        /* of the reader's own thread, made before it; NONE */

/* ask.c: order_ask() when its no is to be written down, and when values are asked for. */
struct proof;
struct asked { const struct edge *more; uint32_t more_count; bool whole; const struct order_read *read; struct proof *proof; };
enum order_answer ask_proof(struct order *o, const struct question *q, const struct asked *asked);
uint32_t turned_edges(const struct order *o, const struct stand *a, const struct stand *b, struct edge *edges);  /* at most 4: b before a */
/* reads.c: what a read is to return from is in memory by the end, or its own; how many edges, 0 or 1. */
uint32_t reads_before(const struct order *o, const struct order_read *q, struct edge *edge);
enum order_answer ask_reads(struct order *o, const struct question *q, const struct order_read *read, const struct edge *more,
	uint32_t more_count);

/* search.c; search_complete: complete.c */
enum order_answer search_ask(struct order *o, const struct question *q, const struct asked *asked);
void search_free(struct search *s);
/* The witness, a prefix, goes on by the rules to all of the trace.  False: stuck, and it is as it was. */
bool search_complete(struct order *o, struct witness *w);

void check_free(struct replay *r);
void kept_free(struct kept *k);
bool ask_no_counts(struct order *o);                    /* may a question be answered NO at all? */
const char *check_observed(struct order *o);            /* NULL the observed order keeps the rules, else what is wrong with it */
void ask_free(struct scratch *s);
/* check.c: replays a witness by its own reading of the rules.  NULL it holds, else what is wrong with it. */
const char *check_witness(struct order *o, const struct witness *w, const struct question *q);
/* check_reads.c: and of a witness that does, whether its reads return what they should. */
const char *check_reads(const struct order *o, const struct witness *w, const struct order_read *q);

static inline bool access_covers(const struct access *a, uint64_t byte)
{
	return byte >= a->address && byte - a->address < a->size;
}

static inline bool order_stopped(const struct order *o)
{
	return o->goes_on && !o->goes_on(o->goes_with);
}

static inline bool in_front(const struct order *o, const uint32_t *front, uint32_t node)
{
	return o->nodes.at[node].at < front[o->nodes.at[node].thread];
}

static inline uint32_t node_of(const struct order *o, uint32_t thread, uint32_t at)
{
	return at < o->threads[thread].node.count ? o->threads[thread].node.at[at] : NONE;
}

/* Has the section's thread left it by that node of its own, though the store that gives its lock back may still wait? */
static inline bool section_left(const struct order *o, const struct section *s, uint32_t node)
{
	return s->give != NONE && o->nodes.at[s->give].kind == EV_FLUSH && o->nodes.at[s->give].other <= node;
}

/* What is made at this node is in memory behind that one. */
static inline uint32_t node_reaches(const struct order *o, uint32_t node)
{
	return node + 1 < o->nodes.count && o->nodes.at[node + 1].kind == EV_FLUSH && o->nodes.at[node + 1].other == node ? node + 1 : node;
}

#endif
