/* wire/interposed_threads.h -- the thread API, by the file of rt/ that stands in front of it. */
#define INTERPOSED_THREADS(X) \
	/* create.c */ \
	X(pthread_create) X(thrd_create) X(pthread_exit) X(thrd_exit) X(pthread_join) X(pthread_tryjoin_np) \
	X(pthread_timedjoin_np) X(pthread_clockjoin_np) X(thrd_join) X(pthread_detach) X(thrd_detach) \
	X(pthread_setname_np) X(pthread_getname_np) X(pthread_getattr_np) \
	/* cancel.c */ \
	X(pthread_cancel) X(pthread_testcancel) X(pthread_setcancelstate) X(pthread_setcanceltype) \
	/* mutex.c */ \
	X(pthread_mutex_lock) X(pthread_mutex_trylock) X(pthread_mutex_timedlock) X(pthread_mutex_clocklock) \
	X(pthread_mutex_unlock) X(pthread_mutex_init) X(pthread_mutex_destroy) X(mtx_lock) X(mtx_trylock) \
	X(mtx_timedlock) X(mtx_unlock) X(mtx_init) X(mtx_destroy) \
	/* rwlock.c */ \
	X(pthread_rwlock_unlock) X(pthread_rwlock_init) X(pthread_rwlock_destroy) X(pthread_rwlock_rdlock) \
	X(pthread_rwlock_wrlock) X(pthread_rwlock_tryrdlock) X(pthread_rwlock_trywrlock) X(pthread_rwlock_timedrdlock) \
	X(pthread_rwlock_timedwrlock) X(pthread_rwlock_clockrdlock) X(pthread_rwlock_clockwrlock) \
	/* spin.c */ \
	X(pthread_spin_lock) X(pthread_spin_trylock) X(pthread_spin_unlock) X(pthread_spin_init) \
	X(pthread_spin_destroy) \
	/* stream_lock.c */ \
	X(flockfile) X(ftrylockfile) X(funlockfile) \
	/* cond.c */ \
	X(pthread_cond_wait) X(pthread_cond_timedwait) X(pthread_cond_clockwait) X(pthread_cond_signal) \
	X(pthread_cond_broadcast) X(pthread_cond_init) X(pthread_cond_destroy) X(cnd_wait) X(cnd_timedwait) \
	X(cnd_signal) X(cnd_broadcast) X(cnd_init) X(cnd_destroy) \
	/* barrier.c */ \
	X(pthread_barrier_wait) X(pthread_barrier_init) X(pthread_barrier_destroy) \
	/* sem.c */ \
	X(sem_wait) X(sem_trywait) X(sem_timedwait) X(sem_clockwait) X(sem_post) X(sem_init) X(sem_destroy) \
	/* once.c */ \
	X(pthread_once) X(call_once) \
	/* guard.c */ \
	X(__cxa_guard_acquire) X(__cxa_guard_release) X(__cxa_guard_abort) \
	/* key.c */ \
	X(pthread_key_create) X(tss_create) X(pthread_key_delete) X(tss_delete) \
	/* futex.c */ \
	X(syscall) X(prctl) \
	/* sleep.c */ \
	X(sched_yield) X(thrd_yield) X(sleep) X(usleep) X(nanosleep) X(clock_nanosleep) X(thrd_sleep)
