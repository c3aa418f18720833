/* trace/inside.h -- what the files behind trace/reader.h share; nobody else includes it.
 *
 *   reader.c   opens a file: head, blocks, checksums, facts, threads
 *   modules.c  loaded objects, their symbols and site tables
 *   code.c     return addresses -> places: PLACES block, then line tables (lines.c), then symbols
 *   view.c     what one record of a site expands to: events to be filled in
 *   load.c     one DATA block decoded, with its time stamps
 *   control.c  a control record as an event
 *   lane.c     the events of one thread
 *   versions.c which versions are still to come, for the merger
 *   steered.c  plain accesses of a steered run, and the number of a record
 *   ordered.c  the events of all, by their numbers
 *   merged.c   the events of all
 *   shown.c    names as people write them
 *   memory.c   traces that were never a file of blocks */
#ifndef RADDLE_TRACE_INSIDE_H
#define RADDLE_TRACE_INSIDE_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "trace/codec.h"
#include "trace/lines.h"
#include "trace/reader.h"
#include "trace/sites.h"
#include "trace/steered.h"
#include "trace/stripes.h"
#include "wire/tls.h"

struct fact { const char *key, *value; };
struct symbol { uint64_t address, size; const char *name; };
typedef VEC(struct symbol) symbol_list;

struct data_block {
	uint64_t at;                            /* file offset of its head */
	uint32_t number;                        /* 1, 2, ... as messages count them */
	uint32_t sites;                         /* which set of site tables was loaded when it was written */
	struct block_head head;
};

struct block_range { uint32_t first, count; };  /* in trace.blocks */
struct loaded;
struct thread_blocks { struct block_range nest[NEST_LEVELS]; };

struct trace {
	char *path;
	enum trace_order order;
	uint32_t flags, level;
	uint64_t ticks_per_second;
	bool complete, salvage;
	const char *salvaged;
	struct arena arena;
	struct names strings;
	VEC(struct fact) facts;
	VEC(struct trace_thread) threads;
	VEC(struct trace_module) modules;
	symbol_list objects, functions;         /* sorted by address */

	/* a file of blocks */
	const uint8_t *map;
	size_t map_bytes;
	VEC(struct data_block) blocks;          /* DATA blocks, sorted by thread, nest, seq */
	VEC(struct thread_blocks) of_thread;
	struct map uid_index;                   /* uid -> dense index */
	VEC(struct sites *) sites;
	VEC(void *) payloads;                   /* decoded blocks that must stay */
	uint64_t unpacked;                      /* bytes of them */
	struct map code_places;                 /* code address -> struct place * */
	struct map call_places;                 /* the same, for trace_call_place() */
	struct map shown;                       /* name -> how people write it */
	struct map unit_places;                 /* unit address -> struct place ** */
	struct codec *codec;                    /* of all its lanes: they take turns */
	struct loaded **first;                  /* per thread: its first block, from who only looked into that one; or NULL */
	struct lines *lines;                    /* line tables, opened when first needed */

	/* built in memory */
	bool in_memory;
	VEC(struct event_list *) events;        /* per thread */
	VEC(uint32_t) sequence;                 /* the thread of each event, in the order they were given */
};

struct event_list { VEC(struct event) all; };

/* reader.c */
const char *trace_intern(struct trace *t, const char *text, size_t length);
struct thread_id trace_thread_of_uid(const struct trace *t, uint64_t uid);      /* NO_THREAD: not in the trace */

/* modules.c */
int  modules_add(struct trace *t, const uint8_t *bytes, size_t count, const char **fault, struct err *why);
void modules_ready(struct trace *t);            /* after the last one: sorts */
const struct trace_module *module_at(const struct trace *t, uint64_t address);
const struct symbol *symbol_at(const symbol_list *list, uint64_t address);

/* code.c */
void code_add_places(struct trace *t, const uint8_t *bytes, size_t count);      /* a PLACES payload */
void code_ready(struct trace *t);               /* behind modules_ready() */
const struct place *code_place(struct trace *t, uint64_t address);              /* of a return address; NULL: nothing known */

/* view.c: events[] of one record, in order; the lane fills in object, value, time, thread and index. */
enum view_what { VIEW_MARK, VIEW_ACCESS, VIEW_LANDED, VIEW_BRANCH, VIEW_CALL };
struct view_event { struct event event; uint8_t what; uint16_t access, element; };
struct view { uint32_t count; uint32_t *first; struct view_event events[]; };    /* first[n]: of the nth access */
const struct view *view_of(struct trace *t, struct sites *s, struct site *site);
const struct event *view_other(struct trace *t, struct sites *s, struct site *site);    /* of a control record that names it */
extern const struct place place_unknown;

/* control.c: fills in all but thread, index, nest and time; `payload` is what stands behind the record, as far as it is in one
 * piece.  The kind is one there is.  last_call: the call the thread is in, as far as known, or NULL. */
void control_event(struct trace *t, struct sites *s, const struct place *last_call, const uint64_t w[5], const uint8_t *payload,
	struct event *ev);

/* load.c */
struct stamp { uint32_t at; uint64_t time; };
struct loaded {
	const struct data_block *block;         /* NULL: nothing loaded */
	struct decoded decoded;
	struct segment_entry *segments;
	VEC(struct stamp) stamps;               /* rising in both; never empty */
	bool cut;                               /* salvaged: what is behind its records is damaged */
};
int  loaded_fill(struct loaded *l, struct trace *t, struct codec *c, const struct data_block *b, struct err *why);
void loaded_release(struct loaded *l);

/* versions.c: versions still to come, of all lanes of one merge. */
struct versions *versions_new(uint32_t lanes);
void versions_expect(struct versions *v, uint32_t lane, unsigned level, uint32_t stripe, uint64_t version);
void versions_passed(struct versions *v, uint32_t lane, unsigned level, uint32_t stripe);       /* the first expected there */
/* A lane other than this one that has a lower version of the stripe to come; NO_THREAD.i: none. */
uint32_t versions_lower(struct versions *v, uint32_t lane, uint32_t stripe, uint64_t version);
bool versions_ended(struct versions *v, uint32_t lane);         /* true: some of its versions never came */
void versions_free(struct versions *v);         /* NULL is fine */

/* ahead.c: tells versions of blocks a lane has not come to. */
struct ahead {
	uint32_t told;                          /* so many blocks of the lane, from its first */
	bool blind;                             /* the one behind them is damaged: whoever gets there will say so */
	struct loaded peeked;                   /* the last that was only looked into */
};
void ahead_tell_handlers(struct versions *v, struct trace *t, uint32_t lane, unsigned level, struct block_range range);
void ahead_tell(struct ahead *a, struct versions *v, uint32_t lane, uint32_t nth, const struct loaded *b);     /* each block once */
void ahead_peek(struct ahead *a, struct versions *v, struct trace *t, uint32_t lane, struct block_range range, uint32_t nth);

/* lane.c: what a merger needs to know of a lane beyond its events. */
void lane_tell_versions(struct lane *l, struct versions *v);    /* before the first event: v hears of what each block holds */
/* What the merger asks after each record: first in a lane. */
struct lane_front {
	uint32_t stripe;                        /* of the event just read; NO_STRIPE: it has no version */
	uint32_t blocks;                        /* changes whenever lane_unread_from() may */
};
static inline const struct lane_front *lane_front(const struct lane *l)
{
	return (const struct lane_front *)l;
}
uint64_t lane_time_limit(const struct lane *l); /* the event just read happened no later than this; UINT64_MAX unknown */
/* The next event if it belongs to the same record as the one just read; false: it does not. */
bool lane_next_of_group(struct lane *l, struct event *ev);
void lane_passed(struct lane *l);               /* the merger gave out the event just read, which has a version */
uint64_t lane_unread_from(const struct lane *l);        /* start of the block that can be looked into ahead; UINT64_MAX: none */
uint64_t lane_read_from(const struct lane *l);          /* start of the last one whose versions are told; 0: there is none */
void lane_look_ahead(struct lane *l);           /* looks into it: its versions are told */

/* ordered.c: the merger of a file with a total order. */
struct ordered;
int  ordered_open(struct ordered **out, struct trace *t, struct err *why);
int  ordered_next(struct ordered *o, const struct event **ev, struct err *why);         /* as merged_next_in_place */
void ordered_close(struct ordered *o);          /* NULL is fine */

#endif
