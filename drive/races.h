/* drive/races.h -- data races of a steered run: accesses of two threads to the same bytes, at least one of them a write, not both
 * atomic, and neither happens before the other.  The rules of each primitive: docs/races.md.
 *
 * Events are handed over in the order of the run, each once.  What was found is copied out at the end.  One detector serves any
 * number of runs: races_begin() costs nothing but what the run before it used.
 *   (1) what is reported is a race of this run by the rules of C11 and POSIX: an edge is left out only where no rule gives one;
 *   (2) of each thread, kind of access and source place the last access to each byte is remembered, so every pair of places
 *       that raced is found; of words with more than `a_word` of them those are forgotten whose races are races of a later
 *       access too, so every access that raced with an earlier one is found, with one such at least; what else was forgotten
 *       for want of room is counted (`unseen`);
 *   (3) memory is bounded by struct race_limits whatever the program does.  Edges are never forgotten: when there is no room for
 *       them the detector stops and says so (`stopped`).
 * Cost: O(accesses remembered of a word) per access, O(threads) per synchronisation. */
#ifndef RADDLE_DRIVE_RACES_H
#define RADDLE_DRIVE_RACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/vec.h"
#include "trace/event.h"
#include "trace/reader.h"

struct race_limits {                    /* 0: the default */
	uint32_t accesses;              /* remembered at once; 40 bytes each */
	uint32_t chunks;                /* of 512 bytes of the program's memory; 320 bytes each */
	uint32_t a_word;                /* of one 8-byte word before it is asked which of them matter; up to 8 times as many if all do */
	uint32_t edges;                 /* numbers in all vector clocks; 4 bytes each */
	uint32_t pairs;                 /* reported */
};

struct race_lock { uint64_t address; bool reading; const struct place *place; char *name; };     /* where it was taken */

struct race_side {
	uint32_t thread;                /* index into race_list.threads */
	uint8_t kind;                   /* enum event_kind */
	bool write, atomic;
	uint32_t bytes;
	uint32_t nth;                   /* event of its thread, as a schedule counts them; 0 not known */
	uint64_t address;               /* its first byte that both touched */
	const struct place *place;
	bool stack_known;
	const struct place **stack;     /* functions it was inside of, innermost first, that of the access not among them; line 0: where it called is not known */
	uint32_t stack_count;
	struct race_lock *locks;        /* it held, the last taken first */
	uint32_t lock_count;
	const struct place *unseen;     /* its thread came through code nobody watches there, after the earlier access or before the later one: it may have ordered them; or NULL */
	const char *unseen_in;          /* that library; NULL: assembly */
};

enum race_memory_kind { RACE_UNKNOWN, RACE_GLOBAL, RACE_HEAP, RACE_STACK, RACE_TLS, RACE_MAP };
struct race_memory {
	enum race_memory_kind kind;
	const char *name;               /* GLOBAL */
	uint64_t offset, bytes;         /* from its start; its size, 0 unknown */
	uint32_t thread;                /* who allocated it, whose stack it is */
	const struct place *place;      /* where it was allocated, or NULL */
};

struct race {
	struct race_side side[2];       /* the earlier one first */
	struct race_memory memory;
	uint64_t times;                 /* pairs of accesses from these two places */
	struct race *also;              /* the same two places in the same run, other memory: the first race of it; or NULL */
};

struct race_thread { const char *path; uint32_t maker; const struct place *made_at; };  /* maker: index, or UINT32_MAX not known */

struct race_list {                      /* race_list_release() it; places live as long as what the events came from */
	VEC(struct race) all;
	VEC(struct race_thread) threads;
	uint64_t more;                  /* pairs of places there was no room for */
	uint64_t unseen;                /* accesses forgotten for want of room: races with them cannot be seen */
	const char *stopped;            /* why it looked no further, or NULL */
	struct arena arena;
};

/* Races of runs made one after the other by the same detector: each pair of places in full where it was first seen. */
struct race_hit { uint32_t run, race; };        /* race: of first.all, or one of these: */
#define RACE_UNSEEN  (UINT32_MAX - 1)           /* accesses were forgotten */
#define RACE_STOPPED UINT32_MAX                 /* it was not looked at to the end */
struct race_row {                               /* all zero: none; race_row_release() it */
	struct race_list first;                 /* `times` is that of the first run it was seen in */
	VEC(struct race_hit) hits;              /* what was seen in which run, from 0; by run */
	uint32_t runs;
};

/* What an address is called and how threads are; NULL members: not known. */
struct race_names {
	void *who;
	const char *(*symbol)(void *who, uint64_t address, uint64_t *offset);
	const char *(*path)(void *who, uint32_t thread);
	const struct place *(*function)(void *who, uint64_t descriptor);        /* of a frame */
	const struct place *(*call)(void *who, uint64_t returns);               /* where the call stands that returns there */
	const char *(*library)(void *who, uint64_t address);                    /* file of code nobody watches that may synchronise, or function there; NULL: it is none */
};

const char *race_library(const struct trace *t, uint64_t address);      /* as struct race_names wants it */

struct races;
struct races *races_new(const struct race_limits *limits, const struct race_names *names);     /* limits NULL: defaults */
void races_begin(struct races *r);                              /* a new run; also right after races_new() */
void races_note(struct races *r, const struct event *ev);
void races_take(struct races *r, struct race_list *out);        /* what was found since races_begin() */
/* A row of runs: races_begin(), then for each run its events and races_next(), then races_take_row(). */
void races_next(struct races *r);                               /* the run is over and another one begins: what was found stays */
/* The run that would begin now has the same events as an earlier one of the row, whose hits are `count` from `from` on: as if it were over. */
void races_next_like(struct races *r, size_t from, size_t count);
size_t races_hits(const struct races *r);                       /* of all runs of the row so far */
void races_take_row(struct races *r, struct race_row *out);     /* what was found since races_begin(), up to the last races_next() */
void race_row_release(struct race_row *row);
uint64_t races_memory(const struct races *r);                   /* bytes it holds */
void races_free(struct races *r);                               /* NULL is fine */
void race_list_release(struct race_list *l);

/* All of a trace with a total order.  0, or -1 and why. */
int races_of_trace(struct trace *t, const struct race_limits *limits, struct race_list *out, struct err *why);

/* Each race in full, then what could not be seen. */
void race_print(const struct race_list *l, const struct race *r, FILE *to);
void race_list_print(const struct race_list *l, FILE *to);
void race_json(const struct race_list *l, const struct race *r, FILE *to);      /* one line */
void race_list_json(const struct race_list *l, FILE *to);       /* one line each */
/* "bank.c:41: race: 'balance' written by T_0_1, read by T_0_2 at bank.c:57"; returns into. */
char *race_line(const struct race_list *l, const struct race *r, char *into, size_t room);

#endif
