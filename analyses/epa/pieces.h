/* analyses/epa/pieces.h -- memory for rows of events, in pieces of PIECE of them: of two runs that are compared, what is the same is kept once.
 *
 * A row is an array of pieces, all full but the last.  A piece behind which another one was begun is full for good and never written to again; if the
 * row's twin, the same thread of the other run, has the same piece at the same place, both have that one, and the other's memory, which the processor
 * still has in its cache, is used again.
 *   (1) *users is how many rows have a piece; the pool has those nobody has;
 *   (2) pieces, their users, and which pieces of a row are full change under the pool's lock: two runs may be read at the same time. */
#ifndef RADDLE_EPA_PIECES_H
#define RADDLE_EPA_PIECES_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

#define PIECE 512u                              /* events, 16 KB */

struct canon_event;
struct piece { struct canon_event *at; uint32_t *users; };
struct piece_row { VEC(struct piece) pieces; };

struct pieces {                                 /* the pool */
	pthread_mutex_t lock;
	VEC(struct piece) unused;
	VEC(void *) taken;                      /* from the system */
	size_t more;                            /* pieces to take next time */
};

void pieces_open(struct pieces *p);
void pieces_close(struct pieces *p);                                            /* all rows are gone */
/* One more piece for the row, whose last one is full; twin: NULL, or the row it is held against. */
struct canon_event *pieces_add(struct pieces *p, struct piece_row *row, const struct piece_row *twin);
void pieces_release(struct pieces *p, struct piece_row *row);

#endif
