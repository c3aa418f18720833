/* analyses/predict/steady.c -- see steady.h. */
#include "analyses/predict/steady.h"

enum { STEADY_YES = 1, STEADY_NO };

void steady_begin(struct steady *s, struct model *model)
{
	s->model = model;
	s->shared = mem_take(model_code(model)->values.count + 1);
	s->varies = mem_take(model_code(model)->values.count + 1);
}

static bool reads_memory(const struct event *ev)
{
	return ev->kind == EV_READ || ev->kind == EV_ALOAD || ev->kind == EV_RMW || ev->kind == EV_CAS || ev->kind == EV_COPY || ev->kind == EV_LIBREAD;
}

/* What a library function read has a line and no site: it may be any call of that line. */
static void note_site(const struct steady *s, uint8_t *in, const struct place *place, uint32_t site)
{
	if (site != NONE)
		in[site] = 1;
	for (uint32_t i = 0, call; site == NONE && (call = model_call_at(s->model, place->file, place->line, i)) != NONE; i++)
		in[call] = 1;
}

/* Is the thread told by it what others did: who came first, whether something was free? */
static bool tells(const struct event *ev)
{
	bool guards = (ev->kind == EV_LOCK || ev->kind == EV_UNLOCK) && (ev->arg >> 8 & 0xff) == LOCK_GUARD;
	return guards || ev->kind == EV_TRYFAIL || ev->kind == EV_ONCE || ev->kind == EV_ONCERUN || (kind_tries(ev->kind) && (ev->arg & LOCK_TRIED));
}

static bool synchronises(const struct event *ev)
{
	switch (ev->kind) {
	case EV_LOCK: case EV_UNLOCK: case EV_TRYFAIL: case EV_LOCKINIT: case EV_LOCKDEAD: case EV_CWAIT: case EV_CWAKE: case EV_CSIGNAL: case EV_CBROADCAST:
	case EV_BENTER: case EV_BLEAVE: case EV_SWAIT: case EV_SPOST: case EV_ONCE: case EV_ONCERUN:
		return true;
	default:
		return false;
	}
}

static void note_sync(struct steady *s, const struct event *ev, uint32_t site)
{
	bool fresh, waits = ev->kind == EV_CWAIT || ev->kind == EV_CWAKE;
	if (tells(ev) || ev->kind == EV_BLEAVE)                 /* who came last to a barrier is told so */
		note_site(s, s->shared, ev->place, site);
	if (!synchronises(ev))
		return;
	map_put(&s->synced, (uint64_t)(uintptr_t)ev->place * 31 + ev->object, &fresh);
	if (fresh || tells(ev))
		vec_push(&s->syncs, ((struct steady_sync){ ev->place, site, ev->object, waits ? ev->arg : 0, tells(ev) }));
}

void steady_note(struct steady *s, const struct event *ev, uint32_t site, bool marked)
{
	if (marked && reads_memory(ev)) {
		note_site(s, s->shared, ev->place, site);
		note_site(s, s->varies, ev->place, site);
	}
	if (s->others && (ev->kind == EV_ALLOC || ev->kind == EV_REALLOC || ev->kind == EV_MAP))
		note_site(s, s->varies, ev->place, NONE);
	note_sync(s, ev, site);
	if (ev->kind == EV_FORK && !s->others)
		s->until = ev->index;
	s->others |= ev->kind == EV_FORK;
}

struct answer steady_answer(struct steady *s, uint32_t site, unsigned parts)
{
	bool value = parts == PART_VALUE;
	struct depend **depend = value ? &s->value_depend : &s->depend;
	if (!*depend)
		*depend = model_depend(s->model, value ? s->varies : s->shared);
	return depend_on(*depend, site, parts);
}

static bool comes_from_constants(struct steady *s, uint32_t site, unsigned parts)
{
	struct answer on = steady_answer(s, site, parts);
	return !on.everything && !on.count;
}

bool steady_is(struct steady *s, uint32_t thread, uint64_t index, uint32_t site)
{
	bool fresh;
	if (!s->others || (thread == 0 && index < s->until))
		return true;
	if (site == NONE)
		return false;
	uint64_t *known = map_put(&s->asked, site, &fresh);
	if (fresh)
		*known = comes_from_constants(s, site, PART_VALUE) ? STEADY_YES : STEADY_NO;
	return *known == STEADY_YES;
}

bool steady_place(struct steady *s, uint32_t site)
{
	bool fresh;
	uint64_t *known = map_put(&s->placed, site, &fresh);
	if (fresh)
		*known = comes_from_constants(s, site, PART_ADDRESS) ? STEADY_YES : STEADY_NO;
	return *known == STEADY_YES;
}

bool steady_event(struct steady *s, const struct place *place, uint32_t site, unsigned parts)
{
	uint32_t call, i = 0;
	if (site != NONE)
		return comes_from_constants(s, site, parts);
	for (; (call = model_call_at(s->model, place->file, place->line, i)) != NONE; i++)
		if (!comes_from_constants(s, call, parts))
			return false;
	return i > 0;
}

bool steady_but_for(struct steady *s, uint32_t site, const uint32_t *reads, uint32_t count)
{
	struct answer on = steady_answer(s, site, PART_REACH);
	bool all = !on.everything;
	for (uint32_t i = 0, k; i < on.count && all; i++) {
		for (k = 0; k < count && reads[k] != on.reads[i]; k++)
			;
		all = k < count;
	}
	return all;
}

/* Who waits for a condition gives up its lock and takes it again: of the two, none is steady without the other. */
static bool spread(struct steady *s, const struct steady_sync *at)
{
	if (!at->lock || !map_get(&s->unsteady, at->object) == !map_get(&s->unsteady, at->lock))
		return false;
	map_put(&s->unsteady, at->object, NULL);
	map_put(&s->unsteady, at->lock, NULL);
	return true;
}

static void look_at_objects(struct steady *s)
{
	bool more = true;
	for (size_t i = 0; i < s->syncs.count; i++) {
		const struct steady_sync *at = &s->syncs.at[i];
		if (!map_get(&s->unsteady, at->object) && (at->told || !steady_event(s, at->place, at->site, PART_REACH | PART_ADDRESS)))
			map_put(&s->unsteady, at->object, NULL);
	}
	while (more) {
		more = false;
		for (size_t i = 0; i < s->syncs.count; i++)
			more |= spread(s, &s->syncs.at[i]);
	}
	s->looked = true;
}

bool steady_sync(struct steady *s, const struct event *ev, uint32_t site)
{
	if (!s->looked)
		look_at_objects(s);
	switch (ev->kind) {
	case EV_BEGIN: case EV_END: case EV_FORK:
		return true;
	case EV_ALLOC: case EV_REALLOC: case EV_FREE: case EV_STACK: case EV_MAP: case EV_UNMAP: case EV_LIBWRITE:
		return true;                    /* where objects begin a new life, and what a semaphore begins with */
	case EV_JOIN:
		return !tells(ev) && steady_event(s, ev->place, site, PART_REACH | PART_ADDRESS);
	default:
		return synchronises(ev) && !map_get(&s->unsteady, ev->object);
	}
}

bool steady_read(const struct steady *s, uint32_t site)
{
	return !s->shared[site];
}

void steady_release(struct steady *s)
{
	depend_free(s->depend);
	depend_free(s->value_depend);
	mem_free(s->shared);
	mem_free(s->varies);
	map_release(&s->asked);
	map_release(&s->placed);
	map_release(&s->synced);
	vec_release(&s->syncs);
	map_release(&s->unsteady);
	*s = (struct steady){ 0 };
}
