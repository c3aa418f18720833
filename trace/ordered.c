/* trace/ordered.c -- the events of all threads of a steered run, in the order they happened: by the number each record has.
 *   (1) every lane but `now` waits in the heap, by the number of its next event, unless it has ended;
 *   (2) numbers that fall or are there twice (a file somebody made) change the order, never how many events there are.
 * Cost: nothing while one thread runs, O(log threads) when another one goes on. */
#include "base/heap.h"
#include "trace/inside.h"

struct ordered {
	uint32_t count;
	struct turn { struct lane *lane; struct event head; } *turns;   /* of each thread; lane NULL: at its end */
	struct heap waiting;
	uint32_t now;                           /* who is given from, and its head was given out; UINT32_MAX: nobody */
};

/* 1: it has a head; 0: it has ended; -1 damaged and why. */
static int advance(struct ordered *o, uint32_t i, struct err *why)
{
	struct turn *t = &o->turns[i];
	int there = lane_next(t->lane, &t->head, why);
	if (there == 0) {
		lane_close(t->lane);
		t->lane = NULL;
	}
	return there;
}

int ordered_open(struct ordered **out, struct trace *t, struct err *why)
{
	struct ordered *o = mem_take(sizeof *o);
	int there = 0;
	*out = NULL;
	o->count = trace_thread_count(t);
	o->now = UINT32_MAX;
	o->turns = mem_take((o->count + 1u) * sizeof *o->turns);
	for (uint32_t i = 0; i < o->count && there >= 0; i++) {
		there = lane_open(&o->turns[i].lane, t, (struct thread_id){ i }, why);
		if (there == 0)
			there = advance(o, i, why);
		if (there == 1)
			heap_push(&o->waiting, o->turns[i].head.time, i);
	}
	if (there < 0)
		ordered_close(o);
	else
		*out = o;
	return there < 0 ? -1 : 0;
}

int ordered_next(struct ordered *o, const struct event **ev, struct err *why)
{
	int there = o->now == UINT32_MAX ? 0 : advance(o, o->now, why);
	if (there > 0 && (!o->waiting.count || o->turns[o->now].head.time < o->waiting.at[0].key)) {
		*ev = &o->turns[o->now].head;
		return 1;
	}
	if (there < 0)
		return -1;
	struct heap_item mine = { there ? o->turns[o->now].head.time : UINT64_MAX, there ? o->now : UINT32_MAX };
	if (o->waiting.count && (!there || heap_before(o->waiting.at[0], mine))) {
		o->now = (uint32_t)heap_pop(&o->waiting).who;
		if (there)
			heap_push(&o->waiting, mine.key, mine.who);
		there = 1;
	}
	if (!there) {
		o->now = UINT32_MAX;
		return 0;
	}
	*ev = &o->turns[o->now].head;
	return 1;
}

void ordered_close(struct ordered *o)
{
	if (!o)
		return;
	for (uint32_t i = 0; i < o->count; i++)
		lane_close(o->turns[i].lane);
	heap_release(&o->waiting);
	mem_free(o->turns);
	mem_free(o);
}
