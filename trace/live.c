/* trace/live.c -- see live.h.  `now` is the lane events are taken from while its numbers stay below those of all others. */
#include "trace/live.h"

#include <stdio.h>
#include <string.h>

#include "trace/inside.h"

#define NO_LANE UINT32_MAX
#define KEPT_BYTES (256u << 10)         /* given records are thrown away when there are so many of them */

struct live_lane {
	uint64_t key;                   /* uid << 8 | nest */
	struct thread_id thread;
	uint32_t nest;
	VEC(uint8_t) bytes;
	size_t at;                      /* of the next record */
	uint64_t number;                /* of it, UINT64_MAX: there is none */
	uint64_t last;                  /* number of the record before */
	bool goes_on;                   /* the record before has more pieces */
	unsigned kind;                  /* of it */
};

struct live {
	struct trace *trace;
	struct live_lane *lanes;        /* those of earlier runs keep their memory */
	uint32_t lane_count, lane_room;
	struct map lane_index;
	uint32_t now;
	uint64_t until;                 /* the lowest number of another lane */
	uint64_t highest;
	VEC(uint8_t) gathered;          /* a payload of several pieces */
	struct plain plain;             /* a plain access being given out, of lane `now` */
	VEC(int64_t) points;            /* by thread, so far */
};

struct live *live_new(void)
{
	struct live *l = mem_take(sizeof *l);
	struct trace *t = mem_take(sizeof *t);
	t->path = mem_take(1);
	t->order = ORDER_TOTAL;
	vec_push(&t->sites, sites_new());
	l->trace = t;
	live_begin(l);
	return l;
}

void live_free(struct live *l)
{
	if (!l)
		return;
	for (uint32_t i = 0; i < l->lane_room; i++)
		vec_release(&l->lanes[i].bytes);
	mem_free(l->lanes);
	map_release(&l->lane_index);
	vec_release(&l->gathered);
	vec_release(&l->points);
	trace_close(l->trace);
	mem_free(l);
}

struct trace *live_trace(struct live *l)
{
	return l->trace;
}

int live_module(struct live *l, const void *bytes, size_t count, struct err *why)
{
	const char *fault;
	void *copy = mem_take(count + 1);
	memcpy(copy, bytes, count);
	vec_push(&l->trace->payloads, copy);
	int result = modules_add(l->trace, copy, count, &fault, why);
	if (result < 0 && fault)
		err_set(why, "an object's table %s", fault);
	modules_ready(l->trace);
	return result;
}

void live_begin(struct live *l)
{
	l->lane_count = 0;
	map_clear(&l->lane_index);
	map_clear(&l->trace->uid_index);
	vec_clear(&l->trace->threads);
	l->now = NO_LANE;
	l->until = l->highest = 0;
	l->plain.at = l->plain.total = 0;
	vec_clear(&l->points);
}

/* ---------------------------------------------------------------- threads and lanes */

/* NO_THREAD: there are too many. */
static struct thread_id thread_of(struct live *l, uint64_t uid)
{
	struct trace *t = l->trace;
	struct thread_id known = trace_thread_of_uid(t, uid);
	if (known.i != NO_THREAD.i || t->threads.count >= RING_THREADS)
		return known;
	*map_put(&t->uid_index, uid, NULL) = t->threads.count;
	*vec_add(&t->threads) = (struct trace_thread){ .path = "", .name = "", .uid = (uint32_t)uid, .parent = NO_THREAD };
	return (struct thread_id){ (uint32_t)t->threads.count - 1 };
}

static uint32_t lane_of(struct live *l, const struct segment_head *head)
{
	uint64_t key = (uint64_t)head->thread << 8 | (head->nest & 255);
	struct thread_id thread = thread_of(l, head->thread);
	bool fresh;
	if (thread.i == NO_THREAD.i)
		return NO_LANE;
	uint64_t *slot = map_put(&l->lane_index, key, &fresh);
	if (!fresh)
		return (uint32_t)*slot;
	*slot = l->lane_count;
	if (l->lane_count == l->lane_room) {
		uint32_t room = l->lane_room ? l->lane_room * 2 : 8;
		l->lanes = mem_resize(l->lanes, room * sizeof *l->lanes);
		memset(l->lanes + l->lane_room, 0, (room - l->lane_room) * sizeof *l->lanes);
		l->lane_room = room;
	}
	struct live_lane *v = &l->lanes[l->lane_count];
	vec_clear(&v->bytes);
	*v = (struct live_lane){ .key = key, .thread = thread, .nest = head->nest, .bytes = { v->bytes.at, 0, v->bytes.room },
		.number = UINT64_MAX };
	struct trace_thread *t = &l->trace->threads.at[thread.i];
	if (!*t->path)
		t->path = trace_intern(l->trace, head->path, strnlen(head->path, sizeof head->path));
	return l->lane_count++;
}

/* ---------------------------------------------------------------- records */

static void append(struct live_lane *v, const uint8_t *bytes, size_t count)
{
	if (v->at > KEPT_BYTES) {
		memmove(v->bytes.at, v->bytes.at + v->at, v->bytes.count - v->at);
		v->bytes.count -= v->at;
		v->at = 0;
	}
	if (v->bytes.room < v->bytes.count + count) {
		v->bytes.room = (v->bytes.count + count) * 2;
		v->bytes.at = mem_resize(v->bytes.at, v->bytes.room);
	}
	memcpy(v->bytes.at + v->bytes.count, bytes, count);
	v->bytes.count += count;
}

/* Bytes of the control record that stands here, 0: none does; *number: its own, or `last` if it says none. */
static size_t measure(const uint8_t *at, size_t room, uint64_t last, uint64_t *number)
{
	uint64_t w[5];
	if (room < sizeof w)
		return 0;
	memcpy(w, at, sizeof w);
	size_t bytes = sizeof w + (w[0] >> 56 & RECORD_PAYLOAD ? ((w[4] >> 48) + 7) / 8 * 8 : 0);
	*number = record_number(w) > last ? record_number(w) : last;
	return bytes <= room && event_word(w[0] >> 48 & 127) ? bytes : 0;
}

static bool is_control(const uint8_t *at)
{
	uint64_t word;
	memcpy(&word, at, 8);
	return word & RECORD_CONTROL;
}

/* The lane's next control record, past groups: its number is known. */
static void settle(struct live *l, struct live_lane *v)
{
	struct site *site;
	v->number = UINT64_MAX;
	while (v->at + 8 <= v->bytes.count) {
		const uint8_t *at = v->bytes.at + v->at;
		size_t room = v->bytes.count - v->at, size;
		if (is_control(at)) {
			if (measure(at, room, v->last, &v->number))
				return;
			size = 0;
		} else {
			size = record_bytes(l->trace->sites.at[l->trace->sites.count - 1], at, room, &site);
		}
		v->at += size ? size : room;    /* the program changed it while it was taken: the rest of it is lost */
		v->number = UINT64_MAX;
	}
}

size_t live_records(struct live *l, const struct segment_head *head, const uint8_t *bytes, size_t count, uint64_t below)
{
	uint32_t lane = lane_of(l, head);
	size_t at = 0, sound = 0;
	struct site *site;
	if (lane == NO_LANE)
		return 0;
	struct live_lane *v = &l->lanes[lane];
	uint64_t last = 0, number;
	while (at + 8 <= count) {
		bool control = is_control(bytes + at);
		size_t size = control ? measure(bytes + at, count - at, last, &number) :
			record_bytes(l->trace->sites.at[l->trace->sites.count - 1], bytes + at, count - at, &site);
		if (!size || (control && number >= below))
			break;
		at += size;
		if (control) {                  /* groups behind the last control record may not be whole yet */
			last = number;
			sound = at;
		}
	}
	if (below == UINT64_MAX)
		sound = at;
	if (sound)
		append(v, bytes, sound);
	if (last > l->highest)
		l->highest = last;
	if (v->number == UINT64_MAX)
		settle(l, v);
	l->until = 0;                           /* who is next is asked again */
	return sound;
}

uint64_t live_highest(const struct live *l)
{
	return l->highest;
}

/* ---------------------------------------------------------------- events */

static void choose(struct live *l)
{
	uint64_t best = UINT64_MAX;
	l->now = NO_LANE;
	l->until = UINT64_MAX;
	for (uint32_t i = 0; i < l->lane_count; i++) {
		uint64_t number = l->lanes[i].number;
		if (number < best) {
			l->until = best;
			best = number;
			l->now = i;
		} else if (number < l->until) {
			l->until = number;
		}
	}
}

static int64_t *points_of(struct live *l, struct thread_id thread)
{
	while (l->points.count <= thread.i)
		vec_push(&l->points, 0);
	return &l->points.at[thread.i];
}

static void label(struct live *l, const struct live_lane *v, struct event *ev)
{
	int64_t points = *points_of(l, v->thread);
	ev->points = points > 0 && points < UINT32_MAX ? (uint32_t)points : 0;
	ev->thread = v->thread;
	ev->nest = v->nest;
	ev->time = v->last;
}

/* The bytes of all pieces that are there, of which the first is the event's and the next stands at v->at. */
static void gather(struct live *l, const struct live_lane *v, struct event *ev)
{
	uint64_t w[5], number;
	size_t size;
	vec_clear(&l->gathered);
	for (uint32_t i = 0; i < ev->byte_count; i++)
		vec_push(&l->gathered, ev->bytes[i]);
	for (size_t at = v->at; at + sizeof w <= v->bytes.count && (size = measure(v->bytes.at + at, v->bytes.count - at, 0, &number)); at += size) {
		memcpy(w, v->bytes.at + at, sizeof w);
		if ((w[0] >> 48 & 127) != v->kind || !(w[0] >> 56 & RECORD_PAYLOAD))
			break;
		for (size_t i = 0; i < w[4] >> 48; i++)
			vec_push(&l->gathered, v->bytes.at[at + sizeof w + i]);
		if (!(w[0] >> 56 & RECORD_MORE))
			break;
	}
	ev->bytes = l->gathered.at;
	ev->byte_count = (uint32_t)l->gathered.count;
}

/* True: *ev is an event; false: nobody's business, or a further piece of one. */
static bool give(struct live *l, struct live_lane *v, struct event *ev)
{
	const uint8_t *record = v->bytes.at + v->at;
	struct sites *sites = l->trace->sites.at[l->trace->sites.count - 1];
	uint64_t w[5];
	memcpy(w, record, sizeof w);
	unsigned kind = w[0] >> 48 & 127, flags = w[0] >> 56 & 127;
	bool piece = v->goes_on && kind == v->kind;
	v->last = v->number;
	v->at += sizeof w + (flags & RECORD_PAYLOAD ? ((w[4] >> 48) + 7) / 8 * 8 : 0);
	v->goes_on = !kind_is_plain(kind) && flags & RECORD_PAYLOAD && flags & RECORD_MORE;
	v->kind = kind;
	settle(l, v);
	if (piece)
		return false;
	*points_of(l, v->thread) += record_points(w);
	if (kind_is_plain(kind)) {
		if (plain_open(&l->plain, l->trace, sites, w, record + sizeof w) < 0)
			return false;
		plain_next(&l->plain, ev);
	} else {
		if (kind == EV_FORK || kind == EV_JOIN || kind == EV_DETACH || kind == EV_CANCEL)
			thread_of(l, w[0] & RECORD_ADDRESS_MASK);
		if (kind == EV_FLUSH)
			thread_of(l, w[1]);
		control_event(l->trace, sites, NULL, w, record + sizeof w, ev);
		if (v->goes_on && kind == EV_LIBWRITE)
			gather(l, v, ev);
	}
	label(l, v, ev);
	return true;
}

bool live_next(struct live *l, uint64_t below, struct event *ev)
{
	if (l->plain.at < l->plain.total) {
		plain_next(&l->plain, ev);
		label(l, &l->lanes[l->now], ev);
		return true;
	}
	for (;;) {
		if (l->now == NO_LANE || l->lanes[l->now].number >= l->until)
			choose(l);
		if (l->now == NO_LANE || l->lanes[l->now].number >= below)
			return false;
		if (give(l, &l->lanes[l->now], ev))
			return true;
	}
}
