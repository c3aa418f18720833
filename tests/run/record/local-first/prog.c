/* Each thread uses a thread-local variable of a plugin for the first time in the middle of a group of accesses: the loader asks for its
 * memory there.  argv[1] is the plugin; blocks of that memory's size were written and given back before. */
#include "../check.h"
#include <dlfcn.h>
#include <string.h>

static void (*use)(long *);
static long seen[6][4];

static void *uses(void *at)
{
	use(at);
	return NULL;
}

int main(int count, char **args)
{
	pthread_t threads[6];
	CHECK(count == 2);
	for (size_t bytes = 16; bytes < 512; bytes += 16) {
		char *block = malloc(bytes);
		memset(block, 0x55, bytes);
		free(block);
	}
	void *plugin = dlopen(args[1], RTLD_NOW);
	CHECK(plugin);
	use = (void (*)(long *))dlsym(plugin, "use");
	for (int i = 0; i < 6; i++)
		IS(pthread_create(&threads[i], NULL, uses, seen[i]), 0);
	for (int i = 0; i < 6; i++)
		IS(pthread_join(threads[i], NULL), 0);
	for (int i = 0; i < 6; i++) {
		IS(seen[i][0], 2);
		IS(seen[i][1], 42);
		IS(seen[i][2], 2);
		IS(seen[i][3], 43);
	}
	return done();
}
