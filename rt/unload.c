/* rt/unload.c -- dlopen and dlclose, as far as objects.c must know of them; not in a static program, where neither is supported. */
#ifndef RADDLE_STATIC
#include <dlfcn.h>

#include "rt/objects.h"
#include "rt/rt.h"

/* Called by loader.S; the real dlopen, which looks at its return address to find whose search path counts. */
void *rt_before_dlopen(const char *name);
void *rt_before_dlopen(const char *name)
{
	objects_opening(name);
	return (void *)REAL(dlopen);
}

INTERPOSE(int, dlclose, (void *handle))
{
	int failed = REAL(dlclose)(handle);
	if (!failed)
		objects_closed(RT_PC);
	return failed;
}
#endif
