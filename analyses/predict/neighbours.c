/* analyses/predict/neighbours.c -- see neighbours.h.  One walk over the trace; of each thread what it did last, if that is at one of the two lines:
 *   (1) what is of one point of its thread (a call of the library that reads here and writes there) is done at once;
 *   (2) which of the two lines a place is, is asked once for each place. */
#include "analyses/predict/neighbours.h"

#include <string.h>

#include "analyses/predict/screen.h"
#include "base/map.h"
#include "trace/objects.h"

#define RANGES 8u                       /* of one point */

struct last { uint64_t point; unsigned lines; bool atomic; struct touched at[RANGES]; uint32_t count; };
struct walk {
	struct trace *trace;
	struct objects *objects;
	const struct race_sign *sign;
	struct map lines;               /* place -> 1 + bits: it is the first, the second line of the sign */
	struct last *last;              /* by thread */
};

static unsigned lines_of(struct walk *w, const struct place *place)
{
	char line[160];
	uint64_t *known = map_put(&w->lines, (uint64_t)(uintptr_t)place, NULL);
	if (!*known) {
		place_short(place, line, sizeof line);
		*known = 1 + !strcmp(line, w->sign->lines[0]) + 2u * !strcmp(line, w->sign->lines[1]);
	}
	return (unsigned)*known - 1;
}

static bool is_object(const struct walk *w, uint64_t address)
{
	char name[256];
	uint64_t offset = 0;
	const struct object *in = objects_at(w->objects, address);
	if (!in)
		trace_symbol(w->trace, address, &offset);
	return sign_is_of(w->sign, objects_name(w->objects, in ? in->start : address - offset, name, sizeof name));
}

static bool overlap(const struct touched *a, const struct touched *b)
{
	return a->start < b->start + b->bytes && b->start < a->start + a->bytes;
}

static bool meet(const struct walk *w, const struct last *a, const struct last *b)
{
	bool lines = (a->lines & 1 && b->lines & 2) || (a->lines & 2 && b->lines & 1);
	for (uint32_t i = 0; lines && !(a->atomic && b->atomic) && i < a->count; i++)
		for (uint32_t k = 0; k < b->count; k++)
			if ((a->at[i].writes || b->at[k].writes) && overlap(&a->at[i], &b->at[k]) &&
				is_object(w, a->at[i].start > b->at[k].start ? a->at[i].start : b->at[k].start))
				return true;
	return false;
}

static void note(struct walk *w, const struct event *ev)
{
	struct last *own = &w->last[ev->thread.i];
	struct touched ranges[2];
	uint32_t count = event_touches(ev, w->objects, ranges);
	if (!ev->points || ev->points != own->point)
		*own = (struct last){ .point = ev->points, .atomic = true };
	own->lines |= count ? lines_of(w, ev->place) : 0;
	own->atomic &= event_class(ev->kind) == CLASS_ATOMIC;
	for (uint32_t i = 0; i < count && own->count < RANGES; i++)
		own->at[own->count++] = ranges[i];
}

static bool is_beside(const struct walk *w, uint32_t thread)
{
	const struct last *own = &w->last[thread];
	for (uint32_t i = 0; own->lines && i < trace_thread_count(w->trace); i++)
		if (i != thread && meet(w, own, &w->last[i]))
			return true;
	return false;
}

static int walk(struct walk *w, struct err *why)
{
	struct merged *m;
	const struct event *ev;
	int got, found = 0;
	if (merged_open(&m, w->trace, why) < 0)
		return -1;
	while (!found && (got = merged_next_in_place(m, &ev, why)) > 0) {
		if (kind_is_deed(ev->kind)) {
			note(w, ev);
			found = is_beside(w, ev->thread.i);
		}
		objects_note(w->objects, ev);
	}
	merged_close(m);
	return found ? 1 : got;
}

int neighbours_in(const char *trace, const struct race_sign *sign, struct err *why)
{
	struct walk w = { .sign = sign };
	if (trace_open(&w.trace, trace, &(struct trace_options){ 0 }, why) < 0)
		return -1;
	w.objects = objects_new(w.trace);
	w.last = mem_take((trace_thread_count(w.trace) + 1) * sizeof *w.last);
	int found = walk(&w, why);
	map_release(&w.lines);
	mem_free(w.last);
	objects_free(w.objects);
	trace_close(w.trace);
	return found;
}

int neighbours_shown(struct work *w, const struct schedule *log, const struct race_sign *sign, struct err *why)
{
	struct run_done run;
	if (lab_trace(w->lab, log, &run, why) < 0)
		return -1;
	run_done_release(&run);
	return neighbours_in(w->lab->story, sign, why);
}
