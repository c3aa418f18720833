/* A thread is created while another one is inside the loader: libc waits for the loader's lock with the new thread half made. */
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t left;

static void *load(void *unused)
{
	void *library = dlopen("libm.so.6", RTLD_NOW);
	if (library)
		dlclose(library);
	sem_post(&left);
	return unused;
}

int main(void)
{
	pthread_t t, u;
	pthread_create(&t, NULL, load, NULL);
	pthread_create(&u, NULL, load, NULL);
	sem_wait(&left);
	sem_wait(&left);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	puts("done");
}
