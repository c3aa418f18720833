/* trace/shadow.c -- see shadow.h. */
#include "trace/shadow.h"

#include <string.h>

#define PAGE_BYTES (8u * PAGE_CELLS)

static struct page *page_of(struct shadow *s, uint64_t number)
{
	uint64_t *slot = map_put(&s->pages, number, NULL);
	if (!*slot)
		*slot = (uint64_t)(uintptr_t)arena_take(&s->memory, sizeof(struct page));
	return (struct page *)(uintptr_t)*slot;
}

struct cell *shadow_cell(struct shadow *s, uint64_t address)
{
	uint64_t number = address / PAGE_BYTES, at = number % SHADOW_RECENT;
	if (!s->recent[at].page || s->recent[at].number != number) {
		s->recent[at].number = number;
		s->recent[at].page = page_of(s, number);
	}
	return &s->recent[at].page->cells[address / 8 % PAGE_CELLS];
}

static void *room_take(struct shadow *s, unsigned bits, size_t size)
{
	void *at = s->given_back[bits];
	if (!at)
		return arena_take(&s->memory, size << bits);
	memcpy(&s->given_back[bits], at, sizeof(void *));       /* which came before it */
	return at;
}

/* The cell's array, with room for one more of this size. */
static void *grown(struct shadow *s, struct cell *c, void *now, size_t size)
{
	if (c->room && c->count < 1u << (c->room - 1))
		return now;
	void *more = room_take(s, c->room, size);
	if (c->room) {
		memcpy(more, now, c->count * size);
		memcpy(now, &s->given_back[c->room - 1], sizeof(void *));
		s->given_back[c->room - 1] = now;
	}
	c->room++;
	return more;
}

struct touch *shadow_touch_add(struct shadow *s, struct cell *c)
{
	c->touches = grown(s, c, c->touches, sizeof *c->touches);
	struct touch *own = &c->touches[c->count++];
	own->mask = 0;
	return own;
}

struct brief *shadow_brief_add(struct shadow *s, struct cell *c)
{
	c->briefs = grown(s, c, c->briefs, sizeof *c->briefs);
	struct brief *own = &c->briefs[c->count++];
	own->mask = 0;
	return own;
}

static void forget_in(struct page *p, uint64_t from, uint64_t to)       /* bytes of the page */
{
	for (uint64_t i = from / 8; i * 8 < to; i++)
		p->cells[i].count = 0;
}

/* Of this page, what lies between the first byte and the last. */
static void forget_page(struct page *p, uint64_t number, uint64_t start, uint64_t last)
{
	forget_in(p, number == start / PAGE_BYTES ? start % PAGE_BYTES : 0, number == last / PAGE_BYTES ? last % PAGE_BYTES + 1 : PAGE_BYTES);
}

void shadow_forget(struct shadow *s, uint64_t start, uint64_t bytes)
{
	uint64_t last = start + (bytes ? bytes - 1 : 0);
	if (!bytes || last < start)
		return;
	if (last / PAGE_BYTES - start / PAGE_BYTES > s->pages.room) {           /* more pages than there are: ask those there are */
		for (size_t i = 0; i < s->pages.room; i++) {
			uint64_t number = s->pages.cells[i].key;
			if (s->pages.cells[i].used && number >= start / PAGE_BYTES && number <= last / PAGE_BYTES)
				forget_page((struct page *)(uintptr_t)s->pages.cells[i].value, number, start, last);
		}
		return;
	}
	for (uint64_t number = start / PAGE_BYTES; number <= last / PAGE_BYTES; number++) {
		uint64_t *slot = map_get(&s->pages, number);
		if (slot)
			forget_page((struct page *)(uintptr_t)*slot, number, start, last);
	}
}

void shadow_release(struct shadow *s)
{
	map_release(&s->pages);
	arena_release(&s->memory);
	*s = (struct shadow){ 0 };
}
