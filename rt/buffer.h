/* rt/buffer.h -- store buffers of a steered run under a weak memory model (buffer.c): what the files of the runtime may do with them.
 * Everything here is for the strand that runs, unless a strand is named; nothing does anything under MODEL_SC but test buffers_on. */
#ifndef RADDLE_RT_BUFFER_H
#define RADDLE_RT_BUFFER_H

#include "rt/steer.h"

void buffers_start(void);

/* ---- stores, each after its point ---- */
enum store_waits { STORE_PLAIN, STORE_RELEASE };       /* RELEASE: not before every earlier store of the strand */
void buffer_store(void *at, uint64_t bits, unsigned size, enum store_waits waits);     /* 1, 2, 4 or 8 bytes: makes it */
/* The same of the word of a lock, which is thereby free, and RELEASE; no record of it says that it waits, nor when it is in memory. */
void buffer_store_lock(void *at, uint64_t bits, unsigned size);
/* Around stores somebody else makes: what stands at [at, at + most) is about to change; then, which of it has, piece by piece. */
void buffer_before(const void *at, uint64_t most);
void buffer_after(const void *at, uint64_t bytes);
/* The same for memory nobody else could know yet, which was filled. */
void buffer_filled(const void *at, uint64_t bytes);
void buffer_fence(enum mem_order order);
void buffer_drain(void);
/* Of every strand that has a store into this memory, which is about to go away.  No others: libc asks for such a call when it makes a thread, and none where one was made in advance. */
void buffer_drain_into(uint64_t low, uint64_t bytes);
/* Code nobody watches is about to run: drains, and notes the place if there was something to drain. */
void buffer_leave(uint64_t place);
/* A steered body is about to call this; `place` returns there (called.c, by entry.S). */
void called(const char *code, uint64_t place);
bool cxx_keeps_stores(const char *code);        /* a function of libstdc++ that does nothing to a store buffer (cxx.c) */
bool called_is_built(const char *code);        /* a function built with raddle begins there */
/* The strand is about to rest: what lay in stack frames it has left (below s->sp) is no store any more. */
void buffer_rests(struct strand *s);

/* ---- where records are kept ---- */
/* The strand runs again: what left the buffers since anybody wrote a record is written down. */
void buffers_tell(void);
/* Of a store whose record is about to be written: does it wait in the buffer?  Asked once. */
bool buffer_took(void);

/* ---- for who chooses ---- */
/* The strand's stores that could reach memory now are those of its `which` for which this is true. */
bool buffer_can_flush(const struct strand *s, uint32_t which);
uint32_t buffer_count(const struct strand *s);
/* Which of its stores is part `part` of event `nth`; buffer_count(): none. */
uint32_t buffer_find(const struct strand *s, uint64_t nth, uint32_t part);
struct buffered { uint64_t nth, place, priority; uint32_t part; enum event_kind kind; };
struct buffered buffer_about(const struct strand *s, uint32_t which);
void buffer_flush(struct strand *s, uint32_t which);
/* A store of another strand that has to be in memory before `by` does what it is about to do, as it would be under SC; not one that is to be late.
 * Asked again after each.  false: none. */
bool buffer_due(const struct strand *by, struct strand **whose, uint32_t *which);
/* Memory shows what this strand sees. */
void buffers_show(const struct strand *s);

#endif
