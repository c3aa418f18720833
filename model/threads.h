/* model/threads.h -- where threads begin, and which objects two of them may reach.
 * Threads begin at main and constructors (one thread), at each routine handed to pthread_create or thrd_create, at signal handlers and
 * at functions code we do not see may call; any of the latter may run twice at a time. */
#ifndef RADDLE_MODEL_THREADS_H
#define RADDLE_MODEL_THREADS_H

#include "model/pointers.h"

struct threads;

struct threads *threads_new(const struct pointers *p);
void threads_free(struct threads *t);           /* NULL is fine */
uint32_t threads_roots(const struct threads *t);        /* how many kinds of threads there are */
bool threads_share(const struct threads *t, uint32_t object);           /* may two threads access it? */
bool threads_share_access(const struct threads *t, uint32_t value);     /* ... what this load, store or atomic touches? */

#endif
