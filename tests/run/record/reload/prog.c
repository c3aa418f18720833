/* Opens and closes plugins that would each be loaded where the one before was: argv[1] how often, argv[2..] their files. */
#include "../check.h"
#include <dlfcn.h>

static long sum;

static void *loads(void *args)
{
	char **files = args;
	int rounds = atoi(*files++), at = 0;
	for (int i = 0; i < rounds; i++) {
		void *plugin = dlopen(files[at], RTLD_NOW);
		CHECK(plugin);
		sum += ((int (*)(int))dlsym(plugin, "plugged"))(i);
		IS(dlclose(plugin), 0);
		at = files[at + 1] ? at + 1 : 0;
	}
	return NULL;
}

int main(int count, char **args)
{
	pthread_t t;
	CHECK(count > 2);
	IS(pthread_create(&t, NULL, loads, args + 1), 0);
	IS(pthread_join(t, NULL), 0);
	printf("%ld\n", sum);
	return done();
}
