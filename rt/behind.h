/* rt/behind.h -- threads that libraries make behind the runtime (behind.c). */
#ifndef RADDLE_RT_BEHIND_H
#define RADDLE_RT_BEHIND_H

#include <pthread.h>
#include <stdbool.h>

typedef int make_thread(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

/* What stands behind us makes a thread, which may ask us again on the way: that is libc's business. */
make_thread behind_make_thread;
bool behind_is_asked_again(void);
make_thread behind_libc_thread;

#endif
