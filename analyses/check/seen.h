/* analyses/check/seen.h -- memory during one run, as its threads see it, made again from its events. */
#ifndef RADDLE_ANALYSES_CHECK_SEEN_H
#define RADDLE_ANALYSES_CHECK_SEEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"

struct store { uint64_t at, value; uint32_t size; };
typedef VEC(struct store) stores;

struct seen {                         /* all zero: nothing has been written */
	struct map bytes;               /* address -> value + 1, as far as the run wrote it */
	stores *waiting;                /* of each thread: stores only it sees, oldest first */
	uint32_t threads;
};

void seen_release(struct seen *m);
uint64_t seen_byte(const struct seen *m, uint32_t thread, uint64_t at);     /* what the thread sees there + 1; 0: nobody has written it */
void seen_write(struct seen *m, uint32_t thread, struct store s, bool waits);
bool seen_flush(struct seen *m, uint32_t thread, uint64_t at, uint32_t size);       /* false: no such store waits */
bool seen_waits(const struct seen *m, uint32_t thread);                     /* some store of the thread does */

#endif
