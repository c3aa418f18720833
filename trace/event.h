/* trace/event.h -- one event as every reader of a trace sees it, whatever file it came from.
 *
 * What object, arg and result mean for a kind is in wire/kinds.h.  Pointers inside an event belong to the trace and
 * live until it is closed, except `bytes`, which live until the next event is read from the same cursor. */
#ifndef RADDLE_TRACE_EVENT_H
#define RADDLE_TRACE_EVENT_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include "wire/kinds.h"

struct thread_id { uint32_t i; };       /* dense index into the threads of one trace, 0 = the main thread */
#define NO_THREAD ((struct thread_id){ UINT32_MAX })

struct place {                          /* where in the source; all strings interned by the trace, never NULL ("" unknown) */
	const char *file;               /* as the compiler saw it */
	const char *function;           /* as written in the source */
	const char *linkage;            /* as the linker knows it */
	const char *unit;               /* the compiled file */
	const char *module;             /* path of the executable or shared object */
	uint32_t line, column;          /* 0 unknown */
	uint32_t ordinal;               /* of the site in its function, UINT32_MAX: not from a site table */
	uint64_t site;                  /* stable identity: hash(unit, linkage, ordinal); 0 if none */
	const struct place *inlined_at; /* or NULL */
};

struct event {
	uint8_t kind;                   /* enum event_kind */
	uint8_t size;                   /* READ WRITE and atomics: 1..16; FLUSH: 1..8; 0 otherwise */
	uint8_t order;                  /* atomics: enum mem_order */
	uint8_t order2;                 /* CAS: order when it fails */
	uint8_t op;                     /* atomics: enum atomic_op */
	bool has_value;                 /* READ WRITE: value is known */
	bool is_volatile;
	bool failed;                    /* CAS that failed, or a call that did */
	bool cut;                       /* bytes[] is shorter than what was touched */
	bool in_flight;                 /* started, not known to have finished when the program died */
	bool waits;                     /* a store that others cannot see before a FLUSH (docs/trace-format.md, FLUSH) */
	struct thread_id thread;
	uint64_t index;                 /* 0, 1, 2, ... within its thread */
	uint64_t object;                /* address, lock, dense index of the other thread for FORK JOIN DETACH CANCEL, BLOCK for JOIN */
	uint64_t arg;                   /* value of an access (low 8 bytes); FLUSH: dense index of whose store; else see wire/kinds.h */
	uint64_t arg_high;              /* bytes 8..15 of a 16-byte value */
	uint64_t written;               /* RMW, CAS that succeeded: value written; BRANCH by a switch: number of the way taken, from 1 */
	uint64_t written_high;          /* bytes 8..15 of it */
	uint64_t version;               /* place in the order of operations on this object, 0 = none */
	uint64_t time;                  /* hint, in ticks; order total: its number in the order, rising; 0 = none */
	int32_t result;
	uint32_t nest;                  /* 0, or depth of the signal handler it ran in */
	uint64_t code;                  /* code address the call came from, 0 if none */
	const struct place *place;      /* never NULL */
	const char *name;               /* variable (accesses) or callee (CALL, library effects), or NULL */
	const uint8_t *bytes;           /* payload, or NULL */
	uint32_t byte_count;
	uint32_t points;                /* of its thread up to its own, a join being one (wire/ring.h); 0 not known */
};

extern const struct event event_none;   /* all zero: to be copied, which is faster than to be cleared */

/* Was what it got tried for, so that it could have been refused? */
static inline bool event_tried(const struct event *ev) { return kind_tries(ev->kind) && ev->arg & LOCK_TRIED; }

/* And waited for, up to a time? */
static inline bool event_timed(const struct event *ev) { return event_tried(ev) && ev->arg & LOCK_TIMED; }

/* Had, or refused, without ever waiting for it?  Refusals say so by their errno. */
static inline bool event_never_waits(const struct event *ev)
{
	return ev->result && ev->result != EOWNERDEAD ? (ev->kind == EV_SWAIT && ev->result == EAGAIN) || (ev->kind == EV_JOIN && ev->result == EBUSY) : event_tried(ev) && !event_timed(ev);
}

/* Is the lock the thread's behind it?  So it is of one whose last owner died with it. */
static inline bool event_has_lock(const struct event *ev) { return ev->kind == EV_LOCK && (!ev->result || ev->result == EOWNERDEAD); }

/* Of a read-write lock: does a writer that waits hold new readers back? */
static inline bool event_writers_first(const struct event *ev)
{
	return (ev->kind == EV_LOCK || ev->kind == EV_TRYFAIL) && ev->arg >> 8 == LOCK_RWLOCK && ev->arg & LOCK_WRITERS_FIRST;
}

#endif
