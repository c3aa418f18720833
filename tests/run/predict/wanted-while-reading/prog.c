/* Looks under the read lock, then wants to write. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t stats = PTHREAD_MUTEX_INITIALIZER;
static int value, looked;
static void *reader(void *unused)
{
	usleep(3000);
	pthread_rwlock_rdlock(&rw);
	int v = value;
#ifdef OK
	pthread_rwlock_unlock(&rw);
#endif
	pthread_mutex_lock(&stats);     /*@X*/
	looked += v;
	pthread_mutex_unlock(&stats);
#ifndef OK
	pthread_rwlock_unlock(&rw);
#endif
	return unused;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, reader, NULL);
	pthread_mutex_lock(&stats);
	pthread_rwlock_wrlock(&rw);     /*@W*/
	value++;
	pthread_rwlock_unlock(&rw);
	pthread_mutex_unlock(&stats);
	pthread_join(t, NULL);
	return 0;
}
