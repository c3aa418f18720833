/* Not built with raddle. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>

typedef int create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int asked, served, made;

static create *next(void)
{
	return (create *)dlsym(RTLD_NEXT, "pthread_create");
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *arg)
{
	made++;
	return next()(thread, attr, start, arg);
}

int library_made(void)
{
	return made;
}

static void *serve(void *arg)
{
	pthread_mutex_lock(&lock);
	for (; served < 3; served++) {
		while (served == asked)
			pthread_cond_wait(&changed, &lock);
		pthread_cond_broadcast(&changed);
	}
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	return arg;
}

int library_wakes(void)
{
	pthread_t thread;
	if (next()(&thread, NULL, serve, NULL))
		return -1;
	pthread_mutex_lock(&lock);
	for (int i = 0; i < 3; i++) {
		asked++;
		pthread_cond_broadcast(&changed);
		while (served < asked)
			pthread_cond_wait(&changed, &lock);
	}
	pthread_mutex_unlock(&lock);
	pthread_join(thread, NULL);
	return served;
}
