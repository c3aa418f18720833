/* trace/reader.h -- a trace opened for reading: its facts, its threads, and their events.
 *
 * Every reader of raddle stands on this door; binary traces and text twins look the same behind it. */
#ifndef RADDLE_TRACE_READER_H
#define RADDLE_TRACE_READER_H

#include "base/err.h"
#include "trace/event.h"
#include "trace/format.h"

struct trace;
struct lane;                                    /* cursor over the events of one thread, in its program order */
struct merged;                                  /* cursor over all events, in one order that contradicts nothing recorded */

struct trace_options {
	bool salvage;                           /* use the sound part of a damaged file */
};

struct trace_thread {
	const char *path;                       /* "T_0_1" */
	const char *name;                       /* "" if never named */
	uint32_t uid;
	struct thread_id parent;                /* NO_THREAD for the first, or when the creator is not in the trace */
	int32_t tid;
	bool alive_at_end;
	uint32_t waits_kind;                    /* at the end: kind of event waited for, or 0 */
	bool waits_until;                       /* the wait has a deadline */
	uint64_t waits_for;                     /* the object; for EV_JOIN the dense index of the other thread */
	uint64_t lost;                          /* records that could not be kept */
	bool faulted;                           /* it died of a memory fault */
	uint64_t fault;                         /* at this address */
};

/* 0, or -1 and why (message already names the file and the place). */
int  trace_open(struct trace **out, const char *path, const struct trace_options *options, struct err *why);
void trace_close(struct trace *t);              /* NULL is fine */

const char *trace_path(const struct trace *t);
enum trace_order trace_order(const struct trace *t);
uint32_t trace_flags(const struct trace *t);    /* TRACE_* */
uint32_t trace_level(const struct trace *t);
uint64_t trace_ticks_per_second(const struct trace *t);     /* 0 unknown */
const char *trace_fact(const struct trace *t, const char *key);   /* from INFO or END; NULL if absent */
const char *trace_fact_at(const struct trace *t, uint32_t i, const char **value);  /* the key of fact 0, 1, ...; NULL past the last */
bool trace_complete(const struct trace *t);     /* it has its END block */
const char *trace_salvaged(const struct trace *t);          /* what was left out, or NULL */

uint32_t trace_thread_count(const struct trace *t);
const struct trace_thread *trace_thread(const struct trace *t, struct thread_id id);
uint64_t trace_thread_bytes(const struct trace *t, struct thread_id id);        /* of its records, about; at most a multiple of what the file has */

/* Events of one thread, signal handlers spliced in where they ran.  1 event, 0 end, -1 damaged and why. */
int  lane_open(struct lane **out, struct trace *t, struct thread_id id, struct err *why);
int  lane_next(struct lane *l, struct event *ev, struct err *why);
void lane_close(struct lane *l);

/* All events.  In an `order: total` trace this is the order of the run.  In a native one it is one order in which every
 * thread keeps its own, versions of each object rise, and time hints decide the rest: a view, not what happened. */
int  merged_open(struct merged **out, struct trace *t, struct err *why);
int  merged_next(struct merged *m, struct event *ev, struct err *why);   /* as lane_next */
int  merged_next_in_place(struct merged *m, const struct event **ev, struct err *why);   /* not copied: good until the next */
void merged_close(struct merged *m);

/* What lies at an address: the global's name, or NULL; *offset from its start.  Heap objects are the caller's to track. */
const char *trace_symbol(const struct trace *t, uint64_t address, uint64_t *offset);
/* The same, and where it begins and how long it is. */
const char *trace_symbol_range(const struct trace *t, uint64_t address, uint64_t *start, uint64_t *bytes);
/* Where a global of that name lies: the nth of them, by address.  False past the last. */
bool trace_symbol_named(const struct trace *t, const char *name, uint32_t nth, uint64_t *start, uint64_t *bytes);
const char *trace_function_at(const struct trace *t, uint64_t address);   /* name of the function there, or NULL */
/* A name of this trace (symbol, function, callee) as people write it: demangled, shortened.  Lives as long as the trace. */
const char *trace_shown(struct trace *t, const char *name);
/* The function a descriptor (payload of FRAMES, KEYFRAME) says was entered; NULL: not known. */
const struct place *trace_function(struct trace *t, uint64_t descriptor);
/* Where the call stands that returns to this address, with the functions it was inlined into; NULL: not known. */
const struct place *trace_call_place(struct trace *t, uint64_t returns);
/* Is the innermost function a thread is inside of among those a FRAMES names?  Not if it is inside of more than are kept. */
bool frames_innermost(const struct event *frames);
/* The nth innermost of the functions the payload of FRAMES names: where it returns to, 0 not known.  False past the last. */
bool frames_return(const void *payload, uint64_t bytes, uint32_t nth, uint64_t *returns);
/* Objects that were loaded.  instrumented = it has a site table. */
struct trace_module { const char *path; uint64_t base, low, high; bool instrumented; char build_id[41]; };
uint32_t trace_module_count(const struct trace *t);
const struct trace_module *trace_module(const struct trace *t, uint32_t i);
const struct trace_module *trace_program(const struct trace *t);         /* the first file that was built with raddle; NULL: none */

const char *event_word(enum event_kind kind);   /* "lock"; NULL for a number that is no kind */
const char *event_said(enum event_kind kind);   /* the same for people: "read", "create a thread" */
int event_kind_of(const char *word);            /* kind, or -1 */
enum event_class event_class(enum event_kind kind);
bool kind_is_deed(enum event_kind kind);        /* something a thread does, not what is written down about it */
uint32_t lock_type_bytes(uint64_t type);        /* of an enum lock_type; 0: it is none, or the program's own */
const char *wait_words(unsigned kind);          /* before the name of what is waited for: "lock", "the end of thread" */
bool event_is_access(const struct event *ev);   /* touches memory: MEMORY or ATOMIC but not FENCE */

#endif
