/* analyses/epa/spread.h -- how what was wrong in one run went on: a graph over (thread, variable).
 *
 * A node is a variable of a thread that had, at some time, another value than in the golden run, or was at another address, or was reached on another way.
 * An edge says what carried it there:
 *   memory    the thread read it where a wrong value had been written, by itself or by another thread (it crosses)
 *   thread    the last thing wrong in this thread before it: in registers, by the order of the program
 * A node without an edge to it is where it came from: a fault, or code that was not recorded.  Written right again, memory has converged. */
#ifndef RADDLE_EPA_SPREAD_H
#define RADDLE_EPA_SPREAD_H

#include <stdio.h>

#include "analyses/epa/diff.h"

struct spread_node {
	uint32_t thread;                        /* index in diff.threads */
	uint32_t thing, variable;               /* memory it is in, 0 none; text */
	uint32_t place;                         /* where it was first wrong */
	enum deviation kind;                    /* the first time */
	uint8_t event;                          /* enum event_kind, the first time */
	uint64_t first, times;                  /* number of the event in its thread, from 1; how often it was wrong */
	uint64_t converged;                     /* times it was written right again */
	bool origin;                            /* nothing known carried it there */
};

enum carried { BY_MEMORY, BY_THREAD };

struct spread_edge {
	uint32_t from, to;
	enum carried by;
	bool crosses;                           /* from one thread to another */
	uint64_t after;                         /* events between the two, the first time: of the thread, or of all where it crosses */
	uint64_t times;
};

struct spread {
	const struct diff *diff;
	VEC(struct spread_node) nodes;          /* in the order in which they were first wrong */
	VEC(struct spread_edge) edges;
};

void spread_make(struct spread *s, const struct diff *d);
void spread_release(struct spread *s);
char *spread_name(const struct spread *s, uint32_t node, char *into, size_t room);      /* "T_0_1 total" */
void spread_dot(const struct spread *s, FILE *out);

#endif
