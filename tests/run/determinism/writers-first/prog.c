/* A read-write lock on which a writer that waits holds new readers back: a reader waits for readers then, and nothing that was recorded shows it.
 * The argument says which way: with another lock, twice by one thread, without a writer, or with writers only. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_rwlock_t shared = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP, plain = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t *which = &shared;
static const char *how;

static int is(const char *name) { return !strcmp(how, name); }

static void *reader(void *unused)
{
	if (is("writers"))
		pthread_rwlock_wrlock(which);
	else
		pthread_rwlock_rdlock(which);
	if (is("twice"))
		pthread_rwlock_rdlock(which);
	else
		pthread_mutex_lock(&lock);
	if (is("twice"))
		pthread_rwlock_unlock(which);
	else
		pthread_mutex_unlock(&lock);
	pthread_rwlock_unlock(which);
	return unused;
}

static void *inside(void *unused)
{
	if (is("cycle") || is("plain") || is("readers")) {
		pthread_mutex_lock(&lock);
		pthread_rwlock_rdlock(which);
		pthread_rwlock_unlock(which);
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

static void *writer(void *unused)
{
	if (!is("readers")) {
		pthread_rwlock_wrlock(which);
		pthread_rwlock_unlock(which);
	}
	return unused;
}

int main(int argc, char **argv)
{
	static void *(*const work[])(void *) = { reader, inside, writer };
	pthread_t id[3];
	how = argc > 1 ? argv[1] : "cycle";
	if (is("plain"))
		which = &plain;
	for (int i = 0; i < 3; i++)
		pthread_create(&id[i], NULL, work[i], NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(id[i], NULL);
	puts("end");
	return 0;
}
