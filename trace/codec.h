/* trace/codec.h -- the records of one DATA block <-> the bytes stored for them.
 *
 * Every block stands alone: encoder and decoder begin each with empty state.  Encoding never fails and never loses a bit:
 * records the foretelling coder does not understand are kept as they are, or by zstd.  Decoding trusts nothing. */
#ifndef RADDLE_TRACE_CODEC_H
#define RADDLE_TRACE_CODEC_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "trace/format.h"
#include "trace/sites.h"

struct codec;                                   /* working memory; one at a time per thread */

#define RECORD_IS_CONTROL UINT32_MAX
struct record_ref { uint32_t at, site; };       /* offset; number of its site (sites_at), or RECORD_IS_CONTROL */

struct decoded {                                /* all zero when unused */
	uint8_t *bytes;                         /* records; 8 more bytes behind them may be read */
	size_t count, room;
	struct record_ref *records;
	size_t record_count, record_room;
	size_t taken;                           /* of what may be unpacked at a time (base/unpack.h) */
};

struct codec *codec_new(enum trace_order order);        /* of the trace: in a total one records have numbers (wire/ring.h) */
void codec_free(struct codec *c);               /* NULL is fine */

/* The stored form, good until the next call; its coding and how many events it holds (records that are none: 0). */
struct coded { enum block_coding coding; const uint8_t *bytes; size_t count; uint64_t events; };
struct coded codec_encode(struct codec *c, struct sites *s, const uint8_t *records, size_t count);
/* As above but by this coding only; count 0 if it cannot (PREDICT on what are no records). */
struct coded codec_encode_as(struct codec *c, struct sites *s, enum block_coding coding, const uint8_t *records, size_t count);
/* Where the control records of the block encoded last came from: each code address, or descriptor, once or more. */
void codec_each_code(const struct codec *c, void (*met)(void *with, uint64_t address), void *with);

/* 0; or -1 and why ("... at record byte 123"): the message is a clause for the caller to complete; `out` has the records in front of that. */
int  codec_decode(struct codec *c, struct sites *s, uint32_t coding, const uint8_t *stored, size_t stored_count, size_t count,
	struct decoded *out, struct err *why);
void decoded_release(struct decoded *d);

/* How many events a control record stands for; 0: others go on with its bytes. */
uint64_t control_events(struct sites *s, const uint8_t *record);

/* ---- the foretelling coder (foretell.c) ---- */
struct foretell;
struct foretell *foretell_new(enum trace_order order);
void foretell_free(struct foretell *p);
/* Bytes stored, in *stored; 0: these are not records it understands. */
size_t foretell_encode(struct foretell *p, struct sites *s, const uint8_t *records, size_t count, const uint8_t **stored,
	uint64_t *events);
void foretell_each_code(const struct foretell *p, void (*met)(void *with, uint64_t address), void *with);
int  foretell_decode(struct foretell *p, struct sites *s, const uint8_t *stored, size_t stored_count, size_t count,
	struct decoded *out, struct err *why);

#endif
