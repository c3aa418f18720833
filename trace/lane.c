/* trace/lane.c -- the events of one thread, in its program order.
 *
 * A thread's records lie in blocks of several levels: level 0 is the thread itself, level n+1 holds the signal handlers
 * that interrupted level n.  At any moment the lane reads from level `depth`; before each record of level n it asks whether
 * a handler is due there.
 *   (1) all records of a loaded block are known to lie inside it (codec.c), so nothing is checked again here;
 *   (2) a group record is expanded through its view; addresses and values of all its accesses are worked out when the
 *       record is opened;
 *   (3) event times never fall within one level of a lane.
 * Cost: one copy of an event per event, one load per slot. */
#include <stdio.h>
#include <string.h>

#include "trace/inside.h"
#include "trace/raw.h"

#define PLAINS 64u                              /* accesses of a steered run whose descriptor was asked, a power of 2 */
#define PLAINS_AHEAD 16u                        /* records that are fetched from memory before they are looked at */

struct level {
	struct block_range range;
	uint32_t next;                          /* next block of the range to load */
	struct loaded now, ahead;
	bool has_ahead;
	size_t record;                          /* next record of `now` */
	uint32_t segment;                       /* the one that record lies in, and its bytes */
	uint64_t segment_begin, segment_end;
	size_t stamp;                           /* time interval the record lies in */
	double ticks_per_byte;
};

struct lane {
	struct lane_front front;
	struct trace *trace;
	struct thread_id thread;
	unsigned depth, level_count;
	struct level levels[NEST_LEVELS];
	uint64_t index;
	bool finished;
	/* the group being given out */
	const struct view *view;
	const struct site *site;
	const uint8_t *payload;
	uint32_t at, count, in_flight;          /* events given, to give, and from which on it is not known whether they finished */
	uint64_t address[GROUP_ACCESSES], value[GROUP_ACCESSES], high[GROUP_ACCESSES];
	struct plain plain;                     /* a plain access of a steered run being given out */
	bool numbered;                          /* order total, and no handler ever ran */
	struct plain_seen { uint64_t site, what; struct plain_known known; } *plains;   /* of this block, by a hash of both; or NULL */
	uint64_t time;                          /* order total: number of the record before */
	int64_t points;                         /* and points of the thread up to it */
	const struct place *last_call;
	VEC(uint8_t) bytes;                     /* a payload in several pieces */
	unsigned stripe_depth;                  /* the level it came from */
	struct versions *versions;              /* told of those to come, or NULL; handlers' are known from the start */
	struct ahead ahead;                     /* which blocks of level 0 they were told of */
	/* a trace built in memory */
	const struct event_list *list;
	bool faulted;                           /* as struct trace_thread has it */
	uint64_t fault;
};

static uint32_t points_of(const struct lane *l)
{
	return l->points > 0 && l->points < UINT32_MAX ? (uint32_t)l->points : 0;
}

/* ---- versions to come, for the merger ---- */

void lane_tell_versions(struct lane *l, struct versions *v)
{
	check(!l->versions && l->index == 0);
	l->versions = v;
	for (unsigned n = 1; n < l->level_count; n++)
		ahead_tell_handlers(v, l->trace, l->thread.i, n, l->levels[n].range);
	for (size_t i = 0; l->list && i < l->list->all.count; i++) {
		const struct event *e = &l->list->all.at[i];
		uint32_t stripe = stripe_of_version(e->kind, e->object, e->arg, e->version);
		if (stripe != NO_STRIPE)
			versions_expect(v, l->thread.i, 0, stripe, e->version);
	}
}

void lane_passed(struct lane *l)
{
	check(l->versions && l->front.stripe != NO_STRIPE);
	versions_passed(l->versions, l->thread.i, l->stripe_depth, l->front.stripe);
}

/* ---- blocks ---- */

static bool more(const struct level *v)
{
	return v->has_ahead || v->next < v->range.count;
}

static const struct data_block *next_block(const struct lane *l, const struct level *v)
{
	return v->has_ahead ? v->ahead.block : &l->trace->blocks.at[v->range.first + v->next];
}

/* The first block of a thread, if somebody looked into it before and went away: it need not be decoded again. */
static bool take_first(struct lane *l, const struct level *v, struct loaded *into)
{
	struct loaded **kept = l->trace->first ? &l->trace->first[l->thread.i] : NULL;
	if (v != &l->levels[0] || v->next != 1 || !kept || !*kept)
		return false;
	loaded_release(into);
	*into = **kept;
	mem_free(*kept);
	*kept = NULL;
	return true;
}

static void keep_first(struct lane *l)
{
	struct level *v = &l->levels[0];
	if (l->list || v->next != 1 || v->has_ahead || !v->now.decoded.record_count)
		return;
	if (!l->trace->first)
		l->trace->first = mem_take(l->trace->threads.count * sizeof *l->trace->first);
	struct loaded **kept = &l->trace->first[l->thread.i];
	if (*kept)
		return;
	*kept = mem_take(sizeof **kept);
	**kept = v->now;
	v->now = (struct loaded){ 0 };
}

/* 1; or 0: damaged, and the rest of this level is given up (salvage); or -1 and why. */
static int fill(struct lane *l, struct level *v, struct loaded *into, struct err *why)
{
	const struct data_block *b = &l->trace->blocks.at[v->range.first + v->next++];
	if (take_first(l, v, into) || loaded_fill(into, l->trace, l->trace->codec, b, why) == 0) {
		if (l->versions && v == &l->levels[0])
			ahead_tell(&l->ahead, l->versions, l->thread.i, v->next - 1, into);
		if (into->cut)
			v->next = v->range.count;
		return 1;
	}
	into->decoded.record_count = 0;
	v->next = v->range.count;
	return l->trace->salvage ? 0 : -1;
}

static void set_interval(struct level *v)
{
	const struct stamp *s = &v->now.stamps.at[v->stamp];
	bool last = v->stamp + 1 >= v->now.stamps.count;
	v->ticks_per_byte = last ? 0 : (double)(s[1].time - s[0].time) / (double)(s[1].at - s[0].at);
}

static int load(struct lane *l, struct level *v, struct err *why)
{
	int result = 1;
	l->front.blocks++;
	if (v->has_ahead) {
		struct loaded used = v->now;
		v->now = v->ahead;
		v->ahead = used;
		v->has_ahead = false;
	} else {
		result = fill(l, v, &v->now, why);
	}
	if (l->plains)                          /* another block may have other tables */
		memset(l->plains, 0, PLAINS * sizeof *l->plains);
	v->record = v->segment = 0;
	v->segment_begin = 0;
	v->stamp = 0;
	if (result == 1) {
		v->segment_end = v->now.segments[0].bytes;
		set_interval(v);
	}
	return result;
}

static uint32_t first_untold(const struct lane *l)
{
	uint32_t next = l->levels[0].next;
	return l->ahead.told > next ? l->ahead.told : next;
}

static uint64_t start_of(const struct lane *l, uint32_t nth)
{
	return l->trace->blocks.at[l->levels[0].range.first + nth].head.start_time;
}

uint64_t lane_unread_from(const struct lane *l)
{
	uint32_t nth = first_untold(l);
	return l->list || l->finished || l->ahead.blind || nth == l->levels[0].range.count ? UINT64_MAX : start_of(l, nth);
}

uint64_t lane_read_from(const struct lane *l)
{
	return l->list || !l->ahead.told ? 0 : start_of(l, l->ahead.told - 1);
}

/* The next block is kept, for the lane will come to it; of those farther ahead only the versions. */
void lane_look_ahead(struct lane *l)
{
	struct level *v = &l->levels[0];
	struct err ignored;
	uint32_t next = v->next, nth = first_untold(l);
	check(lane_unread_from(l) != UINT64_MAX);
	l->front.blocks++;
	if (nth != next || v->has_ahead) {
		ahead_peek(&l->ahead, l->versions, l->trace, l->thread.i, v->range, nth);
		return;
	}
	v->has_ahead = fill(l, v, &v->ahead, &ignored) == 1;
	if (!v->has_ahead) {
		l->ahead.blind = true;
		v->next = next;
	}
}

uint64_t lane_time_limit(const struct lane *l)
{
	if (l->list)
		return UINT64_MAX;
	const struct level *v = &l->levels[l->depth];
	size_t last = v->now.stamps.count - 1;
	if (v->stamp + 1 >= last && v->now.block->head.end_time == 0)
		return UINT64_MAX;
	return v->now.stamps.at[v->stamp < last ? v->stamp + 1 : last].time;
}

/* ---- which record comes next ---- */

struct position { uint32_t seq; uint64_t offset; };

static void follow_segment(struct level *v, uint64_t at)
{
	while (at >= v->segment_end && v->segment + 1 < v->now.block->head.count) {
		v->segment_begin = v->segment_end;
		v->segment_end += v->now.segments[++v->segment].bytes;
	}
}

static struct position position(const struct lane *l, struct level *v)
{
	if (v->record < v->now.decoded.record_count) {
		uint64_t at = v->now.decoded.records[v->record].at;
		follow_segment(v, at);
		return (struct position){ v->now.block->head.seq + v->segment, at - v->segment_begin + SEGMENT_HEAD };
	}
	if (more(v))
		return (struct position){ next_block(l, v)->head.seq, 0 };
	return (struct position){ UINT32_MAX, UINT64_MAX };
}

/* Does the next handler of `v` interrupt its outer level at or before this position?  at_offset 0: it goes on from before. */
static bool due(const struct lane *l, const struct level *v, struct position outer)
{
	if (!more(v))
		return false;
	const struct block_head *h = &next_block(l, v)->head;
	if (h->at_offset == 0 || h->at_seq < outer.seq)
		return true;
	return h->at_seq == outer.seq && h->at_offset <= outer.offset;
}

/* Order total: the number of the next record, UINT64_MAX if the level has no more; that of a group is the last one's. */
static int numbered_next(struct lane *l, struct level *v, uint64_t *number, struct err *why)
{
	*number = UINT64_MAX;
	while (v->record >= v->now.decoded.record_count) {
		if (!more(v))
			return 0;
		if (load(l, v, why) < 0)
			return -1;
	}
	struct record_ref r = v->now.decoded.records[v->record];
	uint64_t w[4] = { 0 };
	if (r.site == RECORD_IS_CONTROL)
		memcpy(w, v->now.decoded.bytes + r.at, sizeof w);
	*number = record_number(w) ? record_number(w) : l->time;
	return 0;
}

/* Order total: handlers stand where their numbers do.  A group follows the record before it in its level. */
static int settle_numbered(struct lane *l, struct err *why)
{
	uint64_t best, number;
	unsigned depth = l->depth;
	struct level *only = &l->levels[0];
	if (l->level_count == 1 && only->record < only->now.decoded.record_count)
		return 1;
	if (numbered_next(l, &l->levels[depth], &best, why) < 0)
		return -1;
	if (best != l->time)
		for (unsigned n = 0; n < l->level_count; n++) {
			if (numbered_next(l, &l->levels[n], &number, why) < 0)
				return -1;
			if (number < best) {
				best = number;
				depth = n;
			}
		}
	l->depth = depth;
	return best != UINT64_MAX;
}

/* 1: levels[depth] has a record to give; 0: the thread ends; -1 damaged and why. */
static int settle(struct lane *l, struct err *why)
{
	if (l->trace->order == ORDER_TOTAL)
		return settle_numbered(l, why);
	for (;;) {
		struct level *v = &l->levels[l->depth];
		bool here = v->record < v->now.decoded.record_count, enter = false;
		if (here && l->level_count == 1)
			return 1;
		if (l->depth + 1 < l->level_count)
			enter = due(l, v + 1, position(l, v));
		if (here && !enter)
			return 1;
		if (enter)
			l->depth++;
		else if (l->depth > 0 && !due(l, v, position(l, v - 1))) {
			l->depth--;
			continue;
		} else if (!more(v))
			return 0;
		if (load(l, &l->levels[l->depth], why) < 0)
			return -1;
	}
}

/* ---- time ---- */

static void note_time(struct lane *l, struct level *v, uint32_t at)
{
	if (l->trace->order == ORDER_TOTAL)
		return;
	const struct stamp *s = v->now.stamps.at;
	size_t count = v->now.stamps.count;
	if (v->stamp + 1 < count && s[v->stamp + 1].at <= at) {
		while (v->stamp + 1 < count && s[v->stamp + 1].at <= at)
			v->stamp++;
		set_interval(v);
	}
	s += v->stamp;
	l->time = s->time + (uint64_t)((double)(at - s->at) * v->ticks_per_byte);
}

/* ---- groups ---- */

static inline uint64_t bits_at(const uint8_t *at, unsigned size)        /* low 8 bytes; 8 bytes may always be read */
{
	uint64_t word;
	memcpy(&word, at, 8);
	return size >= 8 ? word : word & ((1ull << 8 * size) - 1);
}

static inline void work_out(struct lane *l, const struct site *d, unsigned i)
{
	const struct access *a = &d->accesses[i];
	switch (a->address_mode) {
	case A_SLOT:   l->address[i] = bits_at(l->payload + a->address_at, 8); break;
	case A_NEAR:   l->address[i] = l->address[a->address_at] + (uint64_t)a->distance; break;
	case A_VALUE:  l->address[i] = l->value[a->address_at] + (uint64_t)a->distance; break;
	case A_GLOBAL: l->address[i] = (uint64_t)a->distance; break;
	}
	l->high[i] = 0;
	switch (a->value_mode) {
	case V_SLOT:
		l->value[i] = bits_at(l->payload + a->value_at, a->size);
		if (a->size > 8)
			l->high[i] = bits_at(l->payload + a->value_at + 8, a->size - 8u);
		break;
	case V_CONST:
		l->value[i] = a->bits;
		break;
	case V_SAME:
		l->value[i] = l->value[a->value_at];
		l->high[i] = l->high[a->value_at];
		break;
	case V_NONE:
		l->value[i] = 0;
		break;
	}
}

static bool any_bit(const uint8_t *at, size_t count)
{
	while (count--)
		if (*at++)
			return true;
	return false;
}

/* The last group of a lane whose end is missing: slots not reached are zero.  How many accesses certainly happened? */
static unsigned certain_accesses(const struct site *d, const uint8_t *payload)
{
	for (unsigned i = d->access_count; i-- > 0;) {
		const struct access *a = &d->accesses[i];
		bool address = a->address_mode == A_SLOT && any_bit(payload + a->address_at, 8);
		bool value = a->value_mode == V_SLOT && any_bit(payload + a->value_at, (size_t)a->size * a->elements);
		if (value)
			return i + 1;
		if (address)
			return i;
	}
	return 0;
}

/* The access that met the fault, from `from` on; access_count if none fits. */
static unsigned faulting_access(const struct lane *l, const struct site *d, unsigned from)
{
	for (unsigned i = from; l->faulted && i < d->access_count; i++) {
		const struct access *a = &d->accesses[i];
		if (!a->is_result && l->fault - l->address[i] < (uint64_t)a->size * a->elements)
			return i;
	}
	return d->access_count;
}

/* The first access that was certainly not begun: its address would stand in the record. */
static unsigned unreached_access(const struct site *d, const uint8_t *payload, unsigned from)
{
	for (unsigned i = from; i < d->access_count; i++)
		if (d->accesses[i].address_mode == A_SLOT && !any_bit(payload + d->accesses[i].address_at, 8))
			return i;
	return d->access_count;
}

/* Keeps what happened, marks what may have, drops what did not.  A fault the thread died of tells exactly; any other death, or
 * a jump away, leaves accesses open whose slots are zero either way. */
static void cut_to_flight(struct lane *l, bool died)
{
	const struct site *d = l->site;
	unsigned certain = certain_accesses(d, l->payload), fault = died ? faulting_access(l, d, certain) : d->access_count;
	bool exact = fault < d->access_count;
	unsigned end = exact ? fault + 1 : unreached_access(d, l->payload, certain);
	bool through = !exact && end == d->access_count;
	for (uint32_t i = 0; i < l->count; i++) {
		const struct view_event *e = &l->view->events[i];
		bool access = e->what == VIEW_ACCESS, late = e->event.kind == EV_CALL || e->event.kind == EV_BRANCH ||
			e->event.kind == EV_LEAVE;
		if ((access && e->access >= end) || (late && !through)) {
			l->count = i;
			return;
		}
		if (l->in_flight == UINT32_MAX && (late || (access && e->access >= (exact ? fault : certain))))
			l->in_flight = i;
	}
}

/* Did a handler interrupt this group, the one before v->record, and jump away?  The runtime says so right behind it. */
static bool was_left(const struct level *v)
{
	uint64_t w[2];
	if (v->record >= v->now.decoded.record_count || v->now.decoded.records[v->record].site != RECORD_IS_CONTROL)
		return false;
	memcpy(w, v->now.decoded.bytes + v->now.decoded.records[v->record].at, sizeof w);
	return (w[0] >> 48 & 127) == EV_TIME && w[1] == TIME_LEFT;
}

static inline void set_group(struct lane *l, struct sites *s, struct site *d, const uint8_t *record)
{
	l->site = d;
	l->payload = record + 8;
	l->view = d->view ? d->view : view_of(l->trace, s, d);
	l->at = 0;
	l->count = l->view->count;
	l->in_flight = UINT32_MAX;
	for (unsigned i = 0; i < d->access_count; i++)
		work_out(l, d, i);
}

static void open_group(struct lane *l, struct level *v, struct site *d, const uint8_t *record)
{
	set_group(l, l->trace->sites.at[v->now.block->sites], d, record);
	if (v->now.block->head.end_time == 0 && v->record == v->now.decoded.record_count && !more(v))
		cut_to_flight(l, true);
	else if (was_left(v))
		cut_to_flight(l, false);
}

/* Elements of a vector behind the first have slots of their own. */
static void element(struct lane *l, const struct view_event *from, struct event *ev)
{
	const struct access *a = &l->site->accesses[from->access], *root = a;
	ev->object += (uint64_t)from->element * a->size;
	while (root->value_mode == V_SAME)
		root = &l->site->accesses[root->value_at];
	if (root->value_mode != V_SLOT || from->element >= root->elements)
		return;
	const uint8_t *at = l->payload + root->value_at + (size_t)from->element * root->size;
	ev->arg = bits_at(at, root->size);
	ev->arg_high = root->size > 8 ? bits_at(at + 8, root->size - 8u) : 0;
}

/* Of an access that was begun: what it would have read is not known, nor what it would have written if that is noted behind it. */
static bool is_unknown(const struct lane *l, const struct view_event *e)
{
	return e->event.kind == EV_READ || (e->event.kind == EV_WRITE && l->site->accesses[e->access].value_mode == V_SLOT && !l->value[e->access]);
}

static inline void give_from_group(struct lane *l, struct event *ev)
{
	const struct view_event *from = &l->view->events[l->at];
	*ev = from->event;
	ev->thread = l->thread;
	ev->index = l->index++;
	ev->nest = l->depth;
	ev->time = l->time;
	ev->points = points_of(l);
	ev->in_flight = l->at++ >= l->in_flight;
	if (ev->in_flight && is_unknown(l, from))
		ev->has_value = false;
	switch (from->what) {
	case VIEW_ACCESS:
		ev->object = l->address[from->access];
		ev->arg = l->value[from->access];
		ev->arg_high = l->high[from->access];
		if (from->element)
			element(l, from, ev);
		break;
	case VIEW_LANDED:
		ev->arg = bits_at(l->payload + l->site->landed_at, 4);
		break;
	case VIEW_BRANCH:
		ev->arg = bits_at(l->payload + l->site->branch_at, l->site->branch_bytes);
		if (l->site->flags & SITE_WAYS)
			ev->written = site_way(l->site, ev->arg) + 1u;
		break;
	case VIEW_CALL:
		l->last_call = ev->place;
		if (l->site->called)
			ev->object = l->value[l->site->called - 1];
		break;
	}
}

/* ---- control records ---- */

/* Pieces of one payload in several records: puts them together. */
static int gather(struct lane *l, struct event *ev, struct err *why)
{
	unsigned depth = l->depth;
	vec_clear(&l->bytes);
	for (uint32_t i = 0; i < ev->byte_count; i++)
		vec_push(&l->bytes, ev->bytes[i]);
	bool goes_on = true;
	while (goes_on && l->bytes.count < BLOCK_MAX) {
		int there = settle(l, why);
		if (there < 0)
			return -1;
		if (there == 0 || l->depth != depth)
			break;
		struct level *v = &l->levels[depth];
		struct record_ref r = v->now.decoded.records[v->record];
		uint64_t w[5];
		if (r.site != RECORD_IS_CONTROL)
			break;
		memcpy(w, v->now.decoded.bytes + r.at, sizeof w);
		if ((w[0] >> 48 & 127) != ev->kind || !(w[0] >> 56 & RECORD_PAYLOAD) || (w[0] & RECORD_ADDRESS_MASK) != ev->object)
			break;
		v->record++;
		for (uint32_t i = 0; i < w[4] >> 48; i++)
			vec_push(&l->bytes, v->now.decoded.bytes[r.at + 40 + i]);
		goes_on = w[0] >> 56 & RECORD_MORE;
	}
	ev->bytes = l->bytes.at;
	ev->byte_count = (uint32_t)l->bytes.count;
	return 1;
}

static int damaged(struct lane *l, const struct level *v, uint32_t at, const char *what, struct err *why)
{
	const struct data_block *b = v->now.block;
	err_set(why, "trace '%.200s' is damaged: block %u (byte %llu): record byte %u %s", l->trace->path,
		b->number, (unsigned long long)b->at, at, what);
	why->code = 3;
	return -1;
}

static int unknown_kind(struct lane *l, struct level *v, unsigned kind, uint32_t at, struct err *why)
{
	char what[64];
	snprintf(what, sizeof what, "has an unknown kind %u", kind);
	return damaged(l, v, at, what, why);
}

static void own_event(struct lane *l, struct event *ev)
{
	ev->thread = l->thread;
	ev->index = l->index++;
	ev->nest = l->depth;
	ev->time = l->time;
	ev->points = points_of(l);
}

static void give_from_plain(struct lane *l, struct event *ev)
{
	plain_next(&l->plain, ev);
	own_event(l, ev);
}

/* The next record, if it is a plain access of one event in a run where nothing has to be asked first: most of a steered run are. */
static inline bool next_plain(struct lane *l, struct event *ev)
{
	struct level *v = &l->levels[0];
	if (!l->numbered || v->record >= v->now.decoded.record_count || v->now.decoded.records[v->record].site != RECORD_IS_CONTROL)
		return false;
	uint64_t w[5];
	const uint8_t *record = v->now.decoded.bytes + v->now.decoded.records[v->record].at;
	memcpy(w, record, sizeof w);
	__builtin_prefetch(record + PLAINS_AHEAD * sizeof w);
	__builtin_prefetch(&v->now.decoded.records[v->record + PLAINS_AHEAD]);
	if (!kind_is_access(w[0] >> 48 & 127) || !plain_is_single(w))
		return false;
	uint64_t site = w[4] & RECORD_ADDRESS_MASK;
	struct plain_seen *seen = &l->plains[((site ^ w[3] << 4) * 0x9e3779b97f4a7c15ull >> 32) % PLAINS];
	if (seen->site != site || seen->what != w[3] || !seen->known.place)
		*seen = (struct plain_seen){ site, w[3], plain_known(l->trace, l->trace->sites.at[v->now.block->sites], w) };
	v->record++;
	if (RECORD_NUMBER(w[2]))
		l->time = RECORD_NUMBER(w[2]);
	if (l->trace->flags & TRACE_POINTS)
		l->points += record_points(w);
	plain_fill(ev, &seen->known, w, !(l->trace->flags & TRACE_NO_VALUES));
	own_event(l, ev);
	return true;
}

static int give_control(struct lane *l, struct level *v, uint32_t at, struct event *ev, struct err *why)
{
	const uint8_t *record = v->now.decoded.bytes + at;
	uint64_t w[5];
	memcpy(w, record, sizeof w);
	unsigned kind = w[0] >> 48 & 127, flags = w[0] >> 56 & 127;
	if (!event_word(kind))
		return unknown_kind(l, v, kind, at, why);
	if (l->trace->order == ORDER_TOTAL && record_number(w))
		l->time = record_number(w);
	if (l->trace->flags & TRACE_POINTS)
		l->points += record_points(w);
	if (kind_is_plain(kind) && plain_single(ev, l->trace, l->trace->sites.at[v->now.block->sites], w)) {
		own_event(l, ev);
		return 1;
	}
	if (kind_is_plain(kind)) {
		if (plain_open(&l->plain, l->trace, l->trace->sites.at[v->now.block->sites], w, record + sizeof w) < 0)
			return damaged(l, v, at, "is an access of no size", why);
		give_from_plain(l, ev);
		return 1;
	}
	control_event(l->trace, l->trace->sites.at[v->now.block->sites], l->last_call, w, record + RECORD_WORDS * 8, ev);
	own_event(l, ev);
	l->front.stripe = stripe_of_version(kind, w[0] & RECORD_ADDRESS_MASK, w[1], w[2]);
	l->stripe_depth = l->depth;
	return flags & RECORD_PAYLOAD && flags & RECORD_MORE ? gather(l, ev, why) : 1;
}

/* ---- the door ---- */

int lane_open(struct lane **out, struct trace *t, struct thread_id id, struct err *why)
{
	(void)why;
	check(id.i < t->threads.count);
	struct lane *l = mem_take(sizeof *l);
	l->trace = t;
	l->thread = id;
	l->faulted = t->threads.at[id.i].faulted;
	l->fault = t->threads.at[id.i].fault;
	l->front.stripe = NO_STRIPE;
	l->level_count = 1;
	if (t->in_memory) {
		l->list = t->events.at[id.i];
	} else {
		if (!t->codec)
			t->codec = codec_new(t->order);
		for (unsigned n = 0; n < NEST_LEVELS; n++) {
			l->levels[n].range = t->of_thread.at[id.i].nest[n];
			if (l->levels[n].range.count)
				l->level_count = n + 1;
		}
		l->numbered = t->order == ORDER_TOTAL && l->level_count == 1;
		if (l->numbered)
			l->plains = mem_take(PLAINS * sizeof *l->plains);
	}
	*out = l;
	return 0;
}

static int next_from_memory(struct lane *l, struct event *ev)
{
	if (l->index == l->list->all.count) {
		l->finished = true;
		return 0;
	}
	*ev = l->list->all.at[l->index++];
	l->front.stripe = stripe_of_version(ev->kind, ev->object, ev->arg, ev->version);
	return 1;
}

bool lane_next_of_group(struct lane *l, struct event *ev)
{
	if (l->at >= l->count)
		return false;
	give_from_group(l, ev);
	return true;
}

int lane_next(struct lane *l, struct event *ev, struct err *why)
{
	if (lane_next_of_group(l, ev))
		return 1;
	if (l->plain.at < l->plain.total) {
		give_from_plain(l, ev);
		return 1;
	}
	l->front.stripe = NO_STRIPE;
	if (next_plain(l, ev))
		return 1;
	if (l->list)
		return next_from_memory(l, ev);
	for (;;) {
		int there = settle(l, why);
		if (there != 1) {
			l->finished = there == 0;
			return there;
		}
		struct level *v = &l->levels[l->depth];
		struct record_ref r = v->now.decoded.records[v->record++];
		note_time(l, v, r.at);
		if (r.site == RECORD_IS_CONTROL)
			return give_control(l, v, r.at, ev, why);
		struct sites *s = l->trace->sites.at[v->now.block->sites];
		open_group(l, v, sites_at(s, r.site), v->now.decoded.bytes + r.at);
		if (l->count) {
			give_from_group(l, ev);
			return 1;
		}
	}
}

/* ---- records without a lane ---- */

unsigned raw_events(struct trace *t, struct sites *s, const uint8_t *record, size_t room, const struct raw_death *death, struct event *out)
{
	struct site *site;
	uint8_t copy[GROUP_MAX + 16] = { 0 };           /* eight bytes behind it may be read */
	struct lane *l = mem_take(sizeof *l);
	size_t bytes = record_bytes(s, record, room, &site);
	unsigned count = 0;
	uint64_t w[RECORD_WORDS];
	if (bytes >= sizeof w && !site) {               /* a steered run has no groups: an access is a record of its own */
		memcpy(w, record, sizeof w);
		count = kind_is_plain(w[0] >> 48 & 127) && plain_single(out, t, s, w);
	}
	if (bytes && bytes <= GROUP_MAX && site) {
		l->trace = t;
		memcpy(copy, record, bytes);
		set_group(l, s, site, copy);
		if (death) {
			l->faulted = death->faulted;
			l->fault = death->address;
			cut_to_flight(l, true);
		}
		while (l->at < l->count && l->count <= RAW_EVENTS)
			give_from_group(l, &out[count++]);
	}
	mem_free(l);
	return count;
}

void lane_close(struct lane *l)
{
	if (!l)
		return;
	if (!l->finished)
		keep_first(l);
	for (unsigned n = 0; n < NEST_LEVELS; n++) {
		loaded_release(&l->levels[n].now);
		loaded_release(&l->levels[n].ahead);
	}
	loaded_release(&l->ahead.peeked);
	vec_release(&l->bytes);
	mem_free(l->plains);
	mem_free(l);
}
