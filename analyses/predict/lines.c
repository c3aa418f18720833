/* analyses/predict/lines.c -- see lines.h. */
#include "analyses/predict/lines.h"

#include "wire/line.h"

#define LINE_EVENTS_MOST 4096u          /* of a line with more it is not asked what else could have been read */

static bool is_through(const struct event *ev)
{
	return (ev->kind == EV_RELEASE || ev->kind == EV_ACQUIRE) && line_is(ev->object) && !line_says_closed(ev->object);
}

/* Is it the same read as the last one of this thread there? */
static bool is_more(struct map *read_at, const struct event *ev)
{
	uint64_t *at = map_put(read_at, line_whole(ev->object) ^ (uint64_t)ev->thread.i << 48, NULL);
	bool same = *at == (uint64_t)ev->points + 1;
	*at = (uint64_t)ev->points + 1;
	return same;
}

static struct line_use *use_of(struct lines *l, uint64_t line)
{
	uint64_t *slot = map_put(&l->number, line, NULL);
	if (!*slot) {
		*vec_add(&l->all) = (struct line_use){ .line = line };
		*slot = l->all.count;
	}
	return &l->all.at[*slot - 1];
}

static void by_one(struct line_use *u, uint32_t *who, const struct event *ev)
{
	u->others |= *who && *who != ev->thread.i + 1;
	*who = ev->thread.i + 1;
}

void lines_note(struct lines *l, const struct event *ev)
{
	if (!is_through(ev))
		return;
	struct line_use *u = use_of(l, line_whole(ev->object));
	uint64_t *waits = map_put(&l->waiting, ev->object, NULL);
	bool writes = ev->kind == EV_RELEASE;
	u->in_pieces |= *waits == writes;               /* a second write where one waits, a second read of one that was read */
	*waits = writes;
	u->count++;
	by_one(u, writes ? &u->writer : &u->reader, ev);
	if (!writes)
		u->others |= is_more(&l->read_at, ev);
}

static bool is_semaphore(const struct line_use *u)
{
	return u->others && u->reader && u->writer && !u->in_pieces && u->count <= LINE_EVENTS_MOST;
}

bool lines_end(struct lines *l)
{
	for (size_t i = 0; i < l->all.count; i++)
		l->otherwise |= is_semaphore(&l->all.at[i]);
	l->known = true;
	return l->otherwise;
}

void lines_release(struct lines *l)
{
	map_release(&l->number);
	map_release(&l->waiting);
	map_release(&l->read_at);
	vec_release(&l->all);
	*l = (struct lines){ 0 };
}

const struct event *lines_seen(struct lines_pass *p, const struct event *ev)
{
	if (!p->lines->known || !is_through(ev))
		return ev;
	const uint64_t *number = map_get(&p->lines->number, line_whole(ev->object));
	if (!number || !is_semaphore(&p->lines->all.at[*number - 1]))
		return ev;
	p->as = *ev;
	p->as.object = line_whole(ev->object);
	p->as.result = 0;
	p->as.kind = ev->kind == EV_RELEASE ? EV_SPOST : is_more(&p->read_at, ev) ? EV_YIELD : EV_SWAIT;
	return &p->as;
}

void lines_pass_end(struct lines_pass *p)
{
	map_release(&p->read_at);
}
