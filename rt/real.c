/* rt/real.c -- the functions behind the interposed ones, in a dynamic program; a static one has them as __real_NAME.
 * A program linked with -static-libstdc++ gets operators and guards from the runtime alone, which links before the archive: stand-ins.
 * Looking one up may allocate: what it calls meanwhile is the runtime's own business (rt_enter). */
#include <dlfcn.h>
#include <link.h>

#include "rt/rt.h"
#include "rt/words.h"
#include "wire/interposed.h"

#ifndef RADDLE_STATIC
extern char __ehdr_start[] __attribute__((visibility("hidden"))), _end[] __attribute__((visibility("hidden")));

bool rt_is_ours(const void *function)
{
	return (const char *)function >= __ehdr_start && (const char *)function < _end;
}

/* An object's own function of that name; the object stays loaded if it has one. */
static void *own_function(const struct link_map *object, const char *name)
{
	void *handle = object->l_name[0] ? REAL(dlopen)(object->l_name, RTLD_LAZY | RTLD_NOLOAD) : NULL;
	void *found = handle ? dlsym(handle, name) : NULL;
	struct link_map *owner = NULL;
	Dl_info info;
	if (found && !rt_is_ours(found) && dladdr1(found, &info, (void **)&owner, RTLD_DL_LINKMAP) && owner == object)
		return found;
	if (handle)
		REAL(dlclose)(handle);
	return NULL;
}

/* A C program that loads a plugin in C++: the library of C++ is behind nobody, only the plugin can see it. */
static void *elsewhere(const char *name)
{
	struct link_map *us = NULL;
	Dl_info info;
	if (!dladdr1(__ehdr_start, &info, (void **)&us, RTLD_DL_LINKMAP) || !us)
		return NULL;
	while (us->l_prev)
		us = us->l_prev;
	for (; us; us = us->l_next) {
		void *found = own_function(us, name);
		if (found)
			return found;
	}
	return NULL;
}

/* In a plain program that uses an instrumented library, libc stands before the runtime and nothing behind it. */
static void *behind_us(const char *name)
{
	void *real = dlsym(RTLD_NEXT, name);
	if (!real)
		real = dlsym(RTLD_DEFAULT, name);
	return real && rt_is_ours(real) ? elsewhere(name) : real;
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
	{ "pthread_create", "GLIBC_2.34", NULL },               /* libc's, whoever else has one (behind.c) */
};

static bool is_version(const char *known_version, const char *version)
{
	return known_version && version ? words_same(known_version, version) : known_version == version;
}

static void *find_known(const char *name, const char *version)
{
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (known[i].real && is_version(known[i].version, version) && words_same(known[i].name, name))
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
	if (!real)
		real = new_stand_in(name);
	if (!real)
		real = guard_stand_in(name);
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
