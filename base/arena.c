/* base/arena.c -- a chain of chunks, each twice the one before up to a quarter of a megabyte. */
#include "base/arena.h"

#include <string.h>

#include "base/vec.h"

#define CHUNK_FIRST 4096u
#define CHUNK_MOST  (1u << 18)          /* pages are brought when it is taken: more is waste in short runs */

struct arena_chunk {
	struct arena_chunk *before;
	size_t spare;
	char bytes[];
};

void *arena_take(struct arena *a, size_t bytes)
{
	bytes = (bytes + 15) & ~(size_t)15;
	if (a->room - a->used < bytes) {
		size_t room = a->room ? a->room * 2 : CHUNK_FIRST;
		if (room > CHUNK_MOST)
			room = CHUNK_MOST;
		if (room < bytes)
			room = bytes;
		struct arena_chunk *c = mem_take_ready(sizeof *c + room);
		c->before = a->last;
		a->last = c;
		a->used = 0;
		a->room = room;
	}
	void *at = a->last->bytes + a->used;
	a->used += bytes;
	return at;
}

char *arena_text(struct arena *a, const char *text, size_t length)
{
	char *copy = arena_take(a, length + 1);
	memcpy(copy, text, length);
	return copy;
}

void arena_release(struct arena *a)
{
	while (a->last) {
		struct arena_chunk *before = a->last->before;
		mem_free(a->last);
		a->last = before;
	}
	a->used = a->room = 0;
}
