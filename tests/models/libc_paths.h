/* tests/models/libc_paths.h -- store, a call of libc, load: every path of docs/memory-models.md, "Calls of libc", by name.
 * before() is done by the thread ahead of its store, call() between store and load, after() when the round is over. */
#ifndef RADDLE_TESTS_MODELS_LIBC_PATHS_H
#define RADDLE_TESTS_MODELS_LIBC_PATHS_H

#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>

static pthread_spinlock_t spin[2], spin_free[2], spin_taken;
static pthread_mutex_t plain[2], recursive[2], outer[2], checks[2], taken, checks_of_main;
static pthread_cond_t nobody_waits = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t written, read_locked, unlocked = PTHREAD_RWLOCK_INITIALIZER, own[2], own_free[2];
static pthread_once_t passed = PTHREAD_ONCE_INIT;
static pthread_barrier_t alone[2];
static once_flag passed_c11 = ONCE_FLAG_INIT;
static sem_t empty, full;
static const struct timespec no_time = { 0, -1 }, long_ago = { 0, 0 }, far_off = { 1ll << 40, 0 };

static void nothing(void) { }

static void mutex_of_type(pthread_mutex_t *m, int type)
{
	pthread_mutexattr_t attr;
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, type);
	pthread_mutex_init(m, &attr);
	pthread_mutexattr_destroy(&attr);
}

static void paths_of(int i)
{
	pthread_spin_init(&spin[i], 0);
	pthread_spin_init(&spin_free[i], 0);
	pthread_mutex_init(&plain[i], NULL);
	mutex_of_type(&recursive[i], PTHREAD_MUTEX_RECURSIVE);
	mutex_of_type(&outer[i], PTHREAD_MUTEX_RECURSIVE);
	mutex_of_type(&checks[i], PTHREAD_MUTEX_ERRORCHECK);
	pthread_rwlock_init(&own[i], NULL);
	pthread_rwlock_init(&own_free[i], NULL);
	pthread_barrier_init(&alone[i], NULL, 1);
}

static void paths_init(void)
{
	paths_of(0);
	paths_of(1);
	pthread_mutex_init(&taken, NULL);
	mutex_of_type(&checks_of_main, PTHREAD_MUTEX_ERRORCHECK);
	pthread_rwlock_init(&written, NULL);
	pthread_rwlock_init(&read_locked, NULL);
	sem_init(&empty, 0, 0);
	sem_init(&full, 0, 2);
	pthread_spin_init(&spin_taken, 0);
	pthread_spin_lock(&spin_taken);
	pthread_mutex_lock(&taken);
	pthread_mutex_lock(&checks_of_main);
	pthread_rwlock_wrlock(&written);
	pthread_rwlock_rdlock(&read_locked);
	pthread_once(&passed, nothing);
	call_once(&passed_c11, nothing);
}

/* P(name, does it drain, before, call, after); i is the thread's number.  Those that do not drain can be called one after the other in one round. */
#define PATHS(P) \
	P(nothing, 0, , , ) \
	P(spin-unlock, 0, pthread_spin_lock(&spin[i]), pthread_spin_unlock(&spin[i]), ) \
	P(once-done, 0, , pthread_once(&passed, nothing), ) \
	P(call-once-done, 0, , call_once(&passed_c11, nothing), ) \
	P(signal-nobody, 0, , pthread_cond_signal(&nobody_waits), ) \
	P(broadcast-nobody, 0, , pthread_cond_broadcast(&nobody_waits), ) \
	P(relock, 0, pthread_mutex_lock(&recursive[i]), pthread_mutex_lock(&recursive[i]), \
		pthread_mutex_unlock(&recursive[i]); pthread_mutex_unlock(&recursive[i])) \
	P(inner-timedlock, 0, pthread_mutex_lock(&recursive[i]), pthread_mutex_timedlock(&recursive[i], &far_off), \
		pthread_mutex_unlock(&recursive[i]); pthread_mutex_unlock(&recursive[i])) \
	P(inner-trylock, 0, pthread_mutex_lock(&recursive[i]), pthread_mutex_trylock(&recursive[i]), \
		pthread_mutex_unlock(&recursive[i]); pthread_mutex_unlock(&recursive[i])) \
	P(inner-unlock, 0, pthread_mutex_lock(&recursive[i]); pthread_mutex_lock(&recursive[i]), pthread_mutex_unlock(&recursive[i]), \
		pthread_mutex_unlock(&recursive[i])) \
	P(lock-edeadlk, 0, pthread_mutex_lock(&checks[i]), pthread_mutex_lock(&checks[i]), pthread_mutex_unlock(&checks[i])) \
	P(checked-trylock, 0, pthread_mutex_lock(&checks[i]), pthread_mutex_trylock(&checks[i]), pthread_mutex_unlock(&checks[i])) \
	P(unlock-eperm, 0, , pthread_mutex_unlock(&checks_of_main), ) \
	P(mutex-trylock-fails, 0, , pthread_mutex_trylock(&taken), ) \
	P(sem-trywait-fails, 0, , sem_trywait(&empty), ) \
	P(trywrlock-fails, 0, , pthread_rwlock_trywrlock(&read_locked), ) \
	P(tryrdlock-fails, 0, , pthread_rwlock_tryrdlock(&written), ) \
	P(rdlock-edeadlk, 0, pthread_rwlock_wrlock(&own[i]), pthread_rwlock_rdlock(&own[i]), pthread_rwlock_unlock(&own[i])) \
	P(timedwrlock-einval, 0, , pthread_rwlock_timedwrlock(&written, &no_time), ) \
	P(mutex-lock, 1, , pthread_mutex_lock(&plain[i]), pthread_mutex_unlock(&plain[i])) \
	P(mutex-unlock, 1, pthread_mutex_lock(&plain[i]), pthread_mutex_unlock(&plain[i]), ) \
	P(mutex-trylock, 1, , pthread_mutex_trylock(&plain[i]), pthread_mutex_unlock(&plain[i])) \
	P(mutex-timedlock, 1, , pthread_mutex_timedlock(&plain[i], &far_off), pthread_mutex_unlock(&plain[i])) \
	P(timedlock-late, 1, , pthread_mutex_timedlock(&taken, &long_ago), ) \
	P(outer-lock, 1, , pthread_mutex_lock(&outer[i]), pthread_mutex_unlock(&outer[i])) \
	P(outer-unlock, 1, pthread_mutex_lock(&outer[i]), pthread_mutex_unlock(&outer[i]), ) \
	P(checked-lock, 1, , pthread_mutex_lock(&checks[i]), pthread_mutex_unlock(&checks[i])) \
	P(checked-unlock, 1, pthread_mutex_lock(&checks[i]), pthread_mutex_unlock(&checks[i]), ) \
	P(spin-lock, 1, , pthread_spin_lock(&spin_free[i]), pthread_spin_unlock(&spin_free[i])) \
	P(spin-trylock, 1, , pthread_spin_trylock(&spin_free[i]), pthread_spin_unlock(&spin_free[i])) \
	P(spin-trylock-fails, 1, , pthread_spin_trylock(&spin_taken), ) \
	P(sem-post, 1, , sem_post(&empty), sem_trywait(&empty)) \
	P(sem-trywait, 1, , sem_trywait(&full), sem_post(&full)) \
	P(sem-wait, 1, , sem_wait(&full), sem_post(&full)) \
	P(rdlock, 1, , pthread_rwlock_rdlock(&unlocked), pthread_rwlock_unlock(&unlocked)) \
	P(tryrdlock, 1, , pthread_rwlock_tryrdlock(&unlocked), pthread_rwlock_unlock(&unlocked)) \
	P(rwlock-unlock, 1, pthread_rwlock_rdlock(&unlocked), pthread_rwlock_unlock(&unlocked), ) \
	P(wrlock, 1, , pthread_rwlock_wrlock(&own_free[i]), pthread_rwlock_unlock(&own_free[i])) \
	P(trywrlock, 1, , pthread_rwlock_trywrlock(&own_free[i]), pthread_rwlock_unlock(&own_free[i])) \
	P(rwlock-write-unlock, 1, pthread_rwlock_wrlock(&own_free[i]), pthread_rwlock_unlock(&own_free[i]), ) \
	P(barrier-wait, 1, , pthread_barrier_wait(&alone[i]), )

/* The same, with which check says incomplete: where they are wanted. */
#ifdef MORE_PATHS_TOO
static pthread_t of_main;
static pthread_key_t key;
static struct timespec read_off[2];
static pthread_cond_t cond_made[2];
static pthread_mutex_t mutex_made[2];
static pthread_spinlock_t spin_made[2];
static pthread_rwlock_t rwlock_made[2];
static pthread_barrier_t barrier_made[2];
static sem_t most, sem_made[2];

static void more_paths_init(void)
{
	of_main = pthread_self();
	pthread_key_create(&key, NULL);
	sem_init(&most, 0, SEM_VALUE_MAX);
}

#define MORE_PATHS(P) \
	P(sem-timedwait-einval, 0, , sem_timedwait(&empty, &no_time), ) \
	P(sem-post-eoverflow, 0, , sem_post(&most), ) \
	P(mutex-init-destroy, 0, , pthread_mutex_init(&mutex_made[i], NULL); pthread_mutex_destroy(&mutex_made[i]), ) \
	P(spin-init-destroy, 0, , pthread_spin_init(&spin_made[i], 0); pthread_spin_destroy(&spin_made[i]), ) \
	P(rwlock-init-destroy, 0, , pthread_rwlock_init(&rwlock_made[i], NULL); pthread_rwlock_destroy(&rwlock_made[i]), ) \
	P(sem-init-destroy, 0, , sem_init(&sem_made[i], 0, 1); sem_destroy(&sem_made[i]), ) \
	P(cond-init, 0, , pthread_cond_init(&cond_made[i], NULL), pthread_cond_destroy(&cond_made[i])) \
	P(barrier-init, 0, , pthread_barrier_init(&barrier_made[i], NULL, 1), pthread_barrier_destroy(&barrier_made[i])) \
	P(tryjoin-ebusy, 0, , pthread_tryjoin_np(of_main, NULL), ) \
	P(key, 0, , pthread_setspecific(key, &key); pthread_getspecific(key), ) \
	P(malloc-free, 0, , void *block = malloc(40); __asm__("" :: "r"(block)); free(block), ) \
	P(cond-destroy, 1, pthread_cond_init(&cond_made[i], NULL), pthread_cond_destroy(&cond_made[i]), ) \
	P(barrier-destroy, 1, pthread_barrier_init(&barrier_made[i], NULL, 1), pthread_barrier_destroy(&barrier_made[i]), ) \
	P(clock, 0, , clock_gettime(CLOCK_MONOTONIC, &read_off[i]), )
#else
#define MORE_PATHS(P)
#endif

static const struct path { const char *name; int drains, explored; } paths[] = {
#define P(name, drains, before, call, after) { #name, drains, 1 },
	PATHS(P)
#undef P
#define P(name, drains, before, call, after) { #name, drains, 0 },
	MORE_PATHS(P)
#undef P
};
#define PATH_COUNT (sizeof paths / sizeof *paths)

static int path_called(const char *name)
{
	for (unsigned k = 0; k < PATH_COUNT; k++)
		if (!strcmp(paths[k].name, name))
			return (int)k;
	return -1;
}

/* What thread i does at this moment of all the paths in `which`, a bit each. */
static inline void paths_before(uint64_t which, int i)
{
	int k = 0;
	(void)i;
#define P(name, drains, before, call, after) if (which >> k++ & 1) { before; }
	PATHS(P)
	MORE_PATHS(P)
#undef P
}

static inline void paths_call(uint64_t which, int i)
{
	int k = 0;
	(void)i;
#define P(name, drains, before, call, after) if (which >> k++ & 1) { call; }
	PATHS(P)
	MORE_PATHS(P)
#undef P
}

static inline void paths_after(uint64_t which, int i)
{
	int k = 0;
	(void)i;
#define P(name, drains, before, call, after) if (which >> k++ & 1) { after; }
	PATHS(P)
	MORE_PATHS(P)
#undef P
}

#endif
