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

void steady_note(struct steady *s, const struct event *ev, uint32_t site, bool marked)
{
	if (marked && reads_memory(ev)) {
		note_site(s, s->shared, ev->place, site);
		note_site(s, s->varies, ev->place, site);
	}
	if (s->others && (ev->kind == EV_ALLOC || ev->kind == EV_REALLOC || ev->kind == EV_MAP))
		note_site(s, s->varies, ev->place, NONE);
	if (ev->kind == EV_FORK && !s->others)
		s->until = ev->index;
	s->others |= ev->kind == EV_FORK;
}

static bool comes_from_constants(struct steady *s, uint32_t site, unsigned parts)
{
	bool value = parts == PART_VALUE;
	struct depend **depend = value ? &s->value_depend : &s->depend;
	if (!*depend)
		*depend = model_depend(s->model, value ? s->varies : s->shared);
	struct answer on = depend_on(*depend, site, parts);
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

bool steady_reach(struct steady *s, uint32_t site)
{
	return comes_from_constants(s, site, PART_REACH | PART_ADDRESS);
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
	*s = (struct steady){ 0 };
}
