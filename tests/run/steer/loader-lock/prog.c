/* Two threads load and unload an object; whoever else comes to a function for the first time must not wait for the loader. */
#include <dlfcn.h>
#include <pthread.h>

static void *load(void *unused)
{
	void *object = dlopen("libm.so.6", RTLD_NOW);
	if (object)
		dlclose(object);
	return unused;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, load, NULL);
	pthread_create(&b, NULL, load, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
