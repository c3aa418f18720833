/* rt/pool.h -- threads made in advance, for runs that are restarted (pool.c). */
#ifndef RADDLE_RT_POOL_H
#define RADDLE_RT_POOL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct strand;

/* Makes them; the calling thread is the only one there is.  Without them threads are made by libc as always. */
void pool_fill(void);
/* A thread of default attributes that will run `run(arg)` as `strand`: 0 and *thread; -1: libc is to be asked. */
int  pool_give(pthread_t *thread, struct strand *strand, void *(*run)(void *), void *arg);
/* A thread was joined: libc would use its stack for the next one. */
void pool_close(void);

/* Memory libc asks for while it makes one (alloc.c): not the program's. */
extern bool pool_fills;
void pool_asked(size_t count, size_t size, bool zeroed, uint64_t pc);

#endif
