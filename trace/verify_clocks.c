/* trace/verify_clocks.c -- happens-before of a recorded run, as far as the recording makes it certain.
 *
 * What is certain is more than what the program's memory model promises: an operation that took a number of its stripe did
 * so by an atomic step of the runtime itself, so everything before it in its thread happened before everything behind any
 * operation with a higher number of that stripe, whatever the two operations were.  A load that takes no number
 * learns from those below it and teaches nothing.
 *   (1) only what is certain is entered: an order missing here makes the verifier ask less, never accuse;
 *   (2) in a trace with a total order nothing is kept: before() says yes to all that came.
 * Cost: O(threads) for a meeting of two threads, O(1) while one thread has a stripe to itself. */
#include <string.h>

#include "trace/verify_inside.h"

static void clock_grow(struct clock *c, uint32_t count)
{
	if (count <= c->count)
		return;
	uint32_t room = 8;              /* a power of two: clocks that meet grow to the same */
	while (room < count)
		room *= 2;
	c->at = mem_resize(c->at, room * sizeof *c->at);
	memset(c->at + c->count, 0, (room - c->count) * sizeof *c->at);
	c->count = room;
}

/* True if `to` grew anywhere. */
static bool clock_join(struct clock *to, const struct clock *from)
{
	bool grew = false;
	clock_grow(to, from->count);
	for (uint32_t i = 0; i < from->count; i++)
		if (from->at[i] > to->at[i]) {
			to->at[i] = from->at[i];
			grew = true;
		}
	return grew;
}

static void clock_copy(struct clock *to, const struct clock *from)
{
	clock_grow(to, from->count);
	memcpy(to->at, from->at, from->count * sizeof *to->at);
}

static struct clock *clock_of(struct verifier *v, uint32_t thread)
{
	struct clock *c = &v->threads[thread].clock;
	if (thread >= c->count || !c->at[thread]) {
		clock_grow(c, thread + 1);
		c->at[thread] = 1;
	}
	return c;
}

uint32_t clock_own(const struct verifier *v, uint32_t thread)
{
	const struct clock *c = &v->threads[thread].clock;
	return thread < c->count && c->at[thread] ? c->at[thread] : 1;
}

static void learn(struct verifier *v, uint32_t thread, const struct clock *from)
{
	if (clock_join(clock_of(v, thread), from))
		v->threads[thread].change++;
}

void clocks_fork(struct verifier *v, uint32_t parent, uint32_t child)
{
	if (v->total)
		return;
	learn(v, child, clock_of(v, parent));
	clock_of(v, parent)->at[parent]++;
}

void clocks_join(struct verifier *v, uint32_t thread, uint32_t ended)
{
	if (!v->total)
		learn(v, thread, clock_of(v, ended));
}

void clocks_meet(struct verifier *v, uint32_t thread, struct meeting *m)
{
	struct clock *c = clock_of(v, thread);
	struct thread_state *t = &v->threads[thread];
	if (v->total)
		return;
	if (m->clock.count && m->last == thread && m->change == t->change) {
		m->clock.at[thread] = c->at[thread];
		return;
	}
	learn(v, thread, &m->clock);
	clock_copy(&m->clock, c);
	m->last = thread;
	m->change = t->change;
}

void clocks_step(struct verifier *v, uint32_t thread)
{
	clock_of(v, thread)->at[thread]++;
}

void clocks_look(struct verifier *v, uint32_t thread, const struct meeting *m)
{
	if (!v->total && m->clock.count && m->last != thread)
		learn(v, thread, &m->clock);
}
