/* base/arena.h -- memory that lives as long as one trace or one query, given back at once.  An all-zero arena is empty. */
#ifndef RADDLE_BASE_ARENA_H
#define RADDLE_BASE_ARENA_H

#include <stddef.h>

struct arena_chunk;
struct arena { struct arena_chunk *last; size_t used, room; };

void *arena_take(struct arena *a, size_t bytes);                                /* zeroed, aligned to 16 */
char *arena_text(struct arena *a, const char *text, size_t length);             /* a copy with its zero */
void  arena_release(struct arena *a);                                           /* empty again */

#endif
