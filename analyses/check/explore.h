/* analyses/check/explore.h -- every state of a space, each once, and the classes among those where nobody can go on. */
#ifndef RADDLE_ANALYSES_CHECK_EXPLORE_H
#define RADDLE_ANALYSES_CHECK_EXPLORE_H

#include "analyses/check/space.h"

struct class_key { uint64_t low, high; };               /* a hash: two classes share one with a chance of 2^-128 */
struct class_key class_of(const struct space *s, const uint32_t *nodes, uint32_t count);

struct found_class { struct class_key key; uint32_t record; bool executed, spins; };    /* spins: threads go round there for ever */

struct explore;
enum explore_answer {
	EXPLORE_DONE,            /* every state was visited */
	EXPLORE_UNKNOWN,         /* explore_way() leads to where what a step of a thread brings is not known: learn it and go on */
	EXPLORE_PAUSED,          /* it has been a while: go on if you like */
	EXPLORE_FULL             /* too many states */
};

struct explore *explore_new(struct threads *t);           /* takes the shape of the space now */
void explore_free(struct explore *s);                     /* NULL is fine */
enum explore_answer explore_go(struct explore *s, struct step *unknown);
/* What leads to the state the search stands at, or to a class; and the thread's place there. */
void explore_way(const struct explore *s, doings *out);
uint32_t explore_node(const struct explore *s, uint32_t thread);
void explore_way_to(const struct explore *s, const struct found_class *c, doings *out);
struct found_class *explore_classes(struct explore *s, size_t *count);
struct found_class *explore_class(struct explore *s, struct class_key key);       /* NULL: not found yet */
const struct space *explore_space(const struct explore *s);
uint64_t explore_states(const struct explore *s);
uint64_t explore_open(const struct explore *s);           /* states still to be looked at */

#endif
