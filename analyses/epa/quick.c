/* analyses/epa/quick.c -- see quick.h. */
#include "analyses/epa/quick.h"

#include <string.h>

#include "analyses/epa/pace.h"
#include "base/err.h"
#include "base/map.h"
#include "trace/raw.h"
#include "wire/ring.h"

#define BLOCK 4096u                             /* bytes compared at once */

struct row {
	struct raw_row raw;
	const struct canon_lane *lane;
	VEC(uint32_t) controls;                 /* numbers of its records that are no groups */
};

struct running {                                /* a thread of the run */
	char path[PATH_BYTES];
	const struct row *row;                  /* NULL: the golden run has no such thread */
	size_t at;                              /* next record of the row */
	size_t control;                         /* next of row->controls */
	bool past_fault, found, alive, waits, failed;
	struct raw_death death;
	struct quick_found what;
};

struct rest { uint8_t *bytes; size_t thread; size_t count; struct segment_head head; };

struct quick {
	struct trace *trace;
	const struct canon *canon;
	struct sites *sites;
	struct row *rows;                       /* as canon->lanes */
	uint64_t bytes;
	struct pace *pace;                      /* NULL: events are not counted */
	/* one run */
	struct drain_sink sink;
	VEC(struct running) threads;
	struct map of_uid;                      /* -> index + 1 */
	const char *thread;
	size_t fault;
	bool unsure;
	VEC(struct rest) ends;       /* segments whose writers died: looked at when it is known what of */
	VEC(struct quick_found) found;
};

/* ---- the golden run ---- */

static bool is_control(const uint8_t *record)
{
	return record[7] & 0x80;
}

struct quick *quick_new(struct trace *t, const struct canon *c)
{
	struct quick *q = mem_take(sizeof *q);
	struct err why;
	*q = (struct quick){ .trace = t, .canon = c, .sites = raw_sites(t) };
	q->rows = mem_take((c->lane_count + 1u) * sizeof *q->rows);
	for (uint32_t i = 0; i < c->lane_count; i++) {
		struct row *r = &q->rows[i];
		r->lane = &c->lanes[i];
		if (!q->sites || raw_take(&r->raw, t, (struct thread_id){ c->lanes[i].thread }, &why) != 1) {
			quick_free(q);
			return NULL;
		}
		q->bytes += r->raw.count + SEGMENT_BYTES;
		for (size_t k = 0; k < r->raw.records.count; k++)
			if (is_control(r->raw.bytes + r->raw.records.at[k].at))
				vec_push(&r->controls, (uint32_t)k);
	}
	return q;
}

static void forget_run(struct quick *q)
{
	for (size_t i = 0; i < q->ends.count; i++)
		mem_free(q->ends.at[i].bytes);
	vec_clear(&q->ends);
	vec_clear(&q->threads);
	vec_clear(&q->found);
	map_release(&q->of_uid);
}

void quick_free(struct quick *q)
{
	if (!q)
		return;
	forget_run(q);
	pace_free(q->pace);
	vec_release(&q->ends);
	vec_release(&q->threads);
	vec_release(&q->found);
	for (uint32_t i = 0; i < q->canon->lane_count; i++) {
		raw_release(&q->rows[i].raw);
		vec_release(&q->rows[i].controls);
	}
	mem_free(q->rows);
	mem_free(q);
}

void quick_count(struct quick *q, struct names_book *book, const char *function)
{
	q->pace = pace_new(q->trace, q->sites, book, function);
}

uint64_t quick_segments(const struct quick *q)
{
	return q->bytes / (SEGMENT_BYTES - SEGMENT_HEAD - SEGMENT_SLACK) + 1;
}

/* ---- records ---- */

static size_t end_of(const struct row *r, size_t record)
{
	return record < r->raw.records.count ? r->raw.records.at[record].at : r->raw.count;
}

static const uint8_t *record_at(const struct row *r, size_t record)
{
	return r->raw.bytes + end_of(r, record);
}

static unsigned kind_of(const uint8_t *record)
{
	return record[6] & 127;
}

/* An access, or a result, of a steered run: there these are records of their own. */
static bool is_access(const uint8_t *record)
{
	unsigned kind = kind_of(record);
	return is_control(record) && (kind == EV_READ || kind == EV_WRITE || kind == EV_RESULT);
}

static bool is_atomic(unsigned kind)
{
	return event_class(kind) == CLASS_ATOMIC;
}

/* But for time, version and number in the order of all. */
static bool same_control(const uint8_t *a, const uint8_t *b, size_t bytes)
{
	uint64_t v[RECORD_WORDS], w[RECORD_WORDS];
	memcpy(v, a, sizeof v);
	memcpy(w, b, sizeof w);
	return v[0] == w[0] && v[1] == w[1] && v[4] == w[4] && ((!is_atomic(kind_of(a)) && !is_access(a)) || v[3] == w[3]) &&
		!memcmp(a + sizeof v, b + sizeof v, bytes - sizeof v);
}

/* How many of these bytes are the same. */
static size_t same_bytes(const uint8_t *a, const uint8_t *b, size_t count)
{
	size_t done = 0;
	while (count - done >= BLOCK && !memcmp(a + done, b + done, BLOCK))
		done += BLOCK;
	while (count - done >= 8 && !memcmp(a + done, b + done, 8))
		done += 8;
	return done;                            /* records are whole words */
}

/* The record this byte lies in. */
static size_t record_of(const struct row *r, size_t byte)
{
	size_t low = 0, high = r->raw.records.count;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		if (r->raw.records.at[middle].at <= byte)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* ---- what is not the same ---- */

/* The entry of the golden lane an event of it is, or would be next. */
static size_t entry_of(const struct canon_lane *lane, uint64_t event)
{
	size_t low = 0, high = lane->index.count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (lane->index.at[middle] < event)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void note(struct quick *q, struct running *t, enum deviation kind, size_t entry, const struct event *instead)
{
	if (q->fault != SIZE_MAX && !strcmp(t->path, q->thread) && entry < q->fault)
		q->unsure = true;               /* not of the fault */
	t->found = true;
	t->what = (struct quick_found){ .kind = kind, .entry = entry, .place = instead ? instead->place : NULL,
		.name = instead ? instead->name : NULL, .lane = t->row ? t->row->lane : NULL };
}

/* As diff.c has it, of events whose addresses mean the same. */
static enum deviation deviation_of(const struct event *g, const struct event *o)
{
	if (g->kind != o->kind || g->place != o->place || g->name != o->name || g->size != o->size)
		return DEV_CONTROL;
	if (is_switch(g) && g->written == o->written)
		return DEV_NONE;
	if (g->object != o->object || (g->kind == EV_BRANCH && g->written != o->written))
		return decides_way(g->kind) ? DEV_CONTROL : DEV_ADDRESS;
	if (o->in_flight && !g->in_flight)
		return DEV_CRASH;
	if (g->has_value != o->has_value || g->arg != o->arg || g->arg_high != o->arg_high)
		return decides_way(g->kind) ? DEV_CONTROL : DEV_DATA;
	return DEV_NONE;
}

/* Two groups, or two accesses, that are not the same bytes.  false: nothing came of it, or it is the fault itself; on with what is behind. */
static bool groups_differ(struct quick *q, struct running *t, size_t record, const uint8_t *other, size_t room, const struct raw_death *death)
{
	struct event golden[RAW_EVENTS], instead[RAW_EVENTS];
	const struct row *r = t->row;
	size_t bytes = end_of(r, record + 1) - end_of(r, record);
	unsigned count = raw_events(q->trace, q->sites, record_at(r, record), bytes, NULL, golden);
	unsigned others = raw_events(q->trace, q->sites, other, room, death, instead);
	bool own = q->fault != SIZE_MAX && !strcmp(t->path, q->thread);
	if (!count || (!others && !death)) {
		q->unsure = true;
		return true;
	}
	for (unsigned i = 0; i < count; i++) {
		size_t entry = entry_of(r->lane, r->raw.records.at[record].event + (uint64_t)i);
		enum deviation kind = i < others ? deviation_of(&golden[i], &instead[i]) : DEV_CRASH;
		if (kind == DEV_NONE)
			continue;
		if (i < others && own && !t->past_fault && entry == q->fault) {
			t->past_fault = true;
			continue;
		}
		note(q, t, kind, entry, i < others ? &instead[i] : NULL);
		t->what.cut = kind == DEV_CRASH && !t->failed;
		return true;
	}
	if (others > count)
		note(q, t, DEV_CONTROL, entry_of(r->lane, r->raw.records.at[record].event + (uint64_t)count), &instead[count]);
	return others > count;
}

static void group_expected(struct quick *q, struct running *t, size_t record, const uint8_t *other)
{
	if (kind_of(other) != EV_FAILURE) {
		q->unsure = true;
		return;
	}
	note(q, t, DEV_CRASH, entry_of(t->row->lane, t->row->raw.records.at[record].event), NULL);
}

/* ---- records come ---- */

static void pass_over(struct running *t)
{
	const struct row *r = t->row;
	while (t->control < r->controls.count && r->controls.at[t->control] == t->at && pace_is_passed_over(record_at(r, t->at))) {
		t->control++;
		t->at++;
	}
}

/* One record, not the same as the golden one beside it, or no group.  Bytes of it; 0: there is no going on. */
static size_t one_record(struct quick *q, struct running *t, const uint8_t *at, size_t room, const struct raw_death *death)
{
	struct site *site;
	const struct row *r = t->row;
	size_t bytes = record_bytes(q->sites, at, room, &site);
	if (!bytes) {
		q->unsure = true;
		return 0;
	}
	if (pace_is_passed_over(at))
		return bytes;
	if (t->at == r->raw.records.count) {
		struct event first[RAW_EVENTS];
		unsigned any = raw_events(q->trace, q->sites, at, room, NULL, first);
		if (is_control(at) && kind_of(at) != EV_FAILURE)
			q->unsure = true;
		note(q, t, is_control(at) ? DEV_CRASH : DEV_CONTROL, r->lane->count, any ? first : NULL);
		return 0;
	}
	const uint8_t *golden = record_at(r, t->at);
	bool control = is_control(golden);
	if (!control && is_control(at)) {
		group_expected(q, t, t->at, at);
		return 0;
	}
	if (control && is_control(at)) {
		size_t expected = end_of(r, t->at + 1) - end_of(r, t->at);
		bool same = expected == bytes && same_control(golden, at, bytes);
		if (kind_of(at) == EV_FAILURE && kind_of(golden) != EV_FAILURE)
			group_expected(q, t, t->at, at);
		else if (!same && is_access(golden) && is_access(at))
			groups_differ(q, t, t->at, at, room, NULL);
		else if (!same)
			q->unsure = true;
		if (t->found || q->unsure)
			return 0;
		t->control++;
	} else if (control) {                   /* a group where the golden run called something */
		struct event first[RAW_EVENTS];
		unsigned any = raw_events(q->trace, q->sites, at, room, death, first);
		if (!any)
			q->unsure = true;
		note(q, t, DEV_CONTROL, entry_of(r->lane, r->raw.records.at[t->at].event), any ? first : NULL);
		return 0;
	} else if (groups_differ(q, t, t->at, at, room, death)) {
		return 0;
	}
	t->at++;
	return bytes;
}

/* Is this the last record of what the thread left? */
static bool is_last(struct quick *q, const uint8_t *at, size_t room)
{
	struct site *site;
	return record_bytes(q->sites, at, room, &site) == room;
}

static void compare(struct quick *q, struct running *t, const uint8_t *at, size_t count, const struct raw_death *death)
{
	const struct row *r = t->row;
	while (count && !t->found && !q->unsure) {
		pass_over(t);
		size_t next = t->control < r->controls.count ? r->controls.at[t->control] : r->raw.records.count;
		size_t here = end_of(r, t->at), most = end_of(r, next) - here, same = same_bytes(r->raw.bytes + here, at, most < count ? most : count);
		if (same == most) {
			t->at = next;
		} else if (same == count) {
			t->at = record_of(r, here + same);
		} else {
			size_t record = record_of(r, here + same);
			same = end_of(r, record) - here;
			t->at = record;
		}
		at += same;
		count -= same;
		if (!count)
			return;
		pass_over(t);
		size_t used = one_record(q, t, at, count, death && is_last(q, at, count) ? death : NULL);
		if (!used)
			return;
		at += used;
		count -= used;
	}
}

/* ---- the sink ---- */

static struct running *thread_of(struct quick *q, uint32_t uid, const char path[PATH_BYTES])
{
	bool fresh;
	uint64_t *index = map_put(&q->of_uid, uid, &fresh);
	if (fresh) {
		struct running *t = vec_add(&q->threads);
		*index = q->threads.count;
		memcpy(t->path, path, PATH_BYTES);
		t->path[PATH_BYTES - 1] = 0;
		for (uint32_t i = 0; i < q->canon->lane_count; i++)
			if (!strcmp(q->rows[i].lane->path, t->path))
				t->row = &q->rows[i];
		for (size_t i = 0; i + 1 < q->threads.count; i++)
			q->unsure |= !strcmp(q->threads.at[i].path, t->path);
	}
	return &q->threads.at[*index - 1];
}

/* What a handler wrote: of interest is only whether the runtime's own noted there what the thread died of. */
static void on_handler(struct quick *q, struct running *t, const uint8_t *at, size_t room)
{
	struct site *site;
	size_t bytes;
	while (room && (bytes = record_bytes(q->sites, at, room, &site)) > 0) {
		if (!pace_is_passed_over(at))
			break;
		at += bytes;
		room -= bytes;
	}
	t->failed = room && is_control(at) && kind_of(at) == EV_FAILURE;
	q->unsure |= !t->failed;
}

static void on_segment(void *with, const struct segment_head *head, const uint8_t *records, size_t bytes)
{
	struct quick *q = with;
	struct running *t = thread_of(q, head->thread, head->path);
	bool ends = !head->nest && !head->end_time, compared = !head->nest && t->row && !t->found;
	if (head->nest)
		on_handler(q, t, records, bytes);
	if (q->unsure || bytes % 8)
		return;
	if (q->pace && !ends)
		pace_segment(q->pace, head, !head->nest, records, bytes, NULL);
	if (compared && !ends)
		compare(q, t, records, bytes, NULL);
	if (!ends || (!compared && !q->pace))
		return;
	uint8_t *copy = mem_take(bytes + 8);
	memcpy(copy, records, bytes);
	vec_push(&q->ends, ((struct rest){ copy, (size_t)(t - q->threads.at), bytes, *head }));
}

static void on_thread(void *with, const struct thread_area *area)
{
	struct quick *q = with;
	struct running *t = thread_of(q, area->thread, area->path);
	t->alive = area->state == AREA_LIVE;
	t->waits = diff_waits(area->waits_kind, area->waits_until);
	t->death = (struct raw_death){ area->fault_known != 0, area->fault_address };
	q->unsure |= area->lost != 0;
}

static void on_module(void *with, const struct module_entry *module)
{
	struct quick *q = with;
	for (uint32_t i = 0; i < trace_module_count(q->trace); i++) {
		const struct trace_module *m = trace_module(q->trace, i);
		if (!strncmp(m->path, module->path, sizeof module->path) && m->base == module->base)
			return;
	}
	q->unsure = true;
}

static const struct row *row_of_thread(const struct quick *q, const char *thread)
{
	for (uint32_t i = 0; i < q->canon->lane_count; i++)
		if (!strcmp(q->rows[i].lane->path, thread))
			return &q->rows[i];
	return NULL;
}

/* How many events of the golden thread that do not hang on scheduling alone come before the entry; UINT64_MAX: there is none. */
static uint64_t solid_before(const struct quick *q, const char *thread, size_t entry)
{
	const struct row *r = row_of_thread(q, thread);
	if (!r || entry >= r->lane->index.count)
		return UINT64_MAX;
	uint64_t event = r->lane->index.at[entry], solid = event;
	for (size_t i = 0; i < r->controls.count && r->raw.records.at[r->controls.at[i]].event < event; i++)
		solid -= pace_is_passed_over(record_at(r, r->controls.at[i]));
	return solid;
}

struct drain_sink *quick_begin(struct quick *q, const char *thread, size_t fault)
{
	forget_run(q);
	if (q->pace)
		pace_begin(q->pace, thread, solid_before(q, thread, fault));
	q->thread = thread;
	q->fault = fault;
	q->unsure = false;
	q->sink = (struct drain_sink){ on_segment, on_thread, on_module, q, q->sites, false };
	return &q->sink;
}

void quick_aim(struct quick *q, const char *thread, size_t fault)
{
	q->thread = thread;
	q->fault = fault;
}

bool quick_same(const struct quick *q)
{
	for (size_t i = 0; i < q->threads.count; i++)
		if (q->threads.at[i].found || !q->threads.at[i].row)
			return false;
	return !q->unsure && !q->sink.broken;
}

bool quick_saw_die(const struct quick *q, const char *thread)
{
	bool saw = false;
	for (size_t i = 0; i < q->threads.count; i++) {
		const struct running *t = &q->threads.at[i];
		if (t->failed && strcmp(t->path, thread))
			return false;
		saw |= t->failed;
	}
	return saw;
}

bool quick_number(const struct quick *q, const char *thread, size_t entry, uint64_t *number, uint64_t *before)
{
	const struct row *r = row_of_thread(q, thread);
	if (!r || entry >= r->lane->index.count)
		return false;
	uint64_t event = r->lane->index.at[entry];
	size_t low = 0, high = r->raw.records.count;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		if (r->raw.records.at[middle].event <= event)
			low = middle;
		else
			high = middle;
	}
	if (low >= r->raw.records.count || !is_access(record_at(r, low)) || r->raw.records.at[low].event != event)
		return false;
	uint64_t w[RECORD_WORDS], v[RECORD_WORDS];
	memcpy(w, record_at(r, low), sizeof w);
	*number = RECORD_NUMBER(w[2]);
	if (before)
		*before = 0;
	for (size_t i = low; before && i-- > 0; ) {
		memcpy(v, record_at(r, i), sizeof v);
		if (is_access(record_at(r, i)) && v[3] == w[3] && v[4] == w[4]) {
			*before = v[1];
			break;
		}
	}
	return true;
}

/* ---- the end ---- */

static enum deviation kind_of_end(const struct quick_end *end, bool waits)
{
	if (end->late)
		return waits ? DEV_DEADLOCK : DEV_HANG;
	return end->signalled ? DEV_CRASH : waits ? DEV_DEADLOCK : DEV_EARLY_EXIT;
}

static bool everybody_waits(const struct quick *q)
{
	bool somebody = false;
	for (size_t i = 0; i < q->threads.count; i++) {
		if (q->threads.at[i].alive && !q->threads.at[i].waits)
			return false;
		somebody |= q->threads.at[i].alive;
	}
	return somebody;
}

/* Where the thread stopped though the golden one goes on. */
static void note_stop(struct quick *q, struct running *t, enum deviation end)
{
	pass_over(t);
	if (t->at < t->row->raw.records.count) {
		note(q, t, t->failed ? DEV_CRASH : end, entry_of(t->row->lane, t->row->raw.records.at[t->at].event), NULL);
		t->what.cut = !t->failed;
	}
}

static void add_missing(struct quick *q)
{
	for (uint32_t i = 0; i < q->canon->lane_count; i++) {
		bool there = false;
		for (size_t k = 0; k < q->threads.count; k++)
			there |= q->threads.at[k].row == &q->rows[i];
		if (!there)
			vec_push(&q->found, ((struct quick_found){ .path = q->rows[i].lane->path, .kind = DEV_MISSING_THREAD, .lane = q->rows[i].lane }));
	}
}

/* Did this thread deviate in something that may be the same by its name? */
static bool hangs_on_address(const struct quick *q, const struct quick_found *f)
{
	const struct canon_lane *lane = f->lane;
	if (!lane || f->cut || f->entry >= lane->count || (f->kind != DEV_DATA && f->kind != DEV_ADDRESS))
		return false;
	if (!strcmp(f->path, q->thread) && q->fault < lane->count) {      /* what is wrong in a register others see only by what this thread does */
		unsigned kind = canon_at(lane, q->fault)->kind;
		if (kind == EV_READ || kind == EV_RESULT || kind == EV_ARGUMENT)
			return false;
	}
	bool points = f->kind == DEV_ADDRESS;
	for (uint32_t i = 0, span = canon_span(lane, f->entry); i < span; i++)
		points |= canon_at(lane, f->entry + i)->points_to != 0;
	return points;
}

/* Behind the first deviation blocks may lie elsewhere, which says nothing of who is handed them later. */
static bool may_have_moved(const struct quick *q)
{
	size_t deviate = 0;
	bool hangs = false;
	for (size_t i = 0; i < q->found.count; i++) {
		deviate += !q->found.at[i].cut;
		hangs |= hangs_on_address(q, &q->found.at[i]);
	}
	return deviate > 1 && hangs;
}

bool quick_end(struct quick *q, const struct quick_end *end, const struct quick_found **found, uint32_t *count, bool *waits)
{
	for (size_t i = 0; i < q->ends.count && !q->unsure; i++) {
		struct running *t = &q->threads.at[q->ends.at[i].thread];
		bool died = end->late || end->signalled;
		if (q->pace)
			pace_segment(q->pace, &q->ends.at[i].head, true, q->ends.at[i].bytes, q->ends.at[i].count, &t->death);
		if (t->row && !t->found)
			compare(q, t, q->ends.at[i].bytes, q->ends.at[i].count, died ? &t->death : NULL);
	}
	*waits = everybody_waits(q);
	for (size_t i = 0; i < q->threads.count && !q->unsure; i++) {
		struct running *t = &q->threads.at[i];
		if (!t->row)
			note(q, t, DEV_EXTRA_THREAD, 0, NULL);
		else if (!t->found)
			note_stop(q, t, kind_of_end(end, *waits));
		t->what.path = t->path;
		if (t->found)
			vec_push(&q->found, t->what);
	}
	add_missing(q);
	q->unsure |= may_have_moved(q);
	*found = q->found.at;
	*count = (uint32_t)q->found.count;
	return !q->unsure && !q->sink.broken;
}

void quick_counts(const struct quick *q, struct quick_counts *out)
{
	const struct row *r = row_of_thread(q, q->thread);
	bool total = trace_order(q->trace) == ORDER_TOTAL, there = r && q->fault < r->lane->order.count;
	out->events = pace_events(q->pace);
	out->fault = !there ? 0 : total ? r->lane->order.at[q->fault] : pace_aimed(q->pace);     /* steered: up to there it is the golden run */
	if (!pace_called(q->pace, &out->called))
		out->called = UINT64_MAX;
}
