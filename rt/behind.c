/* rt/behind.c -- threads that libraries make behind the runtime.
 *
 * A library that stands in front of pthread_create itself (an allocator with threads of its own) asks dlsym for the next one, and would be
 * told libc's: a thread nobody knows of.  It is told the runtime's.  Then what the runtime calls may be that library, which calls the
 * runtime again: asked again while it makes a thread, the runtime hands the call to libc. */
#include "rt/behind.h"

#include "rt/rt.h"

#ifndef RADDLE_STATIC
#include <dlfcn.h>

#include "rt/words.h"

static __thread bool makes;

int behind_make_thread(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *arg)
{
	makes = true;
	int result = REAL(pthread_create)(thread, attr, start, arg);
	makes = false;
	return result;
}

bool behind_is_asked_again(void)
{
	return makes;
}

int behind_libc_thread(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *arg)
{
	return ((make_thread *)rt_real("pthread_create", "GLIBC_2.34"))(thread, attr, start, arg);
}

struct found { void *(*ask)(void *, const char *); void *found; };      /* one of them: whom to ask, or what it is */

/* Called by loader.S. */
struct found rt_before_dlsym(void *handle, const char *name, const void *caller);
struct found rt_before_dlsym(void *handle, const char *name, const void *caller)
{
	static void *(*real)(void *, const char *);
	if (!real)
		real = (void *(*)(void *, const char *))dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
	if (handle == RTLD_NEXT && name && !rt_is_ours(caller) && words_same(name, "pthread_create"))
		return (struct found){ real, (void *)pthread_create };
	return (struct found){ real, NULL };
}
#else
int behind_make_thread(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *arg)
{
	return REAL(pthread_create)(thread, attr, start, arg);
}

bool behind_is_asked_again(void)
{
	return false;
}

int behind_libc_thread(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *arg)
{
	return REAL(pthread_create)(thread, attr, start, arg);
}
#endif
