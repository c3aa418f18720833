/* rt/local.h -- heap events in the middle of a group of accesses (local.c): local_begin and local_end around their records. */
#ifndef RADDLE_RT_LOCAL_H
#define RADDLE_RT_LOCAL_H

#include "rt/rt.h"

struct local { struct rt_nest outer; bool apart; };

extern __thread bool local_asks __attribute__((tls_model("initial-exec")));     /* the loader runs, called by nobody the compiler knows of */

bool local_nest(struct local *l);
void local_got(const void *block, size_t bytes);       /* the loader was given this */

/* False: there is no room for the records; they count as lost. */
static inline bool local_begin(struct local *l)
{
	l->apart = false;
	return rt_likely(!local_asks) || local_nest(l);
}

static inline void local_end(const struct local *l)
{
	if (rt_unlikely(l->apart))
		rt_nest_end(&l->outer);
}

#endif
