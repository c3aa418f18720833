/* analyses/predict/reading.c -- see reading.h. */
#include "analyses/predict/reading.h"

#include <string.h>

#define ASK_EVERY 65536u                        /* events, whether to go on */

/* ---- the locks held where a window begins ---- */

static void take(struct reading *g, const struct event *ev, uint64_t lock, uint64_t type)
{
	struct event *e = vec_add(&g->held);
	*e = *ev;
	e->kind = EV_LOCK;
	e->object = lock;
	e->arg = type;
}

static void give(struct reading *g, const struct event *ev, uint64_t lock)
{
	for (size_t i = g->held.count; i-- > 0;)
		if (g->held.at[i].object == lock && g->held.at[i].thread.i == ev->thread.i) {
			memmove(&g->held.at[i], &g->held.at[i + 1], (g->held.count - i - 1) * sizeof *g->held.at);
			g->held.count--;
			return;
		}
}

static void note(struct reading *g, const struct event *ev)
{
	switch (ev->kind) {
	case EV_LOCK:
		if (event_has_lock(ev))
			take(g, ev, ev->object, ev->arg);
		break;
	case EV_UNLOCK:
		if (!ev->result)
			give(g, ev, ev->object);
		break;
	case EV_CWAIT:
		give(g, ev, ev->arg);
		break;
	case EV_CWAKE:
		take(g, ev, ev->arg, LOCK_MUTEX << 8);
		break;
	}
}

/* ---- the door ---- */

int reading_open(struct reading *g, struct recording *r, uint64_t most, struct objects *objects, struct err *why)
{
	const struct event *ev;
	int got = 1;
	*g = (struct reading){ .r = r, .most = most, .lines.lines = &r->lines };
	if (merged_open(&g->merged, r->trace, why) < 0)
		return -1;
	for (uint64_t i = 0; i < r->first && got > 0; i++) {
		g->stopped = i % ASK_EVERY == 0 && !recording_goes_on(r, i);
		if (g->stopped)
			break;
		got = merged_next_in_place(g->merged, &ev, why);
		if (got > 0) {
			note(g, ev);
			objects_note(objects, ev);
		}
	}
	return got < 0 ? -1 : 0;
}

int reading_next(struct reading *g, const struct event **ev, struct err *why)
{
	if (g->stopped)
		return 0;
	if (g->told < g->held.count) {
		*ev = &g->held.at[g->told++];
		return 1;
	}
	g->stopped = g->read % ASK_EVERY == 0 && !recording_goes_on(g->r, g->r->first + g->read);
	if (g->read == g->most || g->stopped)
		return 0;
	int got = merged_next_in_place(g->merged, ev, why);
	g->read += got > 0;
	if (got > 0)
		*ev = lines_seen(&g->lines, *ev);
	return got;
}

void reading_close(struct reading *g)
{
	merged_close(g->merged);
	vec_release(&g->held);
	lines_pass_end(&g->lines);
}
