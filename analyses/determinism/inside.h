/* analyses/determinism/inside.h -- the walk over one trace that its files share.
 * determinism.c walks and says how often, access.c knows what an event touches, pairs.c which of it depends on each other and what is asked
 * of that, addresses.c what depends on where blocks lie, tries.c what was only tried for, verdict.c what follows. */
#ifndef RADDLE_DETERMINISM_INSIDE_H
#define RADDLE_DETERMINISM_INSIDE_H

#include "analyses/determinism/determinism.h"
#include "analyses/determinism/sources.h"
#include "base/vec.h"
#include "trace/shadow.h"
#include "trace/uncovered.h"

#define MADE_UP    (1ull << 63)         /* addresses of what is no memory: files, and */
#define KEPT_AT(what) (MADE_UP | 1ull << 62 | (uint64_t)(what) << 3)    /* what functions keep, enum kept */

#define VARIABLES_MOST 24u
#define RECENT_BITS 12u
struct recent { uint64_t key, pair; };
#define PLACES_BITS 8u
struct met { const struct place *place; uint32_t number; };
struct variable { uint64_t from, bytes; uint32_t object; };
struct refused { uint64_t key[2]; bool is; };           /* two spots that cannot change places */

enum called { CALLED_NEW, CALLED_SEEN, CALLED_KNOWN, CALLED_UNSEEN, CALLED_PERHAPS };   /* its effects are in the trace, or told by its name, or neither */
struct named { const struct place *place; const char *function; };      /* "": called through a pointer */
struct callee { enum called called; bool aside; const struct source *source; uint64_t target; }; /* aside: what it is handed may be anybody's, and nobody watches */
struct alive { struct spot first, last; bool began, ended; };            /* a thread */
struct change { struct spot spot; const struct place *place; const char *function; };     /* that whatever others do may depend on; NULL: memory ends */

struct hand_over { struct spot from, to; const struct place *place; };          /* of the heap, from one thread to another: as it was observed */

enum tried { TRIED_LOCK, TRIED_SEM, TRIED_JOIN };

struct walk {
	struct determinism *out;
	struct recent recent[1u << RECENT_BITS];        /* pairs met lately */
	struct refused refused[1u << RECENT_BITS];
	struct met met[1u << PLACES_BITS];              /* places met lately */
	struct variable variable;                       /* the one touched last */
	struct order *order;
	struct objects *objects;
	struct shadow shadow;
	struct map place_number, object_number, pair_number;    /* number + 1 */
	VEC(const struct place *) places;
	struct commute *commute;                        /* or NULL: nothing is known of updates */
	VEC(uint32_t) updater;                          /* by place: commute_note() */
	VEC(struct callee) calls;                       /* by place */
	VEC(struct change) changes;
	VEC(struct alive) alive;                        /* by thread */
	struct { uint64_t address, bytes; enum kept kept; } variables[VARIABLES_MOST];  /* of the library, as far as the trace names them */
	uint32_t variable_count;
	uint8_t facts;                                  /* enum source_fact, as far as known: what was looked at before one was known is looked at again */
	VEC(struct named) named;                        /* functions called that are set aside in the end */
	VEC(uint32_t) spoke;                            /* by thread: the spot + 1 at which it last said that it touches something */
	VEC(struct brief) perhaps;                      /* by thread: the call it just made, which may lead to code nobody watches; writes: there is one */
	struct uncovered *uncovered;                    /* or NULL: not asked yet */
	VEC(const char *) object_names;
	VEC(struct hand_over) heap;                     /* one thread allocated or freed, and then another */
	struct spot heap_last;                          /* the last to do so; */
	bool heap_used;                                 /* there is one */
	const struct place *forks_at;                   /* where the last thread was made, or NULL, */
	struct thread_id forks;                         /* and by which */
	VEC(struct hand_over) stacks;                   /* one thread created or joined one, and then another did, and not both joined */
	struct spot stacks_last;                        /* the last to do so; */
	uint32_t stacks_kind;                           /* what it did, 0: there is none */
	const struct place *shows_address, *shows_stack; /* where an address of the heap is written out, of a stack, or NULL */
	VEC(struct pair) pairs;
	VEC(struct reason) reasons;
	const uint32_t *row;            /* must-order of the event at hand, once it was asked for */
	VEC(bool) stays;                /* by thread: the function it called last is told where to read */
	VEC(bool) tries;                /* by thread: the function it called last tries to take something */
	bool tells_tries;               /* the trace says what was tried for */
	bool may_try[3];                /* of a steered run, which has no calls: the program knows such a function, of each enum tried */
	bool exits;                     /* the process came to its end */
	bool live, again;               /* the order is not complete yet; it must be walked again when it is */
};

/* pairs.c */
void walk_doubt(struct walk *w, const char *text, const struct place *where, uint64_t times);   /* why it cannot be known; each once a line of the source */
uint32_t walk_place(struct walk *w, const struct place *place);                 /* its number */
uint32_t walk_update_place(struct walk *w, const struct place *place, uint32_t updater);
uint32_t walk_updater(const struct walk *w, uint32_t place);                    /* commute_note() of updates made there; 0: none */
uint32_t walk_object(struct walk *w, uint64_t address);                         /* the number of what lies there, never 0 */
void walk_dependent(struct walk *w, const struct brief *before, const struct brief *now);       /* the same bytes, one writes */
void walk_ask_choices(struct walk *w);                                          /* outcomes that are no memory */

/* access.c: before objects_note() of the event */
void walk_look_at(struct walk *w, const struct event *ev, struct spot spot);    /* what it touches */
void walk_after_call(struct walk *w, const struct event *ev);                   /* before all else */
void walk_find_variables(struct walk *w);                                       /* before the first walk */
void walk_look_back(struct walk *w);                                            /* behind each: may ask for another */
void walk_memory(struct walk *w, const struct event *ev, struct spot spot);     /* memory that begins a new life, or ends one */

/* addresses.c */
void addresses_note(struct walk *w, const struct event *ev, struct spot spot);  /* memory of the heap that is given out or back, output */
void addresses_of_stacks(struct walk *w, const struct event *ev, struct spot spot);     /* a thread is created or joined */
void addresses_ask(struct walk *w);                                             /* when the order is complete */

/* tries.c */
void tries_look_for(struct walk *w);                                            /* before the first walk */
void tries_note(struct walk *w, const struct event *ev, struct spot spot, bool live);
void tries_ask(struct walk *w);                                                 /* when the order is complete */

/* verdict.c: from what was found to `out` */
void walk_conclude(struct walk *w);

#endif
