/* analyses/epa/pieces.c -- see pieces.h. */
#include "analyses/epa/pieces.h"

#include <string.h>

#include "analyses/epa/canon.h"
#include "base/err.h"

#define FEWEST  8u                              /* pieces taken from the system at once, twice as many each time, */
#define MOST    256u                            /* up to so many */
#define BYTES   (PIECE * sizeof(struct canon_event))

void pieces_open(struct pieces *p)
{
	*p = (struct pieces){ .more = FEWEST };
	check(pthread_mutex_init(&p->lock, NULL) == 0);
}

void pieces_close(struct pieces *p)
{
	for (size_t i = 0; i < p->taken.count; i++)
		mem_free(p->taken.at[i]);
	vec_release(&p->taken);
	vec_release(&p->unused);
	pthread_mutex_destroy(&p->lock);
}

static void take_more(struct pieces *p)
{
	uint8_t *rows = mem_take_large(p->more * BYTES);
	uint32_t *users = mem_take(p->more * sizeof *users);
	vec_push(&p->taken, (void *)rows);
	vec_push(&p->taken, (void *)users);
	for (size_t i = p->more; i-- > 0;)              /* the first is used first */
		vec_push(&p->unused, ((struct piece){ (struct canon_event *)(void *)(rows + i * BYTES), &users[i] }));
	p->more = p->more < MOST ? 2 * p->more : MOST;
}

static void drop(struct pieces *p, struct piece piece)
{
	check(*piece.users > 0);
	if (--*piece.users == 0)
		vec_push(&p->unused, piece);
}

/* The piece of that number, if it is full: had by one more. */
static bool borrow(struct pieces *p, const struct piece_row *row, size_t number, struct piece *out)
{
	pthread_mutex_lock(&p->lock);
	bool full = number + 1 < row->pieces.count;
	if (full) {
		*out = row->pieces.at[number];
		++*out->users;
	}
	pthread_mutex_unlock(&p->lock);
	return full;
}

struct canon_event *pieces_add(struct pieces *p, struct piece_row *row, const struct piece_row *twin)
{
	size_t last = row->pieces.count - 1;
	struct piece theirs;
	bool there = row->pieces.count && twin && borrow(p, twin, last, &theirs);
	bool same = there && !memcmp(row->pieces.at[last].at, theirs.at, BYTES);
	pthread_mutex_lock(&p->lock);
	if (there)
		drop(p, same ? row->pieces.at[last] : theirs);
	if (same)
		row->pieces.at[last] = theirs;
	if (!p->unused.count)
		take_more(p);
	struct piece piece = p->unused.at[--p->unused.count];
	*piece.users = 1;
	vec_push(&row->pieces, piece);
	pthread_mutex_unlock(&p->lock);
	return piece.at;
}

void pieces_release(struct pieces *p, struct piece_row *row)
{
	pthread_mutex_lock(&p->lock);
	for (size_t i = 0; i < row->pieces.count; i++)
		drop(p, row->pieces.at[i]);
	pthread_mutex_unlock(&p->lock);
	vec_release(&row->pieces);
}
