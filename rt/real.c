/* rt/real.c -- the functions behind the interposed ones. */
#include <dlfcn.h>

#include "rt/rt.h"

#ifndef RADDLE_STATIC
void *rt_real_or_null(const char *name)
{
	raddle_tls.inside++;
	void *real = dlsym(RTLD_NEXT, name);
	raddle_tls.inside--;
	return real;
}

void *rt_real(const char *name, const char *version)
{
	raddle_tls.inside++;
	void *real = version ? dlvsym(RTLD_NEXT, name, version) : NULL;
	if (!real)
		real = dlsym(RTLD_NEXT, name);
	raddle_tls.inside--;
	if (!real) {
		rt_say(name);
		rt_fatal("this C library has no such function, which raddle stands in front of");
	}
	return real;
}
#endif
