/* drive/steer.h -- run a program built with raddle once, in an order we choose, and learn what came of it. */
#ifndef RADDLE_DRIVE_STEER_H
#define RADDLE_DRIVE_STEER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "base/vec.h"
#include "drive/drain.h"
#include "drive/places.h"
#include "drive/races_watch.h"
#include "drive/records.h"
#include "drive/schedule.h"
#include "wire/fault.h"
#include "wire/steer.h"

/* The file to write the trace of this run into, or NULL: none is wanted.  `run`: how-many-th of its process, from 0. */
typedef const char *steer_trace_of(void *who, uint64_t run, const struct steer_brief *brief);

/* A store: which event of which of the schedule's threads makes it; nth 0: none. */
struct steer_late { uint32_t thread; uint64_t nth; };

struct steer_options {
	char *const *argv;              /* program and arguments, ends with NULL */
	const char *path;               /* the program's file; NULL: found by argv[0] */
	uint32_t policy, depth;         /* enum steer_policy; with a schedule: behind its last step */
	uint64_t seed;
	uint64_t length;                /* pct: events a run is expected to have, 0 unknown */
	const struct schedule *schedule;        /* to be followed, or NULL */
	bool unchecked;                 /* its steps are followed by number alone, not held against kinds and places */
	bool loose;                     /* steps that cannot be taken are passed over */
	bool ends_alike;                /* killed from outside where it says so: there the run ends by the same signal */
	bool other_build;               /* its places are of another build: kinds are checked, places are not */
	uint32_t switching, heap, time, model; /* wire/steer.h */
	bool prompt;                    /* weak models: a store reaches memory before another thread comes to its bytes, */
	struct steer_late late;         /* but for this one */
	uint64_t lingers;               /* policy first: who is about to exit lets each of the other threads make so many events, if they can; 0: none */
	uint64_t max_steps;             /* events before it is called a livelock; 0 no limit */
	uint64_t bound;                 /* threads one thread may create, and generations of them (wire/steer.h); 0 no limit */
	unsigned max_seconds;           /* of real time, the same; 0 no limit */
	uint64_t most_memory;           /* bytes it may have before it is ended; 0 no limit */
	uint64_t stop_at;               /* SIGTRAP before this event, and at a deadlock; 0 never */
	char *const *debugger;          /* words that go before the program's, or NULL: it is run under this */
	bool random_addresses;          /* leave address randomisation on */
	uint64_t ways;                  /* note for the first so many events who could have been chosen */
	uint64_t events;                /* note the first so many events, with place */
	bool states;                    /* and what registers and stack of their thread were, where that is known */
	const char *save_trace;         /* or NULL */
	uint32_t input;                 /* enum steer_input, wire/input.h: whether what comes from outside is kept or served, */
	int input_fd;                   /* and where (drive/input.h) */
	struct race_watch *races;       /* looks for races of the run (drive/races_watch.h), or NULL */
	struct drain_sink *sink;        /* gets the records (drive/drain.h) and no file is written; or NULL */
	struct records *records;        /* takes the events of the run (drive/records.h), or NULL */
	bool stays;                     /* one run of a server: if it exits its process makes the next one too, where it can */
	int output;                     /* descriptor that gets the program's standard output; 0: ours does */
	uint64_t runs;                  /* runs.h: more than one in one process; */
	int go_on_with;                 /* the next one is made if the last one exited with this code, */
	uint32_t turn_count;            /* by these policies in turn */
	struct steer_turn turns[STEER_TURNS];
	steer_trace_of *trace_of;       /* or NULL: of which of those before the last a trace is wanted; */
	void *trace_who;                /* what it is asked with */
	uint64_t keep_at;               /* one run of a server: it becomes a server itself before step keep_at of its script; 0 never */
	struct fault_order *fault;      /* one to be made in a program of level full, a trace of which is kept, and what became of it: not to be believed; or NULL */
	bool apart;                     /* one run of many: its standard error goes there too, and it does not get the terminal */
};

struct steer_thread {
	const char *path, *name;        /* name: "" none */
	enum strand_state state;
	uint64_t done;                  /* events */
	uint32_t kind;                  /* at a point: about to do this; else the last it did */
	bool waits;                     /* at a point, and blocked there */
	bool usual;                     /* it may well wait there for ever: set by who knows that, not told as what went wrong */
	uint64_t object, place, deadline;
	uint32_t how;                   /* enum point_how */
	uint32_t waits_for;             /* number of the thread that holds the object or is to be joined, NO_PART: none known */
	uint32_t held;                  /* locks it holds */
	uint32_t depth;                 /* functions it is inside of; */
	VEC(struct area_frame) frames;  /* the outermost of them, for places_function() and places_callers() */
};

struct steer_result {
	enum steer_outcome outcome;     /* never OUTCOME_NONE unless interrupted */
	bool late;                      /* a livelock by the clock, max_seconds, not by its steps: nobody knows whether it would have ended */
	int32_t value;
	uint64_t address;
	enum steer_fault fault;         /* of an end by a signal, */
	uint32_t fault_kind;            /* enum event_kind of what it was, 0 not known; */
	uint64_t fault_place;           /* and where, as in an event; 0: not known, or in the last event */
	char text[STEER_TEXT];          /* "" none; printable */
	struct steer_block block;       /* memory error, or unmapped: what it is about */
	int status;                     /* of the child, as from waitpid */
	bool interrupted;               /* Ctrl-C */
	unsigned left;                  /* a run with a limit of time: processes it had left behind when it ended, which were ended */
	bool fixed_addresses;
	uint32_t switched_by;           /* enum steer_switching */
	bool dispatched;                /* system calls inside libraries were steered too */
	bool input_lost;                /* what came from outside could not be kept to the end */
	bool lent;                      /* it shares memory with a process it has made: what that one does there is not kept */
	VEC(uint64_t) early;            /* weak memory: places where code nobody watches was called with stores waiting */
	uint32_t unknown_call;          /* number + 1 of a system call whose effects no replay can bring back; 0 none */
	uint64_t steps, switches, clock;
	uint64_t hurried;               /* nanoseconds of virtual time that time-outs took while somebody else could have gone on */
	uint64_t script_used;           /* steps of the schedule it came through */
	uint64_t log_lost;              /* steps missing at the end of the log: it is no schedule of this run */
	bool log_damaged;               /* because the program has written over it */
	VEC(struct steer_thread) threads;       /* numbered as in the log */
	struct schedule log;            /* threads and steps, places as modules and offsets; steer_complete() adds the rest */
	VEC(struct steer_brief) before; /* runs of the same process before this one */
	uint32_t keep_refused;          /* number + 1 of the system call why it did not become a server, or KEEP_ (wire/steer.h); 0 none */
	uint32_t restart_refused;       /* number + 1 of the system call why no other followed, or RESTART_ (wire/steer.h); 0 none */
	VEC(struct steer_ways) ways;    /* per event, as far as they were asked for */
	VEC(struct steer_flush) flushes;        /* with the ways: which stores could have reached memory, by step; strands are sound */
	VEC(struct steer_event) events; /* as far as they were asked for; strands and kinds are sound */
	struct places *places;
	struct race_list races;         /* as far as they were asked for */
	struct race_row races_before;   /* the same, of the runs before this one */
	char outside[STEER_TEXT];       /* one run of many: the first thing it did that others could notice; "" nothing; printable */
};

#define MEMORY_TEXT "it had more than %llu MB of memory and was ended"          /* steer_result.text of a run that was too large */

/* 0 and *out to be released; or -1 and why: code 2 no such program, 3 not built with raddle, 125 our own failure. */
int  steer_run(const struct steer_options *o, struct steer_result *out, struct err *why);
/* Its time was over and it was told to end.  One that had come to an end of its own by then, and was not gone yet, is not late. */
void steer_result_is_late(struct steer_result *r, unsigned max_seconds);
void steer_result_release(struct steer_result *r);
const struct steer_thread *steer_running(const struct steer_result *r);  /* the thread whose turn it was at the end; NULL: none */
uint64_t steer_log_hash(const struct steer_result *r);  /* as in struct steer_brief */

/* Makes the log a schedule that can stand alone: program, arguments, settings, source places, what to expect.  Steps know
 * how-many-th of their kind they are in their function (`here`) as far as events were asked for. */
void steer_complete(struct steer_result *r, const struct steer_options *o);

/* The exit code of `raddle run`: the program's own, 128 + signal; 1 deadlock, livelock, memory error, failed assertion;
 * 124 left its schedule, 125 not to be steered. */
int steer_exit_code(const struct steer_result *r);
int steer_program_code(const struct steer_result *r);     /* as if it had run by itself: 128 + the signal a memory error, a failed assertion, a limit of time end it with */
/* "exit 3", "deadlock: a cycle of locks", "signal 6 (aborted): ..."; returns into, which has STEER_SAY bytes. */
#define STEER_SAY 512
char *steer_say(const struct steer_result *r, char *into);
bool steer_null(const struct steer_result *r);        /* ended by an access to the page at null */
bool steer_unmapped(const struct steer_result *r);    /* ended by an access to memory a thread of its had unmapped: block says who */
bool steer_left(const struct steer_result *r);        /* by an access to a local that was gone: block says whose */
bool steer_faulted(const struct steer_result *r);     /* ended by something it did that the processor refused */
/* Every thread that has not ended, those of a cycle first: what it waits for, who has it, its stack. */
void steer_print_threads(struct steer_result *r, FILE *out);
/* What kind of deadlock it is: "a cycle of locks", "lost wake-up", ...; "" unless it is one. */
const char *steer_deadlock(const struct steer_result *r);
/* A thread of a circle in which each waits for the next (waits_for); NO_PART: there is none. */
uint32_t steer_circle(const struct steer_result *r);
/* Does the reader wait for a lock only because the writer waits for it, too, and writers go first there? */
bool steer_stands_back(const struct steer_thread *reader, const struct steer_thread *writer);

#endif
