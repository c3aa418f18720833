/* A library loaded by either thread, or both: its function is found and does its work under the program's lock. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *load(void *unused)
{
	void *library = dlopen("libm.so.6", RTLD_NOW);
	double (*root)(double) = library ? (double (*)(double))dlsym(library, "sqrt") : NULL;
	pthread_mutex_lock(&m);
	sum += root ? (int)root(1.0) : 100;
	pthread_mutex_unlock(&m);
	if (library)
		dlclose(library);
	return unused;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, load, NULL);
	load(NULL);
	pthread_join(t, NULL);
	printf("%d\n", sum);
}
