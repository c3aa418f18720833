/* libc gives back thread-local memory of threads that have ended when they are joined, as they end, or when the next thread is made on
 * their stack, which another thread may do: locks of libc's own order that. */
#include "../two.h"
#include <dlfcn.h>

static int *(*far)(void);
static __thread int near;

static void *leaf(void *x)
{
	near++;
	++*far();
	return x;
}

static void *middle(void *x)
{
	pthread_t t[6];
	for (int i = 0; i < 6; i++)
		pthread_create(&t[i], NULL, leaf, NULL);
	for (int i = 0; i < 6; i++)
		if (i % 3)
			pthread_join(t[i], NULL);
		else
			pthread_detach(t[i]);
	return x;
}

int main(void)
{
	void *library = dlopen("./far.so", RTLD_NOW);
	far = (int *(*)(void))dlsym(library, "far");
	two(middle, middle);
	two(middle, middle);
	return 0;
}
