/* certify/own.c -- see own.h. */
#include "certify/own.h"

#include "wire/kinds.h"

#define MOST_BYTES (1u << 20)           /* of a piece, followed one by one */

void own_release(struct own *o)
{
	vec_release(&o->here);
	vec_release(&o->memory);
	map_release(&o->had);
	map_release(&o->past);
}

/* The thread, or the one it comes from, that the piece's own thread made; 0: it does not come from there. */
static uint32_t branch_of(const struct own *o, const struct piece *p, uint32_t thread)
{
	uint32_t steps = 0;
	while (o->maker[thread] && o->maker[thread] - 1 != p->thread && ++steps < MOST_THREADS)
		thread = o->maker[thread] - 1;
	return o->maker[thread] && o->maker[thread] - 1 == p->thread ? thread : 0;
}

static bool is_over(const struct own *o, const struct piece *p, uint32_t thread)
{
	uint32_t steps = 0;
	while (o->joiner[thread] && o->joiner[thread] - 1 != p->thread && ++steps < MOST_THREADS)
		thread = o->joiner[thread] - 1;
	return o->joiner[thread] && o->joiner[thread] - 1 == p->thread;
}

/* It goes; told: its end is where it was to be. */
static void goes(struct own *o, const struct piece *p, bool told)
{
	for (uint32_t i = 0; i < MOST_THREADS && !p->always; i++) {
		uint32_t branch = p->by[i] ? branch_of(o, p, i) : 0;
		if (p->by[i] && (!told || !branch || o->made[branch] <= p->since || !is_over(o, p, i)))
			o->bad = true;
	}
}

static void remove_at(struct own *o, size_t i)
{
	for (; i + 1 < o->here.count; i++)
		o->here.at[i] = o->here.at[i + 1];
	o->here.count--;
}

static bool overlaps(const struct piece *p, const struct event *ev)
{
	return p->low < ev->object + ev->arg && ev->object < p->high;
}

/* Pieces of its stack there are no more. */
static void leave(struct own *o, uint32_t thread, const struct event *ev, bool told)
{
	for (size_t i = 0; i < o->here.count;) {
		struct piece *p = &o->here.at[i];
		if (p->thread != thread || p->with_thread || !overlaps(p, ev)) {
			i++;
			continue;
		}
		goes(o, p, told);
		remove_at(o, i);
	}
}

static void take_memory(struct own *o, uint32_t thread, const struct event *ev)
{
	struct piece p = { .low = ev->object, .high = ev->object + ev->arg, .thread = thread, .since = o->events, .with_thread = ev->kind == EV_TLS };
	p.always = p.with_thread && thread == 0;
	vec_push(&o->memory, p);
	if (p.with_thread)
		vec_push(&o->here, p);
}

/* The thread is over, or the program: what it had is no more for anybody that comes later. */
static void stop(struct own *o, uint32_t thread, bool exits)
{
	for (size_t i = 0; i < o->here.count;) {
		const struct piece *p = &o->here.at[i];
		if (p->thread != thread || p->always || (p->with_thread && exits)) {
			i++;
			continue;
		}
		goes(o, p, p->with_thread || p->until_exit);
		remove_at(o, i);
	}
}

static void set_past(struct own *o, uint64_t at, uint64_t bytes, bool past)
{
	for (uint64_t i = at; i < at + bytes && i < at + MOST_BYTES; i++)
		if (past || map_get(&o->past, i))
			*map_put(&o->past, i, NULL) = past;
}

static bool is_past(const struct own *o, uint64_t at, uint64_t bytes)
{
	for (uint64_t i = at; i < at + bytes; i++) {
		const uint64_t *past = map_get(&o->past, i);
		if (past && *past)
			return true;
	}
	return false;
}

/* The stack ends at `frame` again: nothing below is there. */
static void cut(struct own *o, uint32_t thread, uint64_t frame)
{
	const struct piece *stack = NULL;
	for (size_t i = o->memory.count; i-- > 0 && !stack;)
		if (frame >= o->memory.at[i].low && frame < o->memory.at[i].high)
			stack = &o->memory.at[i];
	for (size_t i = 0; stack && i < o->here.count;) {
		const struct piece *p = &o->here.at[i];
		if (p->thread != thread || p->with_thread || p->low >= frame || p->low < stack->low) {
			i++;
			continue;
		}
		goes(o, p, true);
		set_past(o, p->low, p->high - p->low, true);
		remove_at(o, i);
	}
}

/* A local is there, or main returns and it is no more. */
static void local(struct own *o, uint32_t thread, const struct event *ev)
{
	if (ev->result == LOCAL_UNWOUND) {
		cut(o, thread, ev->object);
		return;
	}
	bool over = ev->result == LOCAL_RETURNED;
	leave(o, thread, ev, over);
	set_past(o, ev->object, ev->arg, over);
	if (!over)
		vec_push(&o->here, ((struct piece){ .low = ev->object, .high = ev->object + ev->arg, .thread = thread, .since = o->events,
			.until_exit = ev->result == LOCAL_OF_MAIN && thread == 0, .always = ev->result == LOCAL_STAYS }));
}

void own_event(struct own *o, uint32_t thread, const struct event *ev)
{
	o->events++;
	switch (ev->kind) {
	case EV_STACK: case EV_TLS: take_memory(o, thread, ev); break;
	case EV_LEFT: leave(o, thread, ev, true); set_past(o, ev->object, ev->arg, true); break;
	case EV_END: stop(o, thread, false); break;
	case EV_EXIT: stop(o, thread, true); break;
	case EV_LOCAL: local(o, thread, ev); break;
	default: break;
	}
}

void own_made(struct own *o, uint32_t maker, uint32_t thread)
{
	o->maker[thread] = maker + 1;
	o->made[thread] = o->events;
}

void own_joined(struct own *o, uint32_t joiner, uint32_t thread) { o->joiner[thread] = joiner + 1; }

/* Bytes a thread touches that another one had before it, when this memory was that one's. */
static bool is_inherited(struct own *o, uint32_t thread, uint64_t at, uint64_t bytes)
{
	bool inherited = false;
	for (uint64_t i = at; i < at + bytes; i++) {
		uint64_t *had = map_put(&o->had, i, NULL);
		inherited |= *had != 0 && *had != thread + 1u;
		*had = thread + 1u;
	}
	return inherited;
}

void own_touched(struct own *o, uint32_t thread, uint64_t at, uint64_t bytes, enum own_touch how)
{
	const struct piece *of = NULL;
	struct piece *in = NULL;
	for (size_t i = o->memory.count; i-- > 0 && !of;)
		if (at >= o->memory.at[i].low && at < o->memory.at[i].high)
			of = &o->memory.at[i];
	if (!of)
		return;
	for (size_t i = 0; i < o->here.count && !in; i++)
		if (o->here.at[i].thread == of->thread && at >= o->here.at[i].low && at + bytes <= o->here.at[i].high)
			in = &o->here.at[i];
	bool inherited = is_inherited(o, of->thread, at, bytes);
	if (in && of->thread != thread)
		in->by[thread] = true;
	if (!in && (of->thread != thread || inherited || (how == OWN_READ && is_past(o, at, bytes))))
		o->bad = true;
	if (how == OWN_WRITE)
		set_past(o, at, bytes, false);
}

void own_run_over(struct own *o)
{
	for (size_t i = 0; i < o->here.count; i++) {
		const struct piece *p = &o->here.at[i];
		if (!p->with_thread && !p->until_exit)
			goes(o, p, false);
	}
}
