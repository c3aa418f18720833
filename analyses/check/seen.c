/* analyses/check/seen.c -- see seen.h. */
#include "analyses/check/seen.h"

#include <string.h>

void seen_release(struct seen *m)
{
	for (uint32_t i = 0; i < m->threads; i++)
		vec_release(&m->waiting[i]);
	mem_free(m->waiting);
	map_release(&m->bytes);
}

static stores *waiting_of(struct seen *m, uint32_t thread)
{
	if (thread >= m->threads) {
		m->waiting = mem_resize(m->waiting, (thread + 1) * sizeof *m->waiting);
		memset(m->waiting + m->threads, 0, (thread + 1 - m->threads) * sizeof *m->waiting);
		m->threads = thread + 1;
	}
	return &m->waiting[thread];
}

bool seen_waits(const struct seen *m, uint32_t thread)
{
	return thread < m->threads && m->waiting[thread].count;
}

uint64_t seen_byte(const struct seen *m, uint32_t thread, uint64_t at)
{
	for (size_t i = thread < m->threads ? m->waiting[thread].count : 0; i-- > 0;) {
		const struct store *s = &m->waiting[thread].at[i];
		if (at - s->at < s->size)
			return (s->value >> 8 * (at - s->at) & 0xff) + 1;
	}
	const uint64_t *byte = map_get(&m->bytes, at);
	return byte ? *byte : 0;
}

static void reach(struct seen *m, const struct store *s)
{
	for (uint32_t i = 0; i < s->size; i++)
		*map_put(&m->bytes, s->at + i, NULL) = (s->value >> 8 * i & 0xff) + 1;
}

void seen_write(struct seen *m, uint32_t thread, struct store s, bool waits)
{
	if (waits)
		vec_push(waiting_of(m, thread), s);
	else
		reach(m, &s);
}

bool seen_flush(struct seen *m, uint32_t thread, uint64_t at, uint32_t size)
{
	stores *all = waiting_of(m, thread);
	size_t i = 0;
	while (i < all->count && (all->at[i].at != at || all->at[i].size != size))
		i++;
	if (i == all->count)
		return false;
	reach(m, &all->at[i]);
	memmove(all->at + i, all->at + i + 1, (all->count - i - 1) * sizeof *all->at);
	all->count--;
	return true;
}
