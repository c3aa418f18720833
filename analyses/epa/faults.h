/* analyses/epa/faults.h -- kinds of faults, as people write them ("BitFlip:3"), and what the runtime is told of one at a place.
 *
 * A site is (thread, place, n-th execution): "T_0_1:pay#3@2"; without a thread it is T_0, without @ the first time.  Where a kind is about a call
 * (MallSize), the place is the call and the fault is made in an argument or the result of it. */
#ifndef RADDLE_EPA_FAULTS_H
#define RADDLE_EPA_FAULTS_H

#include "analyses/epa/places.h"
#include "wire/fault.h"

struct fault_type;
struct fault {
	const struct fault_type *type;
	uint64_t a, b, times;                   /* as wire/fault.h has them */
	char text[64];                          /* as it was given */
};

struct fault_site {
	char thread[PATH_BYTES];
	char place[1024];
	uint64_t first;                         /* 1, 2, ... */
};

/* 0, or -1 and why (code 2). */
int fault_parse(struct fault *f, const char *text, struct err *why);
int fault_site_parse(struct fault_site *s, const char *text, struct err *why);

const struct fault_type *fault_type_at(size_t i);                       /* NULL past the last */
const char *fault_type_name(const struct fault_type *t);
/* Where it is really made: an argument or the result of the call at s, or s.  NULL: not recorded. */
const struct fault_place *fault_really_at(const struct fault *f, const struct fault_places *p, const struct fault_place *s);
bool fault_applies(const struct fault *f, const struct fault_places *p, const struct fault_place *s);

/* A library is asked for something else, so what it does is never what it did: compared while it runs, nothing could be said. */
bool fault_asks_otherwise(const struct fault *f);

/* In a steered run too: values read, written and computed pass through its hooks, calls and branches do not. */
bool fault_is_steerable(const struct fault *f, const struct fault_places *p, const struct fault_place *s);

/* The place meant, to which the fault applies, and the order for the runtime.  NULL and why (code 2): there is none, there are several, it cannot apply. */
const struct fault_place *fault_aim(const struct fault *f, const struct fault_places *p, const struct fault_site *at, struct fault_order *order,
	struct err *why);

#endif
