/* certify/follow.h -- one run held against the trees of a certificate, event by event. */
#ifndef RADDLE_CERTIFY_FOLLOW_H
#define RADDLE_CERTIFY_FOLLOW_H

#include "certify/certificate.h"
#include "certify/own.h"
#include "drive/steer.h"
#include "trace/live.h"

struct store_seen { uint64_t at, value; uint32_t size; };
struct point_seen { uint16_t kind, how; uint64_t state; };

struct follower {                       /* of one run; all zero at first, but for these: */
	const struct certificate *c;
	bool *seen;                     /* a place somebody came to */
	struct map *touched;            /* address -> who touched it, in all runs */

	struct trace *trace;
	uint32_t at[MOST_THREADS];
	uint32_t points[MOST_THREADS];  /* up to its last deed */
	VEC(struct point_seen) list[MOST_THREADS];      /* its points; */
	size_t next[MOST_THREADS];      /* the next one */
	uint64_t number[MOST_THREADS];  /* record of the last */
	uint16_t how[MOST_THREADS];     /* of that point; */
	uint64_t state[MOST_THREADS];
	struct map heads;               /* place where a loop begins -> its state there */
	uint32_t children[MOST_THREADS];
	struct map memory;              /* shared byte -> value + 1 */
	VEC(struct store_seen) waiting[MOST_THREADS];
	uint32_t joined[MOST_THREADS];  /* thread whose end the event before was about + 1 */
	uint64_t made_at, made_type;    /* semaphore or barrier of the event before */
	uint32_t alive;                 /* threads beside the first */
	struct own own;                 /* what goes with functions and threads */
	char *why;                      /* of replay; "" nothing is wrong */
	bool is_unknown;                /* that it is wrong cannot be said either */
};

/* Follows the run to its end: where every thread is then is in `at`.  Wrong: why says so. */
void follow_run(struct follower *f, const struct steer_result *run, struct live *events);
void follower_release(struct follower *f);

#endif
