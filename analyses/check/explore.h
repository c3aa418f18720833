/* analyses/check/explore.h -- every state of a space, each once, and where nobody can go on: there a class ends. */
#ifndef RADDLE_ANALYSES_CHECK_EXPLORE_H
#define RADDLE_ANALYSES_CHECK_EXPLORE_H

#include "analyses/check/adjacent.h"
#include "analyses/check/keys.h"
#include "analyses/check/space.h"

struct key class_of(const struct space *s, const uint32_t *nodes, uint32_t count);

struct explore;
enum explore_answer {
	EXPLORE_DONE,            /* every state was visited */
	EXPLORE_UNKNOWN,         /* what a step of a thread brings is not known: learn it and go on */
	EXPLORE_CLASS,           /* one ends here; it may have been found before */
	EXPLORE_BACK,            /* a thread comes back to the beginning of a loop by this node for the first time: if it was asked for */
	EXPLORE_RACE,            /* of two places for the first time */
	EXPLORE_PAUSED,          /* it has been a while: go on if you like */
	EXPLORE_FULL             /* too many states */
};
/* What it came to; explore_way() leads there. */
struct explore_found {
	struct step unknown;
	struct adjacent race;
	uint32_t back;
	struct key class;
	bool spins;             /* threads go round there for ever */
	bool is_open;           /* the program ended where a thread was to do what no run has shown: one that shows it may end so, too */
};

struct explore *explore_new(struct threads *t);           /* takes the shape of the space now */
void explore_ask_backs(struct explore *s);                /* EXPLORE_BACK is wanted */
void explore_free(struct explore *s);                     /* NULL is fine */
enum explore_answer explore_go(struct explore *s, struct explore_found *out);
void explore_way(const struct explore *s, doings *out);
const struct state *explore_state(const struct explore *s);             /* where the search stands, at something unknown */
uint32_t explore_node(const struct explore *s, uint32_t thread);        /* where the thread is, at something unknown */
uint32_t explore_nodes(const struct explore *s, uint32_t *nodes);         /* of each thread, where a class ends; how many there are */
void explore_ends(const struct explore *s, uint32_t *anchors);            /* space_anchor() of each thread, where a class ends */
const struct space *explore_space(const struct explore *s);
uint64_t explore_states(const struct explore *s);
double explore_share(const struct explore *s);            /* of the search that is behind it, as far as one can tell; 1: all */
uint64_t explore_open(const struct explore *s);           /* states still to be looked at */

#endif
