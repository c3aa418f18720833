/* analyses/epa/canon.c -- see canon.h. */
#include "analyses/epa/canon.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "analyses/epa/memory.h"
#include "base/err.h"
#include "base/str.h"
#include "trace/text_words.h"

struct making {
	struct canon *canon;
	struct memory *memory;
	struct canon_lane **of_thread;
	uint32_t number;
	bool indexed;
	uint32_t index;                         /* of the event, in its thread */
};

/* ---- which events ---- */

static bool is_left_out(const struct making *k, const struct event *ev)
{
	switch (ev->kind) {
	case EV_STACK: case EV_TLS: case EV_BLOCK: case EV_KEYFRAME: case EV_TIME: case EV_MODULE: case EV_LOST: case EV_FRAMES: case EV_SHUT: case EV_OPENED: case EV_FLUSH:
		return true;
	case EV_UNMAP:
		return ev->result < 0 || memory_is_foreign(k->memory, ev->code);        /* whether a mapping that grows must move is the system's affair */
	case EV_ALLOC: case EV_FREE: case EV_REALLOC: case EV_MAP: case EV_LIBREAD: case EV_LIBWRITE: case EV_COPY:
		return memory_is_foreign(k->memory, ev->code);
	case EV_ONCE: case EV_ONCERUN: case EV_LOCK: case EV_UNLOCK:   /* what a library has for itself: whoever comes first */
		return memory_is_foreign(k->memory, ev->code) && memory_is_foreign(k->memory, ev->object);
	default:
		return false;
	}
}

/* ---- one event ---- */

static bool is_system_number(unsigned kind)             /* of a process or thread, as the system counts them */
{
	return kind == EV_PROCESS || kind == EV_SIGSEND || kind == EV_NAME;
}

static void put_where(struct making *k, const struct event *ev, struct canon_event *e)
{
	struct spot spot;
	enum object_form form = object_form(ev->kind);
	if (ev->kind == EV_FORK && ev->object >= trace_thread_count(k->canon->trace))
		spot = memory_child(k->memory, ev->thread);     /* the run ended before it did anything */
	else if (form == FORM_THREAD)
		spot = memory_thread(k->memory, ev->object);
	else if (is_system_number(ev->kind))
		spot = (struct spot){ 0, 0 };
	else if (form == FORM_NUMBER)
		spot = (struct spot){ 0, ev->object };
	else
		spot = memory_at(k->memory, ev->object);
	e->thing = spot.thing;
	e->offset = spot.offset;
}

static bool is_plain(unsigned kind)
{
	return kind == EV_READ || kind == EV_WRITE || kind == EV_RESULT || kind == EV_ARGUMENT;
}

static bool is_written(unsigned kind)
{
	return kind == EV_WRITE || kind == EV_ASTORE;
}

/* A word of the event's value, at this offset in it: 16 bytes may be two pointers. */
static struct spot word_of(struct making *k, const struct event *ev, unsigned at, uint64_t word)
{
	if (ev->kind == EV_RESULT)
		return memory_result(k->memory, ev->thread, ev->name, word);
	if (ev->kind == EV_ARGUMENT)
		return memory_register(k->memory, ev->thread, word);
	return is_written(ev->kind) ? memory_wrote(k->memory, ev->thread, ev->object + at, word)
		: memory_read(k->memory, ev->thread, ev->object + at, word);
}

static bool is_of_words(const struct event *ev)
{
	return arg_form(ev->kind) == ARG_VALUE && (ev->size == 8 || ev->size == 16);
}

static void put_value(struct making *k, const struct event *ev, struct canon_event *e)
{
	bool sized = arg_form(ev->kind) == ARG_VALUE;
	struct spot spot = { 0, ev->arg };
	if (sized && !ev->has_value)
		return;
	if (is_switch(ev))
		spot.offset = ev->written;
	else if (!sized)
		spot = memory_value(k->memory, ev->arg);
	else if (is_of_words(ev))
		spot = word_of(k, ev, 0, ev->arg);
	else if (ev->size == 4 && is_written(ev->kind))
		memory_wrote_half(k->memory, ev->object, (uint32_t)ev->arg);
	e->points_to = spot.thing;
	e->value = spot.offset;
	e->flags |= CANON_HAS_VALUE;
}

static void add(const struct making *k, struct canon_lane *lane, const struct canon_event *e)
{
	if (lane->count % PIECE == 0 && lane->count / PIECE == lane->row.pieces.count)
		lane->last = pieces_add(&k->canon->book->pieces, &lane->row, lane->twin);
	lane->last[lane->count++ % PIECE] = *e;
	vec_push(&lane->order, k->number);
	if (k->indexed)
		vec_push(&lane->index, k->index);
}

/* What the fixed part has no room for. */
static void put_more(struct making *k, const struct event *ev, struct canon_lane *lane, uint32_t place)
{
	bool changes = ev->kind == EV_RMW || (ev->kind == EV_CAS && !ev->failed);
	int32_t result = ev->kind == EV_BLEAVE && ev->result == -1 ? 0 : ev->result;
	if (changes) {
		struct spot spot = is_of_words(ev) ? memory_wrote(k->memory, ev->thread, ev->object, ev->written) : (struct spot){ 0, ev->written };
		add(k, lane, &(struct canon_event){ .kind = CANON_MORE, .size = ev->size, .flags = CANON_HAS_VALUE | CANON_WRITES, .place = place,
			.points_to = spot.thing, .value = spot.offset });
	}
	if (ev->arg_high || ev->written_high || result) {
		struct spot high = { 0, ev->arg_high ? ev->arg_high : (uint64_t)(int64_t)result }, written = { 0, ev->written_high };
		if (ev->arg_high && is_of_words(ev))
			high = word_of(k, ev, 8, ev->arg_high);
		if (changes && ev->written_high && is_of_words(ev))
			written = memory_wrote(k->memory, ev->thread, ev->object + 8, ev->written_high);
		add(k, lane, &(struct canon_event){ .kind = CANON_MORE, .place = place, .thing = written.thing, .offset = written.offset,
			.points_to = high.thing, .value = high.offset });
	}
}

static void name_word(const struct making *k, uint8_t *at, struct spot spot)
{
	if (!spot.thing)
		return;
	uint64_t word = book_hash(k->canon->book, spot.thing, spot.offset);
	memcpy(at, &word, 8);
}

/* Pointers in the payload, where the memory they come from has them, are told by name. */
static void name_pointers(struct making *k, const struct event *ev, uint8_t *payload)
{
	uint64_t base = ev->object;
	uint32_t first = (uint32_t)(-base & 7);
	bool comes = ev->kind == EV_LIBWRITE || ev->kind == EV_INPUT;
	if (ev->kind == EV_COPY && ev->byte_count >= 8) {
		uint64_t from;                          /* the first word: what is known there is what the others are */
		memcpy(&from, payload, 8);
		name_word(k, payload, memory_at(k->memory, from));
		first = 8 + (uint32_t)(-from & 7);
		base = from - 8;
	}
	for (uint32_t at = first; at + 8 <= ev->byte_count; at += 8) {
		uint64_t word;
		memcpy(&word, payload + at, 8);
		name_word(k, payload + at, comes ? memory_value(k->memory, word) : memory_read(k->memory, ev->thread, base + at, word));
	}
}

static uint8_t *keep_bytes(struct canon *c, const uint8_t *bytes, uint32_t count)
{
	if (c->bytes.room - c->bytes.count < count) {
		c->bytes.room = 2 * c->bytes.room + count;
		c->bytes.at = mem_resize(c->bytes.at, c->bytes.room);
	}
	uint8_t *kept = c->bytes.at + c->bytes.count;
	memcpy(kept, bytes, count);
	c->bytes.count += count;
	return kept;
}

static void put_bytes(struct making *k, const struct event *ev, struct canon_lane *lane, uint32_t place)
{
	struct canon_bytes payload = { (uint32_t)lane->count, ev->byte_count, k->canon->bytes.count };
	uint8_t *kept = keep_bytes(k->canon, ev->bytes, ev->byte_count);
	name_pointers(k, ev, kept);
	vec_push(&lane->payloads, payload);
	add(k, lane, &(struct canon_event){ .kind = CANON_BYTES, .place = place, .offset = ev->byte_count,
		.value = XXH64(kept, ev->byte_count, 0) });
}

/* Whether realloc moves a block is the allocator's affair: that it gave the old one back, and brought along what was in it, is not told. */
static void take_back_free(struct canon_lane *lane, const struct canon_event *moved)
{
	const struct canon_event *last = lane->count ? canon_at(lane, lane->count - 1) : NULL;
	if (last && last->kind == EV_FREE && last->thing == moved->thing) {
		lane->count--;
		check(lane->count / PIECE + 1 == lane->row.pieces.count);       /* of a piece that is not full for good */
		lane->order.count--;
		lane->index.count -= lane->index.count > 0;
	}
}

static bool was_moved(const struct canon_lane *lane, const struct canon_event *e)
{
	size_t last = lane->count;
	while (last > 0 && canon_at(lane, last - 1)->kind >= CANON_MORE)
		last--;
	const struct canon_event *before = last ? canon_at(lane, last - 1) : NULL;
	return before && before->kind == EV_REALLOC && before->thing == e->thing && before->offset == e->offset;
}

static void put_event(struct making *k, const struct event *ev)
{
	struct canon_lane *lane = k->of_thread[ev->thread.i];
	struct canon_event e = { .kind = ev->kind, .size = ev->size, .nest = (uint8_t)ev->nest, .place = memory_place(k->memory, ev) };
	e.flags = (uint8_t)((ev->failed ? CANON_FAILED : 0) | (ev->in_flight ? CANON_IN_FLIGHT : 0) | (is_written(ev->kind) ? CANON_WRITES : 0));
	put_where(k, ev, &e);
	put_value(k, ev, &e);
	if (ev->kind == EV_REALLOC)
		take_back_free(lane, &e);
	if (ev->kind == EV_LIBWRITE && was_moved(lane, &e))
		return;
	add(k, lane, &e);
	if (is_plain(ev->kind) && !ev->arg_high)
		return;
	put_more(k, ev, lane, e.place);
	if (ev->byte_count && ev->kind != EV_REALLOC)
		put_bytes(k, ev, lane, e.place);
}

static int take_events(struct making *k, struct trace *t, struct err *why)
{
	struct merged *all;
	const struct event *ev;
	int got;
	if (merged_open(&all, t, why) < 0)
		return -1;
	while ((got = merged_next_in_place(all, &ev, why)) > 0) {
		bool comes = ev->kind == EV_ALLOC || ev->kind == EV_REALLOC || ev->kind == EV_MAP || ev->kind == EV_FORK;
		bool plain = is_plain(ev->kind);
		if (comes)
			memory_note(k->memory, ev);     /* it has a name now; what goes keeps its own until it is told */
		k->index = (uint32_t)ev->index;
		if (!is_left_out(k, ev))
			put_event(k, ev);
		if (!comes && !plain)
			memory_note(k->memory, ev);
		k->number++;
	}
	merged_close(all);
	k->canon->events = k->number;
	return got;
}

/* ---- lanes ---- */

/* T_0_2 before T_0_10: by the numbers on the path. */
int canon_by_path(const void *a, const void *b)
{
	const char *x = ((const struct canon_lane *)a)->path, *y = ((const struct canon_lane *)b)->path;
	for (;;) {
		while (*x && *x == *y && (*x < '0' || *x > '9'))
			x++, y++;
		if (*x < '0' || *x > '9' || *y < '0' || *y > '9')
			return (unsigned char)*x - (unsigned char)*y;
		char *x_end, *y_end;
		unsigned long m = strtoul(x, &x_end, 10), n = strtoul(y, &y_end, 10);
		if (m != n)
			return m < n ? -1 : 1;
		x = x_end;
		y = y_end;
	}
}

/* Of each thread nothing yet. */
static void open_lanes(struct canon *c, struct trace *t, struct names_book *book)
{
	*c = (struct canon){ .trace = t, .book = book, .lane_count = trace_thread_count(t) };
	c->lanes = mem_take((c->lane_count + 1u) * sizeof *c->lanes);
	for (uint32_t i = 0; i < c->lane_count; i++)
		c->lanes[i] = (struct canon_lane){ .path = trace_thread(t, (struct thread_id){ i })->path, .thread = i };
	qsort(c->lanes, c->lane_count, sizeof *c->lanes, canon_by_path);
}

/* Each lane is held against that of the same thread. */
static void find_twins(struct canon *c, const struct canon *like)
{
	for (uint32_t i = 0; like && i < c->lane_count; i++) {
		const struct canon_lane *twin = bsearch(&c->lanes[i], like->lanes, like->lane_count, sizeof *like->lanes, canon_by_path);
		c->lanes[i].twin = twin ? &twin->row : NULL;
	}
}

static int fill_lanes(struct canon *c, bool indexed, struct err *why)
{
	struct making k = { .canon = c, .indexed = indexed };
	k.of_thread = mem_take((c->lane_count + 1u) * sizeof *k.of_thread);
	for (uint32_t i = 0; i < c->lane_count; i++)
		k.of_thread[c->lanes[i].thread] = &c->lanes[i];
	int got = memory_open(&k.memory, c->trace, c->book, why);
	if (got == 0)
		got = take_events(&k, c->trace, why);
	memory_close(k.memory);
	mem_free(k.of_thread);
	for (uint32_t i = 0; i < c->lane_count; i++)
		c->lanes[i].twin = NULL;
	return got;
}

static int make(struct canon *c, struct trace *t, struct names_book *book, const struct canon *like, bool indexed, struct err *why)
{
	open_lanes(c, t, book);
	find_twins(c, like);
	int got = fill_lanes(c, indexed, why);
	if (got < 0)
		canon_release(c);
	return got;
}

int canon_make(struct canon *c, struct trace *t, struct names_book *book, const struct canon *like, struct err *why)
{
	return make(c, t, book, like, false, why);
}

int canon_make_indexed(struct canon *c, struct trace *t, struct names_book *book, struct err *why)
{
	return make(c, t, book, NULL, true, why);
}

struct filling { struct canon *canon; int got; struct err why; };

static void *fill(void *given)
{
	struct filling *f = given;
	f->got = fill_lanes(f->canon, false, &f->why);
	return NULL;
}

int canon_make_both(struct canon *golden, struct trace *of_golden, struct canon *other, struct trace *of_other, struct names_book *book, struct err *why)
{
	struct filling first = { .canon = golden }, second = { .canon = other };
	pthread_t thread;
	open_lanes(golden, of_golden, book);
	open_lanes(other, of_other, book);
	find_twins(golden, other);
	find_twins(other, golden);
	bool parallel = pthread_create(&thread, NULL, fill, &second) == 0;
	fill(&first);
	if (!parallel)                                  /* one after the other, then */
		fill(&second);
	else
		check(pthread_join(thread, NULL) == 0);
	if (first.got == 0 && second.got == 0)
		return 0;
	*why = first.got < 0 ? first.why : second.why;
	canon_release(golden);
	canon_release(other);
	return -1;
}

void canon_release(struct canon *c)
{
	for (uint32_t i = 0; i < c->lane_count; i++) {
		pieces_release(&c->book->pieces, &c->lanes[i].row);
		vec_release(&c->lanes[i].order);
		vec_release(&c->lanes[i].index);
		vec_release(&c->lanes[i].payloads);
	}
	mem_free(c->lanes);
	vec_release(&c->bytes);
	*c = (struct canon){ 0 };
}

uint64_t canon_count(const struct canon_lane *lane, size_t from, size_t to)
{
	uint64_t count = 0;
	for (; from < to; from++)
		count += canon_at(lane, from)->kind < CANON_MORE;
	return count;
}

uint32_t canon_span(const struct canon_lane *lane, size_t event)
{
	uint32_t span = 1;
	while (event + span < lane->count && canon_at(lane, event + span)->kind >= CANON_MORE)
		span++;
	return span;
}
