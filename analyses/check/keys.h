/* analyses/check/keys.h -- a set of hashes of 128 bits, in 16 bytes each and at most half as much again: a table grows by a quarter. */
#ifndef RADDLE_ANALYSES_CHECK_KEYS_H
#define RADDLE_ANALYSES_CHECK_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct key { uint64_t high, low; };                     /* two things share one with a chance of 2^-126 */
#define KEY_MARKS 3u                                    /* bits of `low` that are no part of it, but whoever has the set's */

struct keys { struct key *at; size_t count, room; };    /* all zero: empty */

/* The one there with its marks, good until the next keys_put(); *fresh: it was not there, and has none. */
struct key *keys_put(struct keys *k, struct key key, bool *fresh);
struct key *keys_get(const struct keys *k, struct key key);     /* NULL: not there */
struct key *keys_next(const struct keys *k, size_t *place);     /* from place 0 on; NULL: no more */
void keys_release(struct keys *k);

#endif
