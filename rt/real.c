/* rt/real.c -- the functions behind the interposed ones, in a dynamic program; a static one has them as __real_NAME.
 * Looking one up may allocate: what it calls meanwhile is the runtime's own business (rt_enter). */
#include <dlfcn.h>

#include "rt/rt.h"

#ifndef RADDLE_STATIC
/* In a plain program that uses an instrumented library, libc stands before the runtime and nothing behind it. */
static void *behind_us(const char *name)
{
	void *real = dlsym(RTLD_NEXT, name);
	return real ? real : dlsym(RTLD_DEFAULT, name);
}

void *rt_real(const char *name, const char *version)
{
	rt_enter();
	void *real = version ? dlvsym(RTLD_NEXT, name, version) : NULL;
	if (!real)
		real = behind_us(name);
	rt_leave();
	if (!real) {
		rt_say(name);
		rt_fatal("the C library of this program lacks the function above, which raddle stands in front of; "
			"run it where glibc is 2.36 or newer");
	}
	return real;
}
#endif
