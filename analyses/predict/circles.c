/* analyses/predict/circles.c -- see circles.h.
 *
 * Request x leads to request y of another thread when y's thread has what x waits for: it holds the lock; it is the thread joined; it posts, signals
 * or arrives later; or it waits to write, and x to read, a lock on which writers that wait go first.  Which those are is found by object and by
 * thread, not by looking at all pairs; what no circle can go through is dropped before circles are looked for, each from its lowest request on. */
#include "analyses/predict/circles.h"

#include <stdlib.h>

#define EDGES_MOST   (8u << 20)
#define STEPS_MOST   20000000u          /* edges looked at */
#define CIRCLES_MOST 4096u
#define ASK_EVERY    65536u             /* steps, whether to go on */

struct users { VEC(uint32_t) holders, givers, writers; };       /* of an object: requests that hold it; those who give it; requests of writers that go first */
struct request_list { VEC(uint32_t) all; };
struct find {
	const struct circles *in;
	struct map number;                      /* object -> number + 1 */
	VEC(struct users) users;
	struct request_list *of_thread;
	VEC(uint32_t) edges;
	uint32_t *first;                        /* of each request: its edges from here up to the next one's */
	bool *dropped;
	uint32_t path[AIM_MOMENTS + 1];
	uint64_t steps, circles;
	const char *why;                        /* not all are looked for */
};

/* ---- who may have what ---- */

static struct users *users_of(struct find *f, uint64_t object)
{
	uint64_t *slot = map_put(&f->number, object, NULL);
	if (!*slot) {
		*vec_add(&f->users) = (struct users){ 0 };
		*slot = f->users.count;
	}
	return &f->users.at[*slot - 1];
}

static void index_requests(struct find *f)
{
	f->of_thread = mem_take((f->in->threads + 1) * sizeof *f->of_thread);
	for (uint32_t i = 0; i < f->in->count; i++) {
		const struct request *q = &f->in->requests[i];
		vec_push(&f->of_thread[q->at.spot.thread].all, i);
		if (q->writers_first && !q->shared)
			vec_push(&users_of(f, q->object)->writers, i);
		for (uint32_t k = 0; k < q->held_count; k++)
			vec_push(&users_of(f, q->held[k].object)->holders, i);
	}
	for (uint32_t i = 0; i < f->in->giver_count; i++)
		vec_push(&users_of(f, f->in->givers[i].object)->givers, i);
}

static bool holds(const struct request *y, const struct request *x)
{
	for (uint32_t i = 0; i < y->held_count; i++)
		if (y->held[i].object == x->object && !(y->held[i].shared && x->shared))
			return true;
	return false;
}

/* ---- edges ---- */

static void edge(struct find *f, const struct request *x, uint32_t y)
{
	if (f->in->requests[y].at.spot.thread == x->at.spot.thread)
		return;
	if (f->edges.count < EDGES_MOST)
		vec_push(&f->edges, y);
	else
		f->why = "there are too many requests of locks to look for all circles of waiting threads";
}

static void edges_of(struct find *f, const struct request *x)
{
	if (x->at.kind == EV_JOIN) {
		const struct request_list *l = &f->of_thread[x->object < f->in->threads ? x->object : f->in->threads];
		for (size_t i = 0; i < l->all.count; i++)
			edge(f, x, l->all.at[i]);
		return;
	}
	const struct users *u = users_of(f, x->object);
	uint32_t last = UINT32_MAX;
	for (size_t i = 0; i < u->holders.count; i++)
		if (u->holders.at[i] != last && holds(&f->in->requests[u->holders.at[i]], x))
			edge(f, x, last = u->holders.at[i]);
	for (size_t i = 0; x->writers_first && x->shared && i < u->writers.count; i++)
		edge(f, x, u->writers.at[i]);
	for (size_t g = 0; x->at.kind != EV_LOCK && g < u->givers.count; g++) {
		const struct giver *giver = &f->in->givers[u->givers.at[g]];
		const struct request_list *l = &f->of_thread[giver->thread];
		for (size_t i = 0; i < l->all.count; i++) {
			const struct request *y = &f->in->requests[l->all.at[i]];
			if (giver->last > y->at.index && !holds(y, x))
				edge(f, x, l->all.at[i]);
		}
	}
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

static void lay_edges(struct find *f)
{
	f->first = mem_take((f->in->count + 1) * sizeof *f->first);
	for (uint32_t i = 0; i < f->in->count; i++) {
		f->first[i] = (uint32_t)f->edges.count;
		edges_of(f, &f->in->requests[i]);
		if (f->edges.count > f->first[i])
			qsort(f->edges.at + f->first[i], f->edges.count - f->first[i], sizeof *f->edges.at, by_number);
	}
	f->first[f->in->count] = (uint32_t)f->edges.count;
}

/* What leads to nothing, or is led to by nothing, until nothing more is. */
static void drop(struct find *f)
{
	uint32_t count = f->in->count;
	bool *wanted = mem_take(count + 1);
	f->dropped = mem_take(count + 1);
	for (bool again = true; again;) {
		again = false;
		for (uint32_t i = 0; i < count; i++)
			wanted[i] = false;
		for (uint32_t i = 0; i < count; i++) {
			bool leads = false;
			for (uint32_t e = f->first[i]; !f->dropped[i] && e < f->first[i + 1]; e++)
				if (!f->dropped[f->edges.at[e]])
					leads = wanted[f->edges.at[e]] = true;
			again |= !f->dropped[i] && !leads;
			f->dropped[i] |= !leads;
		}
		for (uint32_t i = 0; i < count; i++) {
			again |= !f->dropped[i] && !wanted[i];
			f->dropped[i] |= !wanted[i];
		}
	}
	mem_free(wanted);
}

/* ---- circles ---- */

static bool gated(const struct request *x, const struct request *y)
{
	for (uint32_t i = 0; i < x->held_count; i++)
		for (uint32_t k = 0; k < y->held_count; k++)
			if (x->held[i].object == y->held[k].object && !(x->held[i].shared && y->held[k].shared))
				return true;
	return false;
}

static bool fits(const struct find *f, uint32_t next, uint32_t length)
{
	const struct request *y = &f->in->requests[next];
	for (uint32_t k = 0; k < length; k++) {
		const struct request *x = &f->in->requests[f->path[k]];
		if (x->at.spot.thread == y->at.spot.thread || gated(x, y))
			return false;
	}
	return length < AIM_MOMENTS;
}

static bool may_go_on(struct find *f)
{
	if (f->circles >= CIRCLES_MOST || f->steps >= STEPS_MOST)
		f->why = "there are too many circles of waiting threads to look at all of them";
	else if (f->steps++ % ASK_EVERY == 0 && !f->in->goes_on(f->in->with))
		f->why = "interrupted";
	else
		return true;
	return false;
}

/* Circles through path[0], which is the lowest request of each; false: no more. */
static bool extend(struct find *f, uint32_t length)
{
	uint32_t at = f->path[length - 1];
	for (uint32_t e = f->first[at]; e < f->first[at + 1]; e++) {
		uint32_t next = f->edges.at[e];
		if (next < f->path[0] || f->dropped[next])
			continue;
		if (!may_go_on(f))
			return false;
		if (next == f->path[0]) {
			f->circles += f->in->found(f->in->with, f->path, length);
			continue;
		}
		f->path[length] = next;
		if (fits(f, next, length) && !extend(f, length + 1))
			return false;
	}
	return true;
}

const char *circles_find(const struct circles *c)
{
	struct find *f = mem_take(sizeof *f);
	f->in = c;
	index_requests(f);
	lay_edges(f);
	drop(f);
	for (uint32_t i = 0; i < c->count; i++) {
		f->path[0] = i;
		if (!f->dropped[i] && !extend(f, 1))
			break;
	}
	const char *why = f->why;
	for (size_t i = 0; i < f->users.count; i++) {
		vec_release(&f->users.at[i].holders);
		vec_release(&f->users.at[i].givers);
		vec_release(&f->users.at[i].writers);
	}
	for (uint32_t t = 0; t < c->threads; t++)
		vec_release(&f->of_thread[t].all);
	mem_free(f->of_thread);
	vec_release(&f->users);
	vec_release(&f->edges);
	map_release(&f->number);
	mem_free(f->first);
	mem_free(f->dropped);
	mem_free(f);
	return why;
}
