/* wire/steer.h -- the memory a steered program and the `raddle` that steers it share: orders in, decisions and end out.
 *
 * One memfd beside the ring:
 *
 *   struct steer_head | strands (one per thread of the program) | script: steps to follow | log: steps taken | ways and events, if wanted
 *
 * In a steered run exactly one thread of the program runs at a time.  Before each *visible event* (an operation other
 * threads could notice: a lock, an atomic, a plain access to memory that may be shared, a create, a join, ...) a thread stops
 * at a *point*: it says what it is about to do and goes on only when it is chosen and the operation would not block.  So:
 *   (1) a thread is running, or at one point, or has ended;
 *   (2) an event, once chosen, completes before anybody else is chosen: there are no half events;
 *   (3) the whole run is decided by the steps: which thread runs through which of its events, and what was answered where
 *       the program, or nature, had a choice.
 *
 * Under a weak memory model (enum steer_model) a store first waits in its thread's store buffer; that it reaches memory is a step too
 * (STEP_FLUSH), taken between two events, counted among them, of no thread's.  An event that empties the buffer is no such step.  With `prompt`
 * a run does what it would do under MODEL_SC but for the stores named late; its log has the flushes that took.
 *
 * The log has one step each time the running thread changes (STEP_RUN: that thread ran up to and including its nth event)
 * one for each answer that was not the usual one and one for each choice (STEP_ANSWER, STEP_CHOICE: what its nth event was told).  A
 * script has the same steps, unpacked; an answer stands before the STEP_RUN it belongs to.  Behind the last step of a script the default policy goes on: the
 * running thread until it cannot, then the lowest thread path that can.
 *
 * Strand 0 is the first thread.  A script names strands before they exist: raddle writes their paths into the first strands
 * (state STRAND_NONE), and a new thread with such a path becomes that strand; any other takes the next one behind them.
 * The module in the place of a script's step is an index of the ring's module table.
 *
 * The program is hostile input to the host, and a script that comes from a file is hostile input to the program's runtime:
 * each checks every number it uses. */
#ifndef RADDLE_WIRE_STEER_H
#define RADDLE_WIRE_STEER_H

#include <stdint.h>

#include "wire/ring.h"

#define STEER_MAGIC      0x72656574736461ull         /* "adsteer" */
#define STEER_ENV        "RADDLE_STEER"              /* environment: "<fd>" */
#define STEER_STRANDS    4096u
#define STEER_TEXT       256u
#define STEER_STILL_RUNS "still running after the steps it was given"
#define STEER_EARLY      64u
#define STEER_PAGES      128u
#define STEER_PATIENCE   3000000000ull              /* virtual nanoseconds time-outs may take in one run while others could have gone on, until it is one no machine makes */

/* The runtime puts the program's heap and its mappings here, where Linux puts nothing by itself, random or not. */
#define FIXED_LOW        0x100000000000ull           /* the heap */
#define FIXED_MAPS       0x300000000000ull           /* mappings, from here on */
#define FIXED_STACKS     0x480000000000ull           /* stacks libc maps for threads of default attributes, from here on */
#define FIXED_HIGH       0x500000000000ull

enum steer_policy {
	STEER_FIRST = 0,          /* the running thread until it cannot, then the lowest path */
	STEER_RANDOM = 1,
	STEER_PCT = 2,
	STEER_POS = 3
};

enum steer_switching { SWITCH_AUTO = 0, SWITCH_BATON = 1, SWITCH_GHOST = 2 };
enum steer_heap { HEAP_UNIQUE = 0, HEAP_REUSE = 1, HEAP_LIBC = 2, HEAP_APART = 3, HEAP_APART_REUSE = 4 };     /* apart: each thread's blocks by themselves */
enum steer_time { TIME_VIRTUAL = 0, TIME_REAL = 1 };
enum steer_model { MODEL_SC = 0, MODEL_TSO = 1, MODEL_PSO = 2 };

enum keep_refused { KEEP_THREADS = 1 << 16, KEEP_TIME, KEEP_MEMORY, KEEP_FILES, KEEP_HANDLER };   /* kernel threads; real time or a trace; no memory; a descriptor
	 * a copy would share; a signal handler runs */
#define KEEP_PARTS       (UINT64_MAX - 1)            /* steer_head.keep_at: copies go on from where faults are (wire/fault.h), with files of their own */

enum step_what {
	STEP_RUN = 1,             /* `strand` runs up to and including its `nth` event */
	STEP_ANSWER = 2,          /* the `nth` event of `strand` is answered `answer` (enum point_answer) */
	STEP_CHOICE = 3,          /* in its `nth` event `strand` had to choose a number; it is `answer` */
	STEP_FLUSH = 4            /* the store `strand` made in its `nth` event reaches memory; `answer`: which part of it, from 0 */
};

/* What a thread at a point is told when it may go on. */
enum point_answer {
	ANSWER_GO = 0,            /* what it waited for is there */
	ANSWER_TIMEOUT = 1,       /* its time is up */
	ANSWER_SPURIOUS = 2       /* woken for no reason; a weak compare-exchange: fail */
};

/* What there is to know of a point beside its kind. */
enum point_how {
	POINT_MAY_WAIT = 1,       /* what it asks for may not be there; others are only tried, or never wait */
	POINT_HAS_DEADLINE = 2,
	POINT_SHARES = 4,         /* a lock taken for reading */
	POINT_STANDS_BACK = 8     /* a lock for which others must stand back behind a writer that waits */
};

struct steer_step {
	uint32_t what;            /* enum step_what */
	uint32_t strand;
	uint64_t nth;             /* counts from 1 */
	uint32_t kind;            /* enum event_kind of the nth event; 0: not checked */
	uint32_t answer;
	uint64_t place;           /* log: code address, or site descriptor | number of the access << 48.  script: module << 48 | offset + 1 in it, 0: not checked */
};

/* A step as the log has it, in words: every switch writes one, and what it costs is mostly the memory it takes.  First word: what, kind << 3,
 * strand << 11, nth << 23.  Second: the place.  Third, of any but STEP_RUN: the answer.  A run that ends at an event of the same kind and
 * place as the strand's run before it is LOGGED_AGAIN, its nth, and no more. */
#define LOGGED_AGAIN   5u
#define LOGGED_NTH_MAX (UINT64_MAX >> 23)

static inline uint32_t logged_length(uint32_t what)
{
	return what == LOGGED_AGAIN ? 1 : what == STEP_RUN ? 2 : 3;
}

static inline uint64_t logged_head(uint32_t what, uint32_t strand, uint64_t nth, uint32_t kind)
{
	return what | (uint64_t)kind << 3 | (uint64_t)strand << 11 | nth << 23;
}

/* There is room for logged_length() of them, and nth is at most LOGGED_NTH_MAX. */
static inline void logged_put(uint64_t *to, const struct steer_step *s)
{
	to[0] = logged_head(s->what, s->strand, s->nth, s->kind);
	to[1] = s->place;
	if (s->what != STEP_RUN)
		to[2] = s->answer;
}

/* How many of the `count` there it takes; 0: it is cut.  *again: LOGGED_AGAIN, here a STEP_RUN, without kind and place. */
static inline uint32_t logged_take(const uint64_t *from, uint64_t count, struct steer_step *s, int *again)
{
	uint64_t head = from[0];                        /* read once: somebody else may write there */
	uint32_t what = head & 7, length = logged_length(what);
	*again = what == LOGGED_AGAIN;
	*s = (struct steer_step){ .what = *again ? STEP_RUN : what, .kind = head >> 3 & 0xff, .strand = head >> 11 & 0xfff, .nth = head >> 23 };
	if (length > count)
		return 0;
	if (length > 1)
		s->place = from[1];
	if (length > 2)
		s->answer = (uint32_t)from[2];
	return length;
}

enum strand_state {
	STRAND_NONE = 0,
	STRAND_AT_POINT = 1,      /* also a thread created and not begun: its first event is BEGIN */
	STRAND_RUNNING = 2,
	STRAND_ENDED = 3
};

struct steer_strand {
	uint32_t state;           /* enum strand_state */
	uint32_t parent;          /* strand + 1, or 0 */
	uint64_t done;            /* events completed, the running one included */
	uint32_t kind;            /* at a point: what it is about to do; running: what it did last */
	uint32_t waits;           /* at a point, and what it is about to do would block now */
	uint64_t object, place;   /* of that event */
	uint64_t deadline;        /* virtual nanoseconds, 0 none */
	uint64_t how;             /* enum point_how, of the point it is or was at */
	char path[PATH_BYTES];
};

/* Who could have been chosen for an event: bit i for strand i, those beyond 63 are not noted. */
struct steer_ways { uint64_t go, timeout, spurious, flush; };       /* flush: a store of its could have reached memory */
/* A store that could have reached memory before event `step` of the run (counted as in steer_ways). */
struct steer_flush { uint64_t step, nth; uint32_t strand, part; };
/* An event that came, if all of them are wanted and not only turns. */
struct steer_event { uint32_t strand; uint16_t kind, how; uint64_t place, state; };       /* how: enum point_how; state: see steer_head */

#define RESTART_NEVER     UINT32_MAX                  /* not where strands are kernel threads, time is real or libraries call the system unseen */
#define RESTART_TOO_MUCH  (UINT32_MAX - 1)            /* a run writes to more memory than is put back, or more records than are handed over */
#define RESTART_SIGNAL    (UINT32_MAX - 2)            /* a fault of the program's own, or a signal from outside came where it could not be kept: then it is lost */
#define STEER_TURNS       16u
/* A run that was followed by another one in the same process.  log_hash: the number of events and every step of the log, the last
 * stretch included; output_hash: every byte it put out; both by steer_mix from 0. */
struct steer_brief { uint64_t seed, steps, threads, log_hash, output_hash; };

static inline uint64_t steer_mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
	return hash ^ hash >> 29;
}

static inline uint64_t steer_mix_step(uint64_t hash, uint32_t what, uint32_t strand, uint64_t nth, uint32_t answer)
{
	return steer_mix(steer_mix(hash, (uint64_t)what << 32 | strand), nth << 32 | answer);
}

#define STEER_TOO_MANY "more than 4096 threads in one steered run"     /* text of OUTCOME_UNSUPPORTED */

#define LEFT_OUTSIDE "nothing came from outside"
enum steer_outcome {
	OUTCOME_NONE = 0,         /* still running, or ended as its wait status says */
	OUTCOME_EXIT = 1,         /* value: code */
	OUTCOME_SIGNAL = 2,       /* value: signal; text: what assert said, if it was one */
	OUTCOME_DEADLOCK = 3,     /* everybody waits; strands say for what */
	OUTCOME_LIVELOCK = 4,     /* more steps than allowed (its text: STEER_STILL_RUNS), or nobody will ever change anything */
	OUTCOME_LEFT = 5,         /* the script could not be followed: text, which begins with LEFT_OUTSIDE if it waited for the outside */
	OUTCOME_MEMORY = 6,       /* memory error: text says which, address where */
	OUTCOME_ASSUME = 7,       /* of no interest: raddle_assume(false), or a thread stopped at the bound and nobody else can go on */
	OUTCOME_ASSERT = 8,       /* raddle_assert */
	OUTCOME_UNSUPPORTED = 9   /* text names what the program did that cannot be steered */
};

/* What a fatal signal came from, as the handler that ran was told.  A SIGSEGV without one: there was no stack left to run it on. */
enum steer_fault {
	FAULT_UNTOLD = 0,         /* no handler ran */
	FAULT_AT = 1,             /* an access to `address`, where nothing is; or an instruction there */
	FAULT_DENIED = 2,         /* an access to `address` that its memory does not permit */
	FAULT_NOWHERE = 3,        /* the processor names no address: one that cannot be, or not aligned as it must be */
	FAULT_STACK = 4,          /* right below the end of the stack */
	FAULT_SENT = 5            /* by kill, raise and the like: nothing was accessed */
};

/* What memory a run ended by. */
enum steer_memory { STEER_HEAP, STEER_LOCAL, STEER_MAPPING };

/* The block of it. */
struct steer_block {
	uint64_t at, bytes;               /* 0, 0: not known */
	uint64_t given_place, freed_place;
	uint32_t given_by, freed_by;      /* strand + 1; 0 not known, or not freed */
	uint32_t memory, zero;            /* enum steer_memory */
};

/* One of the policies a row of runs takes in turn. */
struct steer_turn { uint32_t policy, depth; };

struct steer_head {
	uint64_t magic;
	uint32_t version;
	uint32_t policy;          /* enum steer_policy, after the script */
	uint64_t seed;
	uint32_t depth;           /* pct: number of change points + 1 */
	uint32_t switching;       /* enum steer_switching asked for */
	uint32_t heap, time;
	uint64_t length;          /* pct: steps a run is expected to have, 0 unknown */
	uint64_t max_steps;       /* livelock beyond, 0 no limit */
	uint64_t bound;           /* a thread that has created so many, or descends from the first one by so many, stops before its next create; 0 none */
	uint64_t stop_at;         /* raise SIGTRAP before this step (counted over all threads), 0 never */
	uint32_t loose;           /* a step of the script that cannot be taken is passed over; else the run ends there */
	uint32_t model;           /* enum steer_model */
	uint32_t prompt;          /* weak models: a store reaches memory before any other thread comes to its bytes, */
	uint32_t late_strand;     /* but for those this strand makes in its event late_nth, and what they stand in the way of: */
	uint64_t late_nth;        /* as late as under the policy `first`; 0: there are none */
	uint64_t lingers;         /* policy first: a strand about to exit lets each of the others make so many events, if they can (rt/linger.c); 0: none */
	uint64_t realtime_base;   /* virtual time 0 in nanoseconds of CLOCK_REALTIME and of CLOCK_MONOTONIC */
	uint64_t monotonic_base;
	uint32_t input;           /* enum steer_input, wire/input.h */
	int32_t  input_fd;        /* where what comes from outside is kept, or taken from */
	uint32_t named;           /* strands whose paths the script gives in advance, the first thread included; 0 no script */
	uint32_t serve;           /* 1: the process makes runs as they are asked for through serve_fd (wire/serve.h) */
	int32_t  serve_fd;
	uint32_t ends_by;         /* the recorded run was killed from outside, by this signal, after ends_at events; 0: it was not */
	uint64_t ends_at;
	int32_t  exits_with;      /* a replay: the exit code of the recorded run, or 0 */
	uint32_t apart;           /* one run of many: nobody is there to send it a signal */
	int32_t  go_on_with;      /* the next of these runs is made if the last one ended with this exit code: */
	uint64_t runs;            /* so many in one process, with this seed and the next ones; 0 or 1: one (rt/restart.c) */
	uint32_t turn_count;      /* of them the i-th has policy and depth turns[i % turn_count]; 0: all have the same */
	struct steer_turn turns[STEER_TURNS];
	uint64_t briefs_at, briefs_room;        /* struct steer_brief for each of them but the last, whose end is the process's */
	uint64_t briefs_done;     /* written by the program */
	uint32_t states;          /* events say what registers and stack their thread had, as a number; 0: not known (rt/state.h) */
	uint32_t stays;           /* the process of a run waits behind its exit for the order of the next one, which it makes too (rt/restart.c) */
	uint32_t orders;          /* raised by raddle for each such order: a futex */
	uint64_t keep_at;         /* a run of a server: before it reads this step of the script it becomes a server itself (wire/serve.h); UINT64_MAX never */
	uint32_t restart_refused; /* by the program: number + 1 of the system call that cannot be undone, which made this run the last; or RESTART_ */
	uint64_t handed_at, handed_room;        /* where the records of all but the last go (wire/handed.h); room 0: they are not wanted */
	uint32_t handed_areas;    /* thread areas too */
	uint32_t last_begun;      /* written by the program: what is in the ring is of the last run */
	uint64_t handed;          /* the same: bytes handed over, the first of them at 0; */
	uint64_t handed_taken;    /* by raddle: those that may be written over */
	uint32_t handed_waits, handed_futex;    /* the program waits for some to be taken; raddle raises the other one then */
	uint64_t strands_at, script_at, script_count, log_at, log_room, bytes;
	uint64_t ways_at, ways_room;      /* struct steer_ways per event of the run, [0] for the first one's begin; room 0: not wanted */
	uint64_t events_at, events_room;  /* struct steer_event per event of the run, the same way */
	uint64_t flushes_at, flushes_room;        /* struct steer_flush, with the ways; flushes_count of them are written */
	/* written by the program; everything from here on is put back before each run of a server */
	int32_t  pid;             /* the steered process; a child of it is not steered */
	uint32_t switched_by;     /* enum steer_switching used */
	uint32_t strand_count;
	uint32_t running;         /* strand */
	uint64_t steps;           /* events of all threads */
	uint64_t switches;
	uint64_t log_count;       /* words in the log, of steps as logged_take() reads them; the last stretch of the running strand is in its `done` */
	uint64_t script_next;     /* first script step not used up */
	uint32_t outcome;         /* enum steer_outcome */
	int32_t  value;
	uint64_t address;
	uint32_t fault;           /* enum steer_fault, */
	uint32_t fault_kind;      /* enum event_kind of what it was, 0 not known; */
	uint64_t fault_place;     /* and where, as in an event; 0: not known, or in the last event */
	struct steer_block block;
	uint64_t clock;           /* virtual nanoseconds since the start, */
	uint64_t hurried;         /* of which time-outs took so many while somebody else could have gone on */
	uint64_t log_lost;        /* steps for which the log had no room: the log ends there */
	uint32_t dispatched;      /* system calls inside libraries are steered too */
	uint32_t input_lost;      /* the input could not be kept to its end */
	uint32_t input_unknown;   /* number + 1 of a system call that may have left things in memory no replay can bring back */
	uint32_t early_count;     /* calls of code nobody watches that emptied a store buffer: places in early[], each once */
	uint64_t early[STEER_EARLY];
	uint64_t flushes_count, flushes_lost;
	uint32_t kept;            /* servers above the one that waits for orders: 0 it is the first one, which stands in front of the first event */
	uint32_t new_threads;     /* threads of default attributes for which libc had no stack left over: as many may be made in advance (rt/pool.c) */
	uint32_t own_page_count;  /* pages it had written to at its end, of one run of a server that was told to look (rt/warm.c) */
	uint64_t own_pages[STEER_PAGES];
	uint32_t keep_refused;    /* number + 1 of a system call after which it cannot become a server, or KEEP_; 0 none */
	uint32_t lent;            /* it shares memory with a process it has made: what that one does there is in no schedule and no input */
	char text[STEER_TEXT];
	char outside[STEER_TEXT]; /* a run of a server: the first thing it did that other runs or processes could notice; "" none */
};

#endif
