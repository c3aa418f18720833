/* analyses/predict/circles.h -- circles of threads that wait for each other, among the requests of a recording. */
#ifndef RADDLE_PREDICT_CIRCLES_H
#define RADDLE_PREDICT_CIRCLES_H

#include "analyses/predict/aims.h"

struct hold { uint64_t object; bool shared; };
/* An event at which a thread may have to wait, and what it holds meanwhile. */
struct request {
	struct moment at;
	uint64_t object;                        /* waited for; of a join the other thread */
	bool shared;
	bool writers_first;                     /* a reader waits for writers that wait, too */
	uint32_t held_count;
	const struct hold *held;
};
struct giver { uint64_t object, last; uint32_t thread; };       /* posts, signals or arrives; last: index of the event behind the last time */

struct circles {
	const struct request *requests;
	uint32_t count, threads;
	const struct giver *givers;
	uint32_t giver_count;
	/* A circle of `length` requests, each waits for the next; the lowest first.  Is it one more than were there? */
	bool (*found)(void *with, const uint32_t *path, uint32_t length);
	bool (*goes_on)(void *with);            /* asked now and then */
	void *with;
};

/* Of all circles of up to AIM_MOMENTS threads in which no two hold the same lock.  NULL, or why not all were looked for. */
const char *circles_find(const struct circles *c);

#endif
