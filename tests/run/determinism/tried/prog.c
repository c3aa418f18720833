/* What is tried for and had might have been refused: a lock of each kind, a semaphore, a thread's end.  The argument says which. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static sem_t sem;
static int got[2];
static const char *how;

static int (*volatile try_lock)(pthread_mutex_t *) = pthread_mutex_trylock;

static int is(const char *name) { return !strcmp(how, name); }

static void *work(void *number)
{
	long n = (long)number;
	if ((is("mutex") || is("one-after-the-other")) && pthread_mutex_trylock(&lock) == 0) {
		got[n] = 1;
		pthread_mutex_unlock(&lock);
	}
	if (is("waits") && pthread_mutex_lock(&lock) == 0) {            /* not tried for, in a program that knows how to try */
		got[n] = 1;
		pthread_mutex_unlock(&lock);
	}
	if (is("past") && pthread_mutex_timedlock(&lock, &(struct timespec){ 1, 0 }) == 0) {    /* a deadline that was over long ago: a try */
		got[n] = 1;
		pthread_mutex_unlock(&lock);
	}
	if (is("sem-past"))
		got[n] = n ? sem_timedwait(&sem, &(struct timespec){ 1, 0 }) == 0 : sem_post(&sem) == 0;
	if (is("pointer") && try_lock(&lock) == 0) {
		got[n] = 1;
		pthread_mutex_unlock(&lock);
	}
	if (is("each-its-own") && pthread_mutex_trylock(n ? &lock : &other) == 0) {
		got[n] = 1;
		pthread_mutex_unlock(n ? &lock : &other);
	}
	if (is("readers") && pthread_rwlock_tryrdlock(&shared) == 0) {
		got[n] = 1;
		pthread_rwlock_unlock(&shared);
	}
	if (is("writer") && (n ? pthread_rwlock_trywrlock(&shared) : pthread_rwlock_rdlock(&shared)) == 0) {
		got[n] = 1;
		pthread_rwlock_unlock(&shared);
	}
	if (is("semaphore"))
		got[n] = n ? sem_trywait(&sem) == 0 : sem_post(&sem) == 0;
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t id[2];
	how = argc > 1 ? argv[1] : "mutex";
	sem_init(&sem, 0, 0);
	for (long i = 0; i < 2; i++) {
		pthread_create(&id[i], NULL, work, (void *)i);
		if (is("one-after-the-other"))
			pthread_join(id[i], NULL);
	}
	for (int i = 0; i < 2 && !is("one-after-the-other"); i++)
		pthread_join(id[i], NULL);
	printf("%d%d\n", got[0], got[1]);
	return 0;
}
