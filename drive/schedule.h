/* drive/schedule.h -- a schedule: which thread of a program runs through which of its events, and what was answered where
 * there was a choice.  In memory, and as the text of a *.sched file (docs/schedule-format.md, raddle-sched(5)).
 *
 *   (1) printing what was parsed and parsing what was printed give the same again, byte for byte and field for field
 *       (comments are not kept);
 *   (2) steps of one thread go up; an answer stands before the step that reaches its event, a flush behind the one that reaches its
 *       store's;
 *   (3) threads are numbered as wire/steer.h numbers strands: 0 is T_0; a step names only threads that are listed. */
#ifndef RADDLE_DRIVE_SCHEDULE_H
#define RADDLE_DRIVE_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "base/map.h"
#include "base/vec.h"
#include "wire/steer.h"

#define SCHEDULE_VERSION 1u
#define SCHEDULE_NTH_MAX (1ull << 48)
#define SCHEDULE_PART_MAX 65535u
#define NO_PART          UINT32_MAX             /* no such thread, no module */

struct schedule_place {                         /* where an event stands; all strings live as long as the schedule, "" unknown */
	const char *file, *function;
	uint32_t line;                          /* 0 unknown */
	uint32_t module;                        /* in modules[], or NO_PART */
	uint64_t offset;                        /* in that module */
};

struct schedule_step {
	uint8_t what;                           /* enum step_what */
	uint8_t kind;                           /* enum event_kind, 0 not said */
	uint32_t thread;                        /* in threads[] */
	uint32_t answer;                        /* STEP_ANSWER, STEP_CHOICE; STEP_FLUSH: part of the store */
	uint32_t line;                          /* of the file it came from, 0: it came from none */
	uint64_t nth;
	uint32_t here;                          /* STEP_RUN: how-many-th event of this kind in this function by this thread; 0 not known */
	struct schedule_place place;
};

struct schedule_thread { const char *path, *name; };                    /* name: "" none */
struct schedule_module { const char *name; uint32_t index; };           /* index in the ring's module table */
struct schedule_wait { uint32_t thread; uint8_t kind; const char *object; uint32_t holder; };   /* holder: NO_PART nobody known */
struct schedule_setting {
	const char *name, *value;
	uint64_t strings, bytes;                /* so many the schedule does not name stand before it */
	bool asked;                             /* the recorded run asked for it: environment_asked() */
};

struct schedule {
	const char *program;                    /* path, "" unknown */
	const char *build_id;                   /* hexadecimal, "" unknown */
	VEC(const char *) arguments;            /* the program's own name first; empty: not said */
	VEC(uint32_t) argument_lines;           /* of the file they came from; empty: they came from none */
	VEC(struct schedule_setting) environment;       /* drive/environment.h */
	bool whole_environment;                 /* there was nothing else but so many strings and bytes behind them */
	uint64_t other_strings, other_bytes;
	uint32_t policy, depth;                 /* where it came from: enum steer_policy */
	uint64_t seed;
	uint32_t switching, heap, time, model;  /* wire/steer.h */
	bool fixed_addresses;
	uint64_t max_steps;                     /* 0 no limit */
	uint64_t bound;                         /* of threads (drive/steer.h); 0 no limit */
	uint32_t stop_thread;                   /* a debugger stops before event stop_nth of this thread: */
	uint64_t stop_nth;                      /* what the schedule shows happens there; 0 not said */
	uint64_t stop_output;                   /* not there but where it puts out something for the so-manieth time since; 0 there */
	VEC(struct schedule_thread) threads;
	VEC(struct schedule_module) modules;
	VEC(struct schedule_step) steps;
	/* what is expected at its end */
	uint32_t outcome;                       /* enum steer_outcome; OUTCOME_NONE: nothing is expected */
	int32_t value;
	const char *text;                       /* "" none */
	uint64_t events;                        /* of all threads; 0 not said */
	const char *input;                      /* file beside it with what came from outside (drive/input.h); "" none */
	uint64_t input_hash;
	VEC(struct schedule_wait) waits;
	struct names strings;
	struct map by_path;                     /* number of a string -> thread */
};

void schedule_init(struct schedule *s);         /* empty: version, T_0 and nothing else */
void schedule_release(struct schedule *s);
const char *schedule_text(struct schedule *s, const char *text, size_t length);         /* a copy that lives with it */
bool schedule_is_path(const char *text);          /* T_0, T_0_3_12: what the runtime calls threads */
uint32_t schedule_thread(const struct schedule *s, const char *path);         /* its number, NO_PART: not listed */
uint32_t schedule_thread_add(struct schedule *s, const char *path, const char *name);   /* its number; NO_PART: no more room */
uint32_t schedule_module_add(struct schedule *s, const char *name, uint32_t index);     /* its number in modules[] */
struct schedule_step *schedule_step_add(struct schedule *s, enum step_what what, uint32_t thread, uint64_t nth);

/* Fills an empty one.  0; or -1 and why, which names file and line (code 3).  Release it either way. */
int  schedule_parse(struct schedule *s, const char *name, const char *text, size_t count, struct err *why);
int  schedule_read(struct schedule *s, const char *path, struct err *why);
void schedule_print(const struct schedule *s, FILE *out);
void schedule_print_step(const struct schedule *s, const struct schedule_step *step, FILE *out);  /* without the end of its line */
int  schedule_write(const struct schedule *s, const char *path, struct err *why);       /* 0, or -1 and why (code 125) */

/* Words of a schedule, lists that end with NULL. */
extern const char *const policy_words[], *const switch_words[], *const heap_words[], *const time_words[], *const model_words[], *const outcome_words[];
/* "random:7", "pct:7,3", "pos:7", "first" as on the command line; into has SCHEDULE_POLICY_ROOM bytes.  Parsing: false, not one. */
#define SCHEDULE_POLICY_ROOM 64
char *policy_print(char *into, uint32_t policy, uint64_t seed, uint32_t depth);
bool policy_parse(const char *text, uint32_t *policy, uint64_t *seed, uint32_t *depth);

#endif
