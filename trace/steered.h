/* trace/steered.h -- records of a steered run (wire/ring.h): their numbers, and plain accesses that are control records. */
#ifndef RADDLE_TRACE_STEERED_H
#define RADDLE_TRACE_STEERED_H

#include "trace/event.h"
#include "trace/sites.h"
#include "wire/ring.h"

struct trace;

static inline bool kind_is_access(unsigned kind)
{
	return kind == EV_READ || kind == EV_WRITE;
}

/* A record of this layout: an access, or the result of an instruction. */
static inline bool kind_is_plain(unsigned kind)
{
	return kind_is_access(kind) || kind == EV_RESULT;
}

/* Which word of a control record holds its number? */
static inline unsigned number_word(unsigned kind)
{
	return (kind >= EV_READ && kind <= EV_FENCE) || kind == EV_RESULT ? 2 : 3;
}

static inline uint64_t record_number(const uint64_t w[4])
{
	return RECORD_NUMBER(w[number_word(w[0] >> 48 & 127)]);
}

/* Points of its thread since the record before. */
static inline int record_points(const uint64_t w[4])
{
	return kind_points(w[0] >> 48 & 127) + RECORD_POINTS(w[number_word(w[0] >> 48 & 127)]);
}

/* How many events the EV_READ or EV_WRITE record stands for; 0: a size nobody writes. */
uint32_t plain_events(struct sites *s, const uint64_t w[5]);

struct plain {                          /* those events, while they are given out */
	struct event like;              /* everything but object, value, has_value */
	uint64_t address;
	const uint8_t *bytes;           /* what was read or written, `known` of them */
	uint32_t known, total;
	uint32_t at;                    /* offset of the next event; none when it is `total` */
	uint8_t value[8];               /* of one that fits a register: bytes points here */
};

/* What the descriptor says of the access of a record: the same whenever it is asked. */
struct plain_known { const struct place *place; const char *name; bool is_volatile; };
struct plain_known plain_known(struct trace *t, struct sites *s, const uint64_t w[5]);

/* Is the record one event: has it no payload, and a size there is? */
static inline bool plain_is_single(const uint64_t w[5])
{
	return !(w[0] >> 56 & RECORD_PAYLOAD) && (w[3] & 255) <= 3;
}

/* That event: fills in all but thread, index, nest, time. */
static inline void plain_fill(struct event *ev, const struct plain_known *known, const uint64_t w[5], bool values)
{
	uint8_t kind = w[0] >> 48 & 127, flags = w[0] >> 56 & 127, size = (uint8_t)(1u << (w[3] & 255));
	*ev = event_none;
	ev->kind = kind;
	ev->size = size;
	ev->is_volatile = known->is_volatile;
	ev->in_flight = flags & RECORD_FAILED;
	ev->waits = kind == EV_WRITE && flags & RECORD_WAITS;
	ev->object = w[0] & RECORD_ADDRESS_MASK;
	ev->place = known->place;
	ev->name = known->name;
	if (values) {
		ev->has_value = !(ev->in_flight && kind == EV_READ);
		ev->arg = w[1] & UINT64_MAX >> (64 - 8 * size);
	}
}

/* The event of a record that has no payload: fills in all but thread, index, nest, time.  False: it has one, or a size nobody writes. */
bool plain_single(struct event *ev, struct trace *t, struct sites *s, const uint64_t w[5]);

/* `payload` is what stands behind the record.  0; or -1: as plain_events() 0. */
int  plain_open(struct plain *p, struct trace *t, struct sites *s, const uint64_t w[5], const uint8_t *payload);
void plain_next(struct plain *p, struct event *ev);     /* only while at < total; fills in all but thread, index, nest, time */

#endif
