/* analyses/epa/canon.h -- a run as every run of the program has it: what each thread did, by names instead of addresses.
 *
 * A lane is one thread's events in its order; lanes go by the path of the thread.  What hangs on scheduling or on the machine is not in it: times,
 * versions, who had to wait, numbers of processes and threads, which thread a barrier called the serial one, memory libraries take for themselves.
 *   (1) two events are the same if and only if their structs are, bytes for bytes, within one book of names;
 *   (2) what does not fit into one struct stands in the next, of kind CANON_MORE or CANON_BYTES, which has the place of the first. */
#ifndef RADDLE_EPA_CANON_H
#define RADDLE_EPA_CANON_H

#include "analyses/epa/names.h"
#include "base/err.h"
#include "trace/reader.h"

#define CANON_MORE  200u                        /* value, offset: second halves, results */
#define CANON_BYTES 201u                        /* value: hash of the payload, offset: how long it is */

enum canon_flag { CANON_HAS_VALUE = 1, CANON_FAILED = 2, CANON_IN_FLIGHT = 4, CANON_WRITES = 8 };

struct canon_event {                            /* 32 bytes, no gaps */
	uint8_t kind, size, flags, nest;        /* enum event_kind, or CANON_MORE, CANON_BYTES */
	uint32_t place;
	uint32_t thing, points_to;              /* where; what the value points to, 0 it is a number */
	uint64_t offset;                        /* in the thing; BRANCH by a switch: number of the way taken, from 1 */
	uint64_t value;                         /* a number, or the offset in what it points to */
};

struct canon_bytes { uint32_t event; uint32_t count; uint64_t at; };    /* payload of an event: in canon.bytes */

struct canon_lane {
	const char *path;
	uint32_t thread;                        /* dense index in its trace */
	size_t count;                           /* entries of `row` */
	struct piece_row row;
	struct canon_event *last;               /* piece of it */
	const struct piece_row *twin;                 /* while it is made: the same thread of a run it is held against; NULL none */
	VEC(uint32_t) order;                    /* number of each event in the merged order */
	VEC(uint32_t) index;                    /* number of each event in its thread's lane; only if asked for */
	VEC(struct canon_bytes) payloads;       /* rising by event */
};

struct canon {
	struct trace *trace;
	struct names_book *book;
	struct canon_lane *lanes;               /* sorted by path: T_0, T_0_0, T_0_1, ..., T_0_10 */
	uint32_t lane_count;
	VEC(uint8_t) bytes;
	uint64_t events;                        /* of the trace, those left out included */
};

static inline const struct canon_event *canon_at(const struct canon_lane *lane, size_t entry)
{
	check(entry < lane->count);
	return &lane->row.pieces.at[entry / PIECE].at[entry % PIECE];
}

/* 0, or -1 and why.  The trace and the book outlive it.  like: NULL, or a run in the same book it will be compared with: what is the same is kept once. */
int  canon_make(struct canon *c, struct trace *t, struct names_book *book, const struct canon *like, struct err *why);
/* Two runs that will be compared, at the same time: each has a thread of its own.  0, or -1 and why, and there is neither. */
int  canon_make_both(struct canon *golden, struct trace *of_golden, struct canon *other, struct trace *of_other, struct names_book *book, struct err *why);
int  canon_make_indexed(struct canon *c, struct trace *t, struct names_book *book, struct err *why);     /* lanes have `index` */
void canon_release(struct canon *c);

int canon_by_path(const void *a, const void *b);         /* compares two struct canon_lane */
const char *canon_word(const struct canon_event *e);    /* "w", "lock", ... */
/* One event in words, without its thread: "w balance+4 = 7"; the entries behind it that belong to it are told too. */
char *canon_say(const struct canon *c, const struct canon_lane *lane, size_t event, char *into, size_t room);
uint64_t canon_count(const struct canon_lane *lane, size_t from, size_t to);     /* events that begin in there */
uint32_t canon_span(const struct canon_lane *lane, size_t event);        /* entries it takes, itself included */

/* A switch: it is told by the way it takes, `written`, whatever it goes by. */
static inline bool is_switch(const struct event *ev) { return ev->kind == EV_BRANCH && ev->written; }
/* Is an event of this kind another way where it is another one? */
static inline bool decides_way(unsigned kind) { return kind == EV_BRANCH || kind == EV_CALL || kind == EV_LANDED; }

#endif
