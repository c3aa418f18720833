/* rt/strings.c -- memory and string functions of libc that only read, with exactly the bytes they read.
 * A comparison reads up to and including the first difference; a search up to and including what it found; a string's
 * terminator is read with it.  Those that write: copies.c. */
#include <string.h>
#include <strings.h>

#include "rt/lib.h"

#define PC RT_PC

/* ---- blocks ---- */

/* Bytes a comparison of two blocks looks at. */
static size_t until_different(const char *a, const char *b, size_t bytes)
{
	size_t i = 0;
	while (i < bytes && a[i] == b[i])
		i++;
	return i < bytes ? i + 1 : bytes;
}

static int compared(int result, const void *a, const void *b, size_t bytes, uint64_t pc)
{
	effect_read(a, bytes, pc);
	effect_read(b, bytes, pc);
	return result;
}

LIB(int, memcmp, (const void *a, const void *b, size_t bytes))
{
	lib_event(EV_LIBREAD, a, RT_PC);
	int result = memcmp(a, b, bytes);
	return effects_on() ? compared(result, a, b, until_different(a, b, bytes), PC) : result;
}

LIB(int, bcmp, (const void *a, const void *b, size_t bytes))
{
	lib_event(EV_LIBREAD, a, RT_PC);
	int result = bcmp(a, b, bytes);
	return effects_on() ? compared(result, a, b, until_different(a, b, bytes), PC) : result;
}

/* A search from `start` that found `at`, or NULL after `all` bytes. */
static void *found(const void *at, const void *start, size_t all, uint64_t pc)
{
	effect_read(start, at ? (size_t)((const char *)at - (const char *)start) + 1 : all, pc);
	return (void *)at;
}

LIB(void *, memchr, (const void *in, int byte, size_t bytes))
{
	lib_event(EV_LIBREAD, in, RT_PC);
	void *at = memchr(in, byte, bytes);
	return effects_on() ? found(at, in, bytes, PC) : at;
}

LIB(void *, rawmemchr, (const void *in, int byte))
{
	lib_event(EV_LIBREAD, in, RT_PC);
	void *at = rawmemchr(in, byte);
	return effects_on() ? found(at, in, 0, PC) : at;
}

LIB(void *, memrchr, (const void *in, int byte, size_t bytes))
{
	lib_event(EV_LIBREAD, in, RT_PC);
	char *at = memrchr(in, byte, bytes);
	if (effects_on())
		effect_read(at ? at : in, at ? bytes - (size_t)(at - (const char *)in) : bytes, PC);
	return at;
}

LIB(void *, memmem, (const void *in, size_t bytes, const void *what, size_t length))
{
	lib_event(EV_LIBREAD, in, RT_PC);
	char *at = memmem(in, bytes, what, length);
	if (effects_on()) {
		effect_read(what, length, PC);
		effect_read(in, at ? (size_t)(at - (const char *)in) + length : bytes, PC);
	}
	return at;
}

/* ---- one string ---- */

LIB(size_t, strlen, (const char *text))
{
	lib_event(EV_LIBREAD, text, RT_PC);
	size_t length = strlen(text);
	if (effects_on())
		effect_read(text, length + 1, PC);
	return length;
}

LIB(size_t, strnlen, (const char *text, size_t limit))
{
	lib_event(EV_LIBREAD, text, RT_PC);
	size_t length = strnlen(text, limit);
	if (effects_on())
		effect_read(text, length < limit ? length + 1 : limit, PC);
	return length;
}

#define SEARCH_LIKE(name) \
	LIB(char *, name, (const char *in, int byte)) \
	{ \
		lib_event(EV_LIBREAD, in, RT_PC); \
		char *at = name(in, byte); \
		return effects_on() ? found(at, in, at ? 0 : strlen(in) + 1, PC) : at; \
	}
SEARCH_LIKE(strchr)
SEARCH_LIKE(strchrnul)
SEARCH_LIKE(index)

#define SEARCH_BACK_LIKE(name) \
	LIB(char *, name, (const char *in, int byte)) \
	{ \
		lib_event(EV_LIBREAD, in, RT_PC); \
		if (effects_on()) \
			effect_read(in, strlen(in) + 1, PC); \
		return name(in, byte); \
	}
SEARCH_BACK_LIKE(strrchr)
SEARCH_BACK_LIKE(rindex)

#define FIND_LIKE(name) \
	LIB(char *, name, (const char *in, const char *what)) \
	{ \
		lib_event(EV_LIBREAD, in, RT_PC); \
		char *at = name(in, what); \
		if (effects_on()) { \
			size_t length = strlen(what); \
			effect_read(what, length + 1, PC); \
			effect_read(in, at ? (size_t)(at - in) + length : strlen(in) + 1, PC); \
		} \
		return at; \
	}
FIND_LIKE(strstr)
FIND_LIKE(strcasestr)

LIB(char *, strpbrk, (const char *in, const char *set))
{
	lib_event(EV_LIBREAD, in, RT_PC);
	char *at = strpbrk(in, set);
	if (!effects_on())
		return at;
	effect_read(set, strlen(set) + 1, PC);
	return found(at, in, at ? 0 : strlen(in) + 1, PC);
}

#define SPAN_LIKE(name) \
	LIB(size_t, name, (const char *in, const char *set)) \
	{ \
		lib_event(EV_LIBREAD, in, RT_PC); \
		size_t length = name(in, set); \
		if (effects_on()) { \
			effect_read(set, strlen(set) + 1, PC); \
			effect_read(in, length + 1, PC); \
		} \
		return length; \
	}
SPAN_LIKE(strspn)
SPAN_LIKE(strcspn)

/* ---- two strings ---- */

static unsigned char folded(char c, bool fold)
{
	return (unsigned char)(fold && c >= 'A' && c <= 'Z' ? c + 32 : c);
}

/* Bytes of each that a comparison of at most `limit` characters looks at. */
static size_t until_decided(const char *a, const char *b, size_t limit, bool fold)
{
	size_t i = 0;
	while (i < limit && a[i] && folded(a[i], fold) == folded(b[i], fold))
		i++;
	return i < limit ? i + 1 : limit;
}

#define COMPARE_LIKE(name, fold) \
	LIB(int, name, (const char *a, const char *b)) \
	{ \
		lib_event(EV_LIBREAD, a, RT_PC); \
		int result = name(a, b); \
		return effects_on() ? compared(result, a, b, until_decided(a, b, SIZE_MAX, fold), PC) : result; \
	}
COMPARE_LIKE(strcmp, false)
COMPARE_LIKE(strcasecmp, true)

#define COMPARE_N_LIKE(name, fold) \
	LIB(int, name, (const char *a, const char *b, size_t limit)) \
	{ \
		lib_event(EV_LIBREAD, a, RT_PC); \
		int result = name(a, b, limit); \
		return effects_on() ? compared(result, a, b, until_decided(a, b, limit, fold), PC) : result; \
	}
COMPARE_N_LIKE(strncmp, false)
COMPARE_N_LIKE(strncasecmp, true)

/* These may look at all of both. */
#define COLLATE_LIKE(name) \
	LIB(int, name, (const char *a, const char *b)) \
	{ \
		lib_event(EV_LIBREAD, a, RT_PC); \
		int result = name(a, b); \
		if (effects_on()) { \
			effect_read(a, strlen(a) + 1, PC); \
			effect_read(b, strlen(b) + 1, PC); \
		} \
		return result; \
	}
COLLATE_LIKE(strcoll)
COLLATE_LIKE(strverscmp)
