/* base/map.h -- from 64-bit keys to 64-bit values, and from texts to small numbers.  All-zero ones are empty. */
#ifndef RADDLE_BASE_MAP_H
#define RADDLE_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct map_cell { uint64_t key, value; bool used; };
struct map { struct map_cell *cells; size_t count, room; };

/* The value of `key`, entered as 0 if it was not there (*fresh says so; may be NULL).  Good until the next map_put(). */
uint64_t *map_put(struct map *m, uint64_t key, bool *fresh);
uint64_t *map_get(const struct map *m, uint64_t key);           /* NULL: not there */
void map_clear(struct map *m);                                  /* empty again, with the room it has */
void map_release(struct map *m);

/* Texts kept once each, numbered 0, 1, 2, ... in the order they came. */
struct names_cell { uint64_t hash; uint32_t id, used; };
struct names { struct names_cell *cells; const char **texts; size_t count, room, texts_room; struct arena arena; };

#define NO_NAME UINT32_MAX
uint32_t names_put(struct names *n, const char *text, size_t length);           /* its number */
uint32_t names_get(const struct names *n, const char *text, size_t length);     /* its number, or NO_NAME */
const char *names_text(const struct names *n, uint32_t id);                     /* lives as long as the names */
void names_release(struct names *n);

#endif
