/* report/picture.h -- how something wrong went on in a run, to be drawn: a graph in lanes.
 *
 * A lane is a thread; a node a variable of it that was wrong at some time, in the order in which they were first wrong; an edge what carried it there.
 * Texts are its own copies and may be any bytes.  Of a large graph it has the beginning, and says how much there is in all. */
#ifndef RADDLE_REPORT_PICTURE_H
#define RADDLE_REPORT_PICTURE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/json.h"
#include "base/vec.h"

#define PICTURE_NODES 80u
#define PICTURE_EDGES 400u

struct picture_node {
	char *name, *where, *kind;              /* "total", "fault.c:12", "data" */
	uint32_t lane;
	uint64_t times, converged;              /* how often it was wrong; how often it was written right again */
	bool origin;                            /* nothing known carried it there */
};

struct picture_edge { uint32_t from, to; bool memory, crosses; uint64_t after, times; };       /* after: events between the two */

struct picture {
	VEC(char *) lanes;
	VEC(struct picture_node) nodes;
	VEC(struct picture_edge) edges;
	uint64_t all_nodes, all_edges;
};

uint32_t picture_lane(struct picture *p, const char *thread);           /* its number; made if there is none */
void picture_release(struct picture *p);
void picture_json(const struct picture *p, struct json *j);             /* as one object */
int  picture_read(struct picture *p, const char *text, size_t bytes);   /* 0, or -1: it is no picture; released then */
void picture_marks(FILE *to);                                           /* what arrows end in; once a page, before the first */
void picture_svg(const struct picture *p, FILE *to);                    /* picture_svg.c; for a page with the style of html_style.c */

#endif
