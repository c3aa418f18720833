/* analyses/epa/diff.c -- see diff.h. */
#include "analyses/epa/diff.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/epa/align.h"
#include "base/err.h"
#include "base/str.h"

#define BLOCK 128u                              /* events compared at once */

const char *const deviation_words[] = { "none", "control", "data", "address", "extra thread", "missing thread", "crash", "hang", "deadlock",
	"early exit", "left schedule" };

/* ---- how a run ended ---- */

bool diff_waits(uint32_t kind, bool until)
{
	return kind != 0 && kind != EV_YIELD && !until;
}

static bool everybody_waits(const struct trace *t)
{
	bool somebody = false;
	for (uint32_t i = 0; i < trace_thread_count(t); i++) {
		const struct trace_thread *x = trace_thread(t, (struct thread_id){ i });
		if (x->alive_at_end && !diff_waits(x->waits_kind, x->waits_until))
			return false;
		somebody |= x->alive_at_end;
	}
	return somebody;
}

enum deviation diff_ended(const struct trace *t)
{
	const char *by = trace_fact(t, "signal"), *steered = trace_fact(t, "steered");
	uint64_t number = 0;
	if (steered && !strcmp(steered, "left"))
		return DEV_LEFT_SCHEDULE;
	if (steered && !strcmp(steered, "hang"))
		return everybody_waits(t) ? DEV_DEADLOCK : DEV_HANG;
	if (!by || !str_number(by, &number))
		return everybody_waits(t) ? DEV_DEADLOCK : DEV_EARLY_EXIT;
	bool from_outside = number == SIGTERM || number == SIGINT || number == SIGKILL || number == SIGALRM || number == SIGHUP || number == SIGXCPU;
	if (!from_outside)
		return DEV_CRASH;
	return everybody_waits(t) ? DEV_DEADLOCK : DEV_HANG;
}

/* ---- one event against the other ---- */

enum deviation deviation_between(const struct canon_event *g, const struct canon_event *o)
{
	if (o->kind == EV_FAILURE && g->kind != EV_FAILURE)
		return DEV_CRASH;
	if (g->kind != o->kind || g->place != o->place || g->size != o->size || g->nest != o->nest)
		return DEV_CONTROL;
	if (g->thing != o->thing || g->offset != o->offset)
		return decides_way(g->kind) ? DEV_CONTROL : DEV_ADDRESS;
	if ((o->flags & ~g->flags) & CANON_IN_FLIGHT)
		return DEV_CRASH;
	return decides_way(g->kind) ? DEV_CONTROL : DEV_DATA;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t most(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* How many of `count` events from there on are the same. */
static size_t same_events(const struct canon_event *g, const struct canon_event *o, size_t count)
{
	size_t done = 0;
	if (g == o)                                     /* kept once */
		return count;
	while (count - done >= BLOCK && !memcmp(g + done, o + done, BLOCK * sizeof *g))
		done += BLOCK;
	while (done < count && !memcmp(g + done, o + done, sizeof *g))
		done++;
	return done;
}

size_t diff_same(const struct canon_lane *golden, size_t g, const struct canon_lane *other, size_t o, size_t count)
{
	size_t done = 0;
	count = least(count, least(golden->count - g, other->count - o));
	while (done < count) {
		size_t in_pieces = PIECE - most((g + done) % PIECE, (o + done) % PIECE), now = least(count - done, in_pieces);
		size_t same = same_events(canon_at(golden, g + done), canon_at(other, o + done), now);
		done += same;
		if (same < now)
			break;
	}
	return done;
}

/* How many entries behind the one an event begins with. */
static size_t into_event(const struct canon_lane *lane, size_t at)
{
	size_t into = 0;
	while (into < at && canon_at(lane, at - into)->kind >= CANON_MORE)
		into++;
	return into;
}

size_t diff_into(const struct canon_lane *golden, size_t g, const struct canon_lane *other, size_t o)
{
	return most(into_event(golden, g), into_event(other, o));
}

/* ---- one thread ---- */

static void note_first(struct thread_diff *t, enum deviation kind, size_t g, size_t o)
{
	if (t->first)
		return;
	t->first = kind;
	t->at_golden = g;
	t->at_other = o;
}

static void add_stretch(struct thread_diff *t, size_t g, size_t o, size_t g_end, size_t o_end, bool aligned)
{
	struct stretch s = { g, o, g_end - g, o_end - o, aligned };
	if (s.golden_count || s.other_count)
		vec_push(&t->stretches, s);
}

/* Both lanes from g and o on; where a stretch that is aligned ends: a control deviation, or the end of one. */
static enum deviation compare_aligned(struct thread_diff *t, size_t *g, size_t *o)
{
	const struct canon_lane *a = t->golden, *b = t->other;
	for (;;) {
		size_t same = diff_same(a, *g, b, *o, SIZE_MAX);
		*g += same;
		*o += same;
		if (*g == a->count || *o == b->count)
			return DEV_NONE;
		size_t into = diff_into(a, *g, b, *o), g_head = *g - into, o_head = *o - into;
		enum deviation kind = into ? DEV_DATA : deviation_between(canon_at(a, g_head), canon_at(b, o_head));
		note_first(t, kind, g_head, o_head);
		uint32_t g_span = canon_span(a, g_head), o_span = canon_span(b, o_head);
		if (kind == DEV_CONTROL || kind == DEV_CRASH || g_span != o_span) {
			bool paired = canon_at(a, g_head)->place == canon_at(b, o_head)->place && canon_at(a, g_head)->kind == canon_at(b, o_head)->kind;
			t->deviating += paired;         /* else it is one of those that one run alone has */
			*g = g_head + (paired ? g_span : 0);
			*o = o_head + (paired ? o_span : 0);
			return DEV_CONTROL;
		}
		t->deviating++;
		*g = g_head + g_span;
		*o = o_head + o_span;
	}
}

static void compare_lanes(struct thread_diff *t, enum deviation end)
{
	size_t g = 0, o = 0, g_from = 0, o_from = 0;
	const struct canon_lane *a = t->golden, *b = t->other;
	for (;;) {
		enum deviation parted = compare_aligned(t, &g, &o);
		add_stretch(t, g_from, o_from, g, o, true);
		g_from = g, o_from = o;
		if (parted == DEV_NONE || g == a->count || o == b->count)
			break;
		t->parted++;
		align_again(a, b, &g, &o);
		add_stretch(t, g_from, o_from, g, o, false);
		t->deviating += canon_count(a, g_from, g) + canon_count(b, o_from, o);
		g_from = g, o_from = o;
	}
	if (g == a->count && o == b->count)
		return;
	note_first(t, o == b->count ? end : DEV_CONTROL, g, o);
	t->deviating += canon_count(a, g, a->count) + canon_count(b, o, b->count);
	add_stretch(t, g, o, a->count, b->count, false);
}

static void compare_thread(struct thread_diff *t, enum deviation end)
{
	if (t->golden && t->other) {
		compare_lanes(t, end);
		return;
	}
	const struct canon_lane *only = t->golden ? t->golden : t->other;
	t->first = t->golden ? DEV_MISSING_THREAD : DEV_EXTRA_THREAD;
	t->deviating = canon_count(only, 0, only->count);
	add_stretch(t, 0, 0, t->golden ? only->count : 0, t->other ? only->count : 0, false);
}

/* ---- all of them ---- */

void diff_make(struct diff *d, const struct canon *golden, const struct canon *other)
{
	uint32_t i = 0, k = 0;
	*d = (struct diff){ .golden = golden, .other = other };
	d->threads = mem_take((golden->lane_count + other->lane_count + 1u) * sizeof *d->threads);
	enum deviation end = diff_ended(other->trace);
	while (i < golden->lane_count || k < other->lane_count) {
		struct thread_diff *t = &d->threads[d->thread_count++];
		int order = i == golden->lane_count ? 1 : k == other->lane_count ? -1 : canon_by_path(&golden->lanes[i], &other->lanes[k]);
		t->golden = order <= 0 ? &golden->lanes[i++] : NULL;
		t->other = order >= 0 ? &other->lanes[k++] : NULL;
		t->path = (t->golden ? t->golden : t->other)->path;
		compare_thread(t, end);
		d->deviating += t->first != DEV_NONE;
	}
	if (d->deviating && end != DEV_EARLY_EXIT)
		d->end = end;
}

void diff_release(struct diff *d)
{
	for (uint32_t i = 0; i < d->thread_count; i++)
		vec_release(&d->threads[i].stretches);
	mem_free(d->threads);
	*d = (struct diff){ 0 };
}

/* When the other run came to its first deviation; a thread it lacks, or that stops, comes last. */
static uint64_t moment(const struct thread_diff *t)
{
	if (!t->other || t->at_other >= t->other->count)
		return UINT64_MAX;
	return t->other->order.at[t->at_other];
}

static int by_moment(const void *a, const void *b)
{
	const struct thread_diff *x = *(const struct thread_diff *const *)a, *y = *(const struct thread_diff *const *)b;
	uint64_t m = moment(x), n = moment(y);
	return m != n ? (m < n ? -1 : 1) : x < y ? -1 : x > y;
}

const struct thread_diff **diff_sorted(const struct diff *d)
{
	const struct thread_diff **all = mem_take((d->deviating + 1u) * sizeof *all);
	uint32_t count = 0;
	for (uint32_t i = 0; i < d->thread_count; i++)
		if (d->threads[i].first)
			all[count++] = &d->threads[i];
	check(count == d->deviating);
	qsort(all, count, sizeof *all, by_moment);
	return all;
}
