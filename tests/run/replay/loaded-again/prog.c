/* A plugin is loaded, used by two threads and unloaded, three times over. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static void (*use)(void);

static void *uses(void *nothing)
{
	use();
	return nothing;
}

int main(void)
{
	for (int i = 0; i < 3; i++) {
		pthread_t threads[2];
		void *plugin = dlopen("./plugin.so", RTLD_NOW);
		if (!plugin)
			return 1;
		use = (void (*)(void))dlsym(plugin, "use");
		for (int t = 0; t < 2; t++)
			pthread_create(&threads[t], NULL, uses, NULL);
		for (int t = 0; t < 2; t++)
			pthread_join(threads[t], NULL);
		dlclose(plugin);
	}
	puts("done");
	return 0;
}
