/* rt/real.c -- the functions behind the interposed ones. */
#include <dlfcn.h>

#include "rt/rt.h"

#ifndef RADDLE_STATIC
/* In a plain program that uses an instrumented library, libc stands before the runtime and nothing behind it. */
static void *behind_us(const char *name)
{
	void *real = dlsym(RTLD_NEXT, name);
	return real ? real : dlsym(RTLD_DEFAULT, name);
}

void *rt_real_or_null(const char *name)
{
	raddle_tls.inside++;
	void *real = behind_us(name);
	raddle_tls.inside--;
	return real;
}

void *rt_real(const char *name, const char *version)
{
	raddle_tls.inside++;
	void *real = version ? dlvsym(RTLD_NEXT, name, version) : NULL;
	if (!real)
		real = behind_us(name);
	raddle_tls.inside--;
	if (!real) {
		rt_say(name);
		rt_fatal("this C library has no such function, which raddle stands in front of");
	}
	return real;
}
#endif
