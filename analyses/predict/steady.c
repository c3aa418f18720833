/* analyses/predict/steady.c -- see steady.h. */
#include "analyses/predict/steady.h"

enum { STEADY_YES = 1, STEADY_NO };

void steady_begin(struct steady *s, uint32_t threads)
{
	s->threads = threads;
	s->until = mem_take((threads + 1) * sizeof *s->until);
	s->until[0] = UINT64_MAX;               /* the first thread; others when they are created */
}

static bool reads_memory(const struct event *ev)
{
	return ev->kind == EV_READ || ev->kind == EV_ALOAD || ev->kind == EV_RMW || ev->kind == EV_CAS || ev->kind == EV_COPY || ev->kind == EV_LIBREAD;
}

/* Can the thread learn nothing of the others by it, as long as what memory it reads is not marked? */
static bool tells_nothing(const struct event *ev)
{
	if (ev->nest || ev->failed || (ev->result && event_class(ev->kind) != CLASS_OBJECT))
		return false;
	switch (ev->kind) {
	case EV_BEGIN: case EV_FORK: case EV_NAME: case EV_READ: case EV_WRITE: case EV_ALOAD: case EV_ASTORE: case EV_RMW: case EV_CAS: case EV_FENCE:
	case EV_LIBREAD: case EV_LIBWRITE: case EV_COPY: case EV_LOCK: case EV_UNLOCK: case EV_BLOCK: case EV_LOCKINIT: case EV_LOCKDEAD:
	case EV_CSIGNAL: case EV_CBROADCAST: case EV_SPOST: case EV_ALLOC: case EV_FREE: case EV_REALLOC: case EV_STACK: case EV_TLS:
	case EV_ENTER: case EV_LEAVE: case EV_CALL: case EV_BRANCH: case EV_LANDED: case EV_OUTPUT: case EV_KEYFRAME: case EV_TIME: case EV_MODULE:
	case EV_LABEL: case EV_IGNORE: case EV_FRAMES: case EV_RESULT: case EV_ARGUMENT:
		return true;
	default:
		return false;
	}
}

void steady_note(struct steady *s, const struct event *ev, uint32_t site, bool marked)
{
	uint32_t t = ev->thread.i;
	bool reads = marked && reads_memory(ev);
	if (reads && site != NONE)
		map_put(&s->shared, site, NULL);
	if (s->until[t] == UINT64_MAX && s->others && (reads || !tells_nothing(ev)))
		s->until[t] = ev->index;
	s->others |= ev->kind == EV_FORK;
	if (ev->kind == EV_FORK && ev->object < s->threads && s->until[t] == UINT64_MAX)
		s->until[ev->object] = UINT64_MAX;
}

static bool comes_from_constants(const struct steady *s, struct depend *d, uint32_t site, unsigned parts)
{
	struct answer on = depend_on(d, site, parts);
	for (uint32_t i = 0; !on.everything && i < on.count; i++)
		if (map_get(&s->shared, on.reads[i]))
			return false;
	return !on.everything;
}

bool steady_is(struct steady *s, struct depend *d, uint32_t thread, uint64_t index, uint32_t site)
{
	bool fresh;
	if (thread < s->threads && index < s->until[thread])
		return true;
	if (site == NONE)
		return false;
	uint64_t *known = map_put(&s->asked, site, &fresh);
	if (fresh)
		*known = comes_from_constants(s, d, site, PART_VALUE) ? STEADY_YES : STEADY_NO;
	return *known == STEADY_YES;
}

bool steady_place(struct steady *s, struct depend *d, uint32_t site)
{
	bool fresh;
	uint64_t *known = map_put(&s->placed, site, &fresh);
	if (fresh)
		*known = comes_from_constants(s, d, site, PART_ADDRESS) ? STEADY_YES : STEADY_NO;
	return *known == STEADY_YES;
}

bool steady_read(const struct steady *s, uint32_t site)
{
	return !map_get(&s->shared, site);
}

void steady_release(struct steady *s)
{
	mem_free(s->until);
	map_release(&s->shared);
	map_release(&s->asked);
	map_release(&s->placed);
	*s = (struct steady){ 0 };
}
