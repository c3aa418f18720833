/* tests/models/libc_paths.h -- store, a call of libc, load: every path of docs/memory-models.md, "Calls of libc", by name.
 * before() is done by the thread ahead of its store, call() between store and load, after() when the round is over. */
#ifndef RADDLE_TESTS_MODELS_LIBC_PATHS_H
#define RADDLE_TESTS_MODELS_LIBC_PATHS_H

#include <pthread.h>
#include <semaphore.h>
#include <string.h>

static pthread_spinlock_t spin[2];
static pthread_mutex_t plain[2], recursive[2], checks[2], taken;
static pthread_cond_t nobody_waits = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t written, read_locked, unlocked = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t passed = PTHREAD_ONCE_INIT;
static sem_t empty, full;

static void nothing(void) { }

static void paths_init(void)
{
	static pthread_mutexattr_t again, check;
	pthread_mutexattr_init(&again);
	pthread_mutexattr_init(&check);
	pthread_mutexattr_settype(&again, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutexattr_settype(&check, PTHREAD_MUTEX_ERRORCHECK);
	for (int i = 0; i < 2; i++) {
		pthread_spin_init(&spin[i], 0);
		pthread_mutex_init(&plain[i], NULL);
		pthread_mutex_init(&recursive[i], &again);
		pthread_mutex_init(&checks[i], &check);
	}
	pthread_mutex_init(&taken, NULL);
	pthread_rwlock_init(&written, NULL);
	pthread_rwlock_init(&read_locked, NULL);
	sem_init(&empty, 0, 0);
	sem_init(&full, 0, 2);
	pthread_mutex_lock(&taken);
	pthread_rwlock_wrlock(&written);
	pthread_rwlock_rdlock(&read_locked);
	pthread_once(&passed, nothing);
}

/* P(name, does it drain, before, call, after); i is the thread's number. */
#define PATHS(P) \
	P(nothing, 0, , , ) \
	P(spin-unlock, 0, pthread_spin_lock(&spin[i]), pthread_spin_unlock(&spin[i]), ) \
	P(once-done, 0, , pthread_once(&passed, nothing), ) \
	P(signal-nobody, 0, , pthread_cond_signal(&nobody_waits), ) \
	P(broadcast-nobody, 0, , pthread_cond_broadcast(&nobody_waits), ) \
	P(relock, 0, pthread_mutex_lock(&recursive[i]), pthread_mutex_lock(&recursive[i]), \
		pthread_mutex_unlock(&recursive[i]); pthread_mutex_unlock(&recursive[i])) \
	P(inner-trylock, 0, pthread_mutex_lock(&recursive[i]), pthread_mutex_trylock(&recursive[i]), \
		pthread_mutex_unlock(&recursive[i]); pthread_mutex_unlock(&recursive[i])) \
	P(inner-unlock, 0, pthread_mutex_lock(&recursive[i]); pthread_mutex_lock(&recursive[i]), pthread_mutex_unlock(&recursive[i]), \
		pthread_mutex_unlock(&recursive[i])) \
	P(lock-edeadlk, 0, pthread_mutex_lock(&checks[i]), pthread_mutex_lock(&checks[i]), pthread_mutex_unlock(&checks[i])) \
	P(unlock-eperm, 0, , pthread_mutex_unlock(&checks[i]), ) \
	P(sem-trywait-fails, 0, , sem_trywait(&empty), ) \
	P(trywrlock-fails, 0, , pthread_rwlock_trywrlock(&read_locked), ) \
	P(tryrdlock-fails, 0, , pthread_rwlock_tryrdlock(&written), ) \
	P(mutex-lock, 1, , pthread_mutex_lock(&plain[i]), pthread_mutex_unlock(&plain[i])) \
	P(mutex-unlock, 1, pthread_mutex_lock(&plain[i]), pthread_mutex_unlock(&plain[i]), ) \
	P(mutex-trylock-fails, 0, , pthread_mutex_trylock(&taken), ) \
	P(outer-lock, 1, , pthread_mutex_lock(&recursive[i]), pthread_mutex_unlock(&recursive[i])) \
	P(outer-unlock, 1, pthread_mutex_lock(&recursive[i]), pthread_mutex_unlock(&recursive[i]), ) \
	P(checked-trylock, 0, pthread_mutex_lock(&checks[i]), pthread_mutex_trylock(&checks[i]), pthread_mutex_unlock(&checks[i])) \
	P(spin-lock, 1, , pthread_spin_lock(&spin[i]), pthread_spin_unlock(&spin[i])) \
	P(sem-post, 1, , sem_post(&empty), sem_trywait(&empty)) \
	P(sem-trywait, 1, , sem_trywait(&full), sem_post(&full)) \
	P(rdlock, 1, , pthread_rwlock_rdlock(&unlocked), pthread_rwlock_unlock(&unlocked)) \
	P(rwlock-unlock, 1, pthread_rwlock_rdlock(&unlocked), pthread_rwlock_unlock(&unlocked), )

static const struct path { const char *name; int drains; } paths[] = {
#define P(name, drains, before, call, after) { #name, drains },
	PATHS(P)
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

#endif
