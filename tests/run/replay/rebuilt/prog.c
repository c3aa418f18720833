/* Two locks taken in both orders; how it was built says what has become of it. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
#ifdef MOVED
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static int lines;

static void note(void)
{
	pthread_mutex_lock(&log_lock);
	lines++;
	pthread_mutex_unlock(&log_lock);
}
#else
#define note() ((void)0)
#endif

static void *one(void *x)
{
	note();
	pthread_mutex_lock(&a);
	note();
	pthread_mutex_lock(&b);
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return x;
}

static void *two(void *x)
{
#ifdef FIXED
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
#else
	pthread_mutex_lock(&b);
	note();
	pthread_mutex_lock(&a);
#endif
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return x;
}

int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], NULL, one, NULL);
#ifndef OTHER
	pthread_create(&t[1], NULL, two, NULL);
	pthread_join(t[1], NULL);
#endif
	pthread_join(t[0], NULL);
	puts("done");
	return 0;
}
