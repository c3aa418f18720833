/* rt/real.c -- the functions behind the interposed ones, in a dynamic program; a static one has them as __real_NAME.
 * Looking one up may allocate: what it calls meanwhile is the runtime's own business (rt_enter). */
#include <dlfcn.h>

#include "rt/rt.h"
#include "wire/interposed.h"

#ifndef RADDLE_STATIC
/* In a plain program that uses an instrumented library, libc stands before the runtime and nothing behind it. */
static void *behind_us(const char *name)
{
	void *real = dlsym(RTLD_NEXT, name);
	return real ? real : dlsym(RTLD_DEFAULT, name);
}

/* ---- all of them at once ----  Looking a name up takes the loader's lock, which another strand of a steered run may hold: its
 * names are known before there is a second one. */
static struct { const char *name, *version; void *real; } known[] = {
#define X(name) { #name, NULL, NULL },
	INTERPOSED(X)
#undef X
#define X(name) { #name, "GLIBC_2.3.2", NULL },
	X(pthread_cond_wait) X(pthread_cond_timedwait) X(pthread_cond_signal) X(pthread_cond_broadcast) X(pthread_cond_init)
	X(pthread_cond_destroy)
#undef X
};

static bool same_text(const char *a, const char *b)
{
	if (!a || !b)
		return a == b;
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

static void *find_known(const char *name, const char *version)
{
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (known[i].real && same_text(known[i].version, version) && same_text(known[i].name, name))
			return known[i].real;
	return NULL;
}

extern struct real_site __start_raddle_reals[], __stop_raddle_reals[];

void rt_real_all(void)
{
	rt_enter();
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		known[i].real = known[i].version ? dlvsym(RTLD_NEXT, known[i].name, known[i].version) : behind_us(known[i].name);
	rt_leave();
	for (struct real_site *site = __start_raddle_reals; site < __stop_raddle_reals; site++)
		site->real = find_known(site->name, NULL);
}

void *rt_real(const char *name, const char *version)
{
	void *found = find_known(name, version);
	if (found)
		return found;
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
#else
void rt_real_all(void)
{
}
#endif
