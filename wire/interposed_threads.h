/* wire/interposed_threads.h -- the thread API: rt/create.c mutex.c rwlock.c cond.c barrier.c sem.c once.c c11.c futex.c */
#define INTERPOSED_THREADS(X) \
	X(pthread_create)
