/* rt/pool.h -- threads made in advance, for the runs of a server (pool.c). */
#ifndef RADDLE_RT_POOL_H
#define RADDLE_RT_POOL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct strand;

/* Until there are so many; the calling thread is the only other one.  Without them threads are made by libc as always. */
void pool_fill(uint32_t count);
/* A thread of default attributes that will run `run(arg)` as `strand`: 0 and *thread; -1: libc is to be asked, and will be. */
int  pool_give(pthread_t *thread, struct strand *strand, void *(*run)(void *), void *arg);
void pool_joined(void);                         /* a thread was: libc keeps its stack for the next one */
void pool_stack_gone(void);                     /* libc has given one back */
void pool_close(void);                          /* a thread of other attributes is made */

/* Memory libc asks for while it makes one (alloc.c): not the program's. */
extern bool pool_fills;
void pool_asked(size_t count, size_t size, bool zeroed, void *got, uint64_t pc);

#endif
