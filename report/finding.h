/* report/finding.h -- one bug, or what may be one: what every analysis hands over and every form of output is made from.
 *
 * A `struct findings` owns all of its findings, and every text in them is a copy of its own: callers may free what they handed
 * over.  Texts come from traces and are hostile: any bytes but zero; whoever prints them escapes them.  Fill one so:
 *     struct finding *f = findings_add(all, FINDING_RACE, FINDING_CONFIRMED);
 *     struct finding_place *p = finding_place_add(all, f, &event, "T_0_1");
 *     vec_push(&p->stack, finding_spot(all, "bank.c", 70, "worker"));
 *     f->object.name = findings_text(all, "balance");
 * and when all are there findings_finish() gives each its fingerprint and puts them in order.
 * A finding stays where it is; what is inside its arrays moves when more is added to that array. */
#ifndef RADDLE_REPORT_FINDING_H
#define RADDLE_REPORT_FINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "trace/event.h"

/* Enumerator, the word of JSON, SARIF and suppressions, words for people, of many, the count in the summary of JSON,
 * what it is in a sentence. */
#define FINDING_KINDS(K) \
	K(RACE, "race", "race", "races", "races", \
	  "Two threads access the same memory, at least one writes, and nothing orders them.") \
	K(DEADLOCK, "deadlock", "deadlock", "deadlocks", "deadlocks", \
	  "Threads wait for each other in a circle: none of them can go on.") \
	K(LOST_WAKEUP, "lost-wakeup", "lost wake-up", "lost wake-ups", "lost_wakeups", \
	  "A thread waits for a signal that was sent before it began to wait.") \
	K(ATOMICITY, "atomicity", "atomicity violation", "atomicity violations", "atomicity_violations", \
	  "Another thread's access comes between two accesses that belong together, and changes the outcome.") \
	K(ORDER, "order", "order violation", "order violations", "order_violations", \
	  "An access comes before another thread's that has to come first, and that changes the outcome.") \
	K(USE_AFTER_FREE, "use-after-free", "use after free", "uses after free", "uses_after_free", \
	  "Memory is used after another thread has freed it.") \
	K(DOUBLE_FREE, "double-free", "double free", "double frees", "double_frees", \
	  "Memory is freed a second time.") \
	K(USE_AFTER_RETURN, "use-after-return", "use after return", "uses after return", "uses_after_return", \
	  "A local variable is used after its function has returned, or its block was left, by another thread.") \
	K(NULL_DEREFERENCE, "null-dereference", "null dereference", "null dereferences", "null_dereferences", \
	  "A shared pointer is followed while it is null.") \
	K(CRASH, "crash", "crash", "crashes", "crashes", \
	  "The program does what the processor refuses: a wild pointer, a stack that overflows, a division by zero.") \
	K(WEAK_MEMORY, "weak-memory", "weak-memory bug", "weak-memory bugs", "weak_memory_races", \
	  "What no sequentially consistent order shows: it takes a processor's store buffers.")

enum finding_kind {
#define K(name, word, said, many, count, text) FINDING_##name,
	FINDING_KINDS(K)
#undef K
	FINDING_KIND_COUNT
};

enum finding_status { FINDING_CONFIRMED, FINDING_NOT_REPRODUCED, FINDING_SPECULATIVE, FINDING_INFEASIBLE, FINDING_PREDICTED, FINDING_STATUS_COUNT };
enum finding_effect { EFFECT_NONE, EFFECT_CRASH, EFFECT_HANG, EFFECT_OUTPUT, FINDING_EFFECT_COUNT };

/* What a thread does at a place: word of JSON; "T_0 writes"; "written by T_0". */
#define FINDING_ACCESSES(A) \
	A(READ, "read", "reads", "read") \
	A(WRITE, "write", "writes", "written") \
	A(ATOMIC_READ, "atomic-read", "atomically reads", "atomically read") \
	A(ATOMIC_WRITE, "atomic-write", "atomically writes", "atomically written") \
	A(ATOMIC_UPDATE, "atomic-update", "atomically updates", "atomically updated") \
	A(ALLOCATE, "allocate", "allocates", "allocated") \
	A(FREE, "free", "frees", "freed") \
	A(REALLOCATE, "reallocate", "reallocates", "reallocated") \
	A(UNMAP, "unmap", "unmaps", "unmapped") \
	A(LEAVE, "leave", "leaves", "left") \
	A(LOCK, "lock", "locks", "locked") \
	A(READ_LOCK, "read-lock", "locks for reading", "locked for reading") \
	A(UNLOCK, "unlock", "unlocks", "unlocked") \
	A(TRY_LOCK, "try-lock", "fails to lock", "tried in vain") \
	A(WAIT, "wait", "waits for", "waited for") \
	A(SIGNAL, "signal", "signals", "signalled") \
	A(BROADCAST, "broadcast", "broadcasts", "broadcast") \
	A(SEMAPHORE_WAIT, "semaphore-wait", "takes", "taken") \
	A(SEMAPHORE_POST, "semaphore-post", "posts", "posted") \
	A(JOIN, "join", "joins", "joined") \
	A(CREATE, "create", "creates", "created") \
	A(BARRIER, "barrier", "arrives at", "arrived at") \
	A(INITIALISE, "initialise", "initialises", "initialised") \
	A(DESTROY, "destroy", "destroys", "destroyed") \
	A(OTHER, "other", "passes", "passed")

enum finding_access {
#define A(name, word, does, done) ACCESS_##name,
	FINDING_ACCESSES(A)
#undef A
	FINDING_ACCESS_COUNT
};

#define NO_ORDINAL UINT32_MAX

struct finding_spot {                   /* a place in the source; texts are never NULL, "" unknown; line 0 unknown */
	const char *file;               /* as the compiler saw it */
	const char *function;           /* as people write it */
	const char *module;             /* executable or shared object */
	uint32_t line, column;
	uint32_t ordinal;               /* of this place in its function, which the line is not part of; NO_ORDINAL unknown */
};
struct finding_lock { const char *name; bool reading; struct finding_spot taken; };
struct finding_stack { struct finding_spot *at; size_t count, room; };         /* a VEC: innermost first */
struct finding_locks { struct finding_lock *at; size_t count, room; };          /* a VEC: the last taken first */

struct finding_place {                  /* of one thread */
	struct finding_spot at;
	const char *thread;             /* "T_0_1" */
	enum finding_access access;
	uint32_t bytes;                 /* of an access to memory; 0 unknown */
	const char *object;             /* what is waited for, locked, signalled here; "": the finding's object */
	bool stack_known;               /* false: an empty stack says nothing */
	struct finding_stack stack;     /* functions it is inside of, that of `at` not among them */
	bool locks_known;               /* false: no lock among `locks` says nothing */
	struct finding_locks locks;     /* held */
	const char *made_by;            /* the thread that created this one, "" none or unknown */
	struct finding_spot made_at;
};

enum finding_memory { MEMORY_UNKNOWN, MEMORY_GLOBAL, MEMORY_HEAP, MEMORY_STACK, MEMORY_TLS, MEMORY_MAP, MEMORY_LOCK };
struct finding_object {
	const char *name;               /* "balance", "heap block of bank.c:20": the same in every run, so no address */
	const char *field;              /* what the program calls the part of it that is accessed, if that is another name; "" */
	enum finding_memory memory;
	uint64_t offset, bytes;         /* of the access in it; its size, 0 unknown */
	const char *thread;             /* who allocated it, whose stack it is; "" */
	struct finding_spot at;         /* where it was allocated */
};

struct finding_step {                   /* of the order that shows it */
	const char *thread, *text;      /* "writes balance = 40" */
	struct finding_spot at;
	struct finding_locks locks;     /* held when it is done; where they were taken may be left out */
	enum finding_access access;     /* OTHER: as the text says */
	int place;                      /* this step is places.at[place]; -1 none of them */
};

/* places, by kind; [0] is where the first line points to:
 *   race, weak-memory    the two accesses in the order that shows it
 *   deadlock             who waits, and for what (`object`); findings_finish() puts them in the order of their circle, if it is one
 *   lost-wakeup          the wait; the signal that came before it, or whoever waits too
 *   atomicity            the first access; the other thread's that comes between; the second
 *   order                the access that came too early; the other thread's that it came before
 *   use-after-free       the use; the free          double-free   the second free; the first
 *   use-after-return     the use; the return
 *   null-dereference     where it is followed; where null was written          crash   where */
struct finding {
	enum finding_kind kind;
	enum finding_status status;
	enum finding_effect effect;     /* of a confirmed one; EFFECT_NONE: none was seen */
	const char *effect_text;        /* "killed by SIGSEGV at bank.c:57", "" */
	uint32_t replays, shown;        /* made; those that showed it */
	VEC(struct finding_place) places;
	struct finding_object object;
	VEC(struct finding_step) steps;
	uint64_t steps_before;          /* of the order, left out in front of steps.at[0] */
	const char *only_after;         /* a race: why the order that shows it may be the only one, "" */
	const char *schedule;           /* file that shows it, "" none */
	const char *unwritten;          /* why there is none though it was shown, "" */
	const char *rule;               /* infeasible: what closes it; speculative: what does as long as reads return what they returned; further lines explain */
	uint64_t left_at;               /* not reproduced, speculative: step at which the schedule was left, from 1; 0 it was followed to its end */
	const char *expected, *came;    /*   and what was there */
	uint32_t tries;                 /*   schedules tried */
	bool unrun;                     /*   none was: it is known where they are left, by runs made for others, or there is none */
	const char *assumed;            /* what was not known and taken for granted, "" */
	uint64_t times;                 /* pairs of events it stands for; 0 and 1: one */

	/* Filled by findings_finish(), baseline.h and suppress.h. */
	char fingerprint[32];
	bool known;                     /* it is in the baseline */
	const char *suppressed;         /* the suppression that hides it, or NULL */
};

struct findings {                       /* an all-zero one is empty */
	VEC(struct finding *) all;
	struct names texts;
	struct arena arena;
};

struct finding *findings_add(struct findings *l, enum finding_kind kind, enum finding_status status);
const char *findings_text(struct findings *l, const char *text);        /* a copy that lives as long as `l`; NULL: "" */
struct finding_spot finding_spot(struct findings *l, const char *file, uint32_t line, const char *function);
bool finding_spot_own(const struct finding_spot *s);            /* a line, and not of a header of the system */
/* The innermost line of the program that led to a place in a header of the system: how many frames of its stack it is away, 0: the place's own; that, if none is known. */
size_t finding_place_home(const struct finding_place *p);
struct finding_spot finding_spot_of(struct findings *l, const struct place *at);        /* place_own() of it; NULL: unknown */
/* Where `ev` happened and what it does; bytes of an access too.  The rest is the caller's to fill in. */
struct finding_place *finding_place_add(struct findings *l, struct finding *f, const struct event *ev, const char *thread);
void finding_places_clear(struct finding *f);                   /* none any more */
struct finding_step *finding_step_add(struct findings *l, struct finding *f, const char *thread, const char *text, struct finding_spot at);
void finding_lock_add(struct findings *l, struct finding_locks *to, const char *name, bool reading, struct finding_spot taken);
enum finding_access finding_access_of(const struct event *ev);
/* Places in headers of the system become the line of the program that led there; fingerprints, then by file, line, kind, what is confirmed first; the same list of findings always ends in the same order. */
void findings_finish(struct findings *l);
void findings_release(struct findings *l);

const char *finding_kind_word(enum finding_kind kind);          /* "use-after-free" */
const char *finding_kind_said(enum finding_kind kind);          /* "use after free" */
const char *finding_kind_text(enum finding_kind kind);          /* a sentence */
const char *finding_status_word(enum finding_status status);    /* "not-reproduced" */
const char *finding_effect_word(enum finding_effect effect);    /* "output-differs" */
const char *finding_access_word(enum finding_access access);    /* "write" */
const char *finding_access_does(enum finding_access access);    /* "writes" */
const char *finding_access_done(enum finding_access access);    /* "written" */

/* "bank.c" of "src/bank.c". */
const char *finding_file_name(const char *path);
/* "bank.c:41" without directories, the function where there is no line, "an unknown place"; returns into. */
#define FINDING_PLACE_ROOM 256
char *finding_where(const struct finding_spot *at, char into[FINDING_PLACE_ROOM]);
/* Does its thread get no further there?  Of a deadlock all do, of a lost wake-up all but who signals. */
bool finding_place_waits(const struct finding *f, const struct finding_place *p);
const char *finding_place_does(const struct finding *f, const struct finding_place *p);         /* "writes", "waits for" */
/* Of a deadlock: what each thread waits for the next one holds, or is; the last one's the first. */
bool finding_is_circle(const struct finding *f);
void finding_sort_circle(struct finding *f);                    /* so that it is one, if it can be */
/* What a place is about: its own object or the finding's. */
const char *finding_place_object(const struct finding *f, const struct finding_place *p);

#endif
