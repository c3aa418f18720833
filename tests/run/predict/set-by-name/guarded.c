/* The reader looks at 'data' only if it is 'ready', which its writer says behind the write: no race, as far as the recording shows.  But the late
 * thread does SETS if it finds things otherwise, in an order of threads that the recorded run does not have; that may make it ready before 'data' is there. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
KIND int ready;
static int gone, extra, data;
extern int *at;
void outside(void);

#ifdef ALIAS
extern int second __attribute__((alias("ready")));
#endif

#ifdef CALLED
void make_ready(void) { ready = 1; }
#endif

static void load(void)
{
	void *handle = dlopen("./liboutside.so", RTLD_NOW);
	void (*sets)(void) = handle ? (void (*)(void))dlsym(handle, "outside") : NULL;
	if (!sets)
		abort();
	sets();
}

static void find(void)
{
	int *found = dlsym(RTLD_DEFAULT, "ready");
	if (found)
		*found = 1;
}

static void *writer(void *none)
{
	data = 1;
	pthread_mutex_lock(&lock);
	ready = 1;
	gone = 1;
	pthread_mutex_unlock(&lock);
	return none;
}

static void *reader(void *none)
{
	pthread_mutex_lock(&lock);
	int there = ready;
	pthread_mutex_unlock(&lock);
	if (there && data != 1)
		puts("too early");
	return none;
}

static void *late(void *none)
{
	usleep(30000);
	pthread_mutex_lock(&lock);
	if (!gone && extra)
		SETS;
	pthread_mutex_unlock(&lock);
	return none;
}

static void *asks(void *none)
{
	usleep(60000);
	pthread_mutex_lock(&lock);
	extra = 1;
	pthread_mutex_unlock(&lock);
	return none;
}

int main(void)
{
	static void *(*const does[])(void *) = { writer, reader, late, asks };
	pthread_t threads[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, does[i], NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	printf("%d\n", data);
	return 0;
}
