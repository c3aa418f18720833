/* A program in C that loads a plugin in C++: nothing it was linked with has operator new. */
#include <dlfcn.h>
#include <stdio.h>

int main(void)
{
	int sum = 0;
	for (int i = 0; i < 3; i++) {
		void *plugin = dlopen("./plugin.so", RTLD_NOW);
		int (*count)(void) = plugin ? (int (*)(void))dlsym(plugin, "count") : NULL;
		if (!count)
			return puts(dlerror()), 1;
		sum += count();
		dlclose(plugin);
	}
	printf("%d\n", sum);
	return 0;
}
