/* drive/parted.c -- see parted.h. */
#include "drive/parted.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define TRIES 8                         /* of the run alone, against the first one made */

/* With all its events.  false: it could not be made, or was not the run wanted. */
static bool make(struct runs *runs, const struct run_order *order, struct run_done *out)
{
	struct run_order wanted = *order;
	struct err why;
	wanted.events = UINT64_MAX;
	runs_give(runs, &wanted);
	if (runs_take(runs, out, &why) <= 0)
		return false;
	if (!out->result.interrupted && out->result.before.count + 1 == (order->runs ? order->runs : 1))
		return true;
	run_done_release(out);
	return false;
}

static bool is_same(const struct steer_event *a, const struct steer_event *b)
{
	return a->strand == b->strand && a->kind == b->kind && a->place == b->place;
}

static void tell(struct parted_way *way, struct steer_result *r, size_t at)
{
	struct source source;
	*way = (struct parted_way){ .over = at >= r->events.count };
	if (way->over)
		return;
	const struct steer_event *e = &r->events.at[at];
	snprintf(way->thread, sizeof way->thread, "%s", r->threads.at[e->strand].path);
	for (size_t i = 0; i <= at; i++)
		way->nth += r->events.at[i].strand == e->strand;
	way->kind = e->kind;
	if (!places_source(r->places, e->place, &source) || !*source.file)
		return;
	const char *slash = strrchr(source.file, '/');
	snprintf(way->place, sizeof way->place, "%.280s:%" PRIu32, slash ? slash + 1 : source.file, source.line);
}

static bool differ(struct parted *p, struct steer_result *one, struct steer_result *other)
{
	size_t at = 0, least = one->events.count < other->events.count ? one->events.count : other->events.count;
	while (at < least && is_same(&one->events.at[at], &other->events.at[at]))
		at++;
	if (at == one->events.count && at == other->events.count)
		return false;
	p->event = at + 1;
	tell(&p->way[0], one, at);
	tell(&p->way[1], other, at);
	return true;
}

/* In a program started for it: what it does before its first event may differ too. */
static bool try_again(struct parted *p, const struct runs_setup *setup, struct steer_result *first)
{
	struct run_done other;
	struct err why;
	struct runs *runs = runs_open(setup, &why);
	if (!runs)
		return false;
	bool made = make(runs, &p->order, &other);
	if (made) {
		p->located = differ(p, first, &other.result);
		run_done_release(&other);
	}
	runs_close(runs);
	return made && !p->located;
}

void parted_locate(struct parted *p, const struct steer_options *like)
{
	struct runs_setup setup = { .like = *like, .jobs = 1 };
	struct run_done first;
	struct err why;
	struct runs *runs = runs_open(&setup, &why);
	if (!runs)
		return;
	if (make(runs, &p->among, &first) || make(runs, &p->order, &first)) {
		for (int i = 0; i < TRIES && try_again(p, &setup, &first.result); i++)
			;
		run_done_release(&first);
	}
	runs_close(runs);
}
