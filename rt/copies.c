/* rt/copies.c -- memory and string functions of libc that write, with exactly the bytes they read and write.
 * A string's terminator is read or written with it.  strtok keeps its place inside libc, so a continued strtok reads from the
 * token on.  Those that only read: strings.c. */
#include <string.h>
#include <strings.h>

#include "rt/lib.h"

#define PC RT_PC

/* Before anything is copied: what a string out of freed memory would do depends on what lies there.  The whole of it is looked at behind the call. */
static inline void lib_from(const void *from, uint64_t bytes)
{
	if (bytes && effects_on() && heap_owns(from))
		heap_check_range(from, 1, false);
}

/* ---- blocks ---- */

LIB(void *, memcpy, (void *to, const void *from, size_t bytes))
{
	lib_event(EV_COPY, to, RT_PC);
	lib_from(from, bytes);
	lib_before(to, bytes);
	memcpy(to, from, bytes);
	if (effects_on())
		effect_copy(to, from, bytes, PC);
	return to;
}

LIB(void *, memmove, (void *to, const void *from, size_t bytes))
{
	lib_event(EV_COPY, to, RT_PC);
	lib_from(from, bytes);
	lib_before(to, bytes);
	memmove(to, from, bytes);
	if (effects_on())
		effect_copy(to, from, bytes, PC);
	return to;
}

LIB(void *, mempcpy, (void *to, const void *from, size_t bytes))
{
	lib_event(EV_COPY, to, RT_PC);
	lib_from(from, bytes);
	lib_before(to, bytes);
	void *end = mempcpy(to, from, bytes);
	if (effects_on())
		effect_copy(to, from, bytes, PC);
	return end;
}

LIB(void, bcopy, (const void *from, void *to, size_t bytes))
{
	lib_event(EV_COPY, to, RT_PC);
	lib_from(from, bytes);
	lib_before(to, bytes);
	memmove(to, from, bytes);
	if (effects_on())
		effect_copy(to, from, bytes, PC);
}

LIB(void *, memccpy, (void *to, const void *from, int stop, size_t bytes))
{
	lib_event(EV_COPY, to, RT_PC);
	lib_from(from, bytes);
	lib_before(to, bytes);
	char *end = memccpy(to, from, stop, bytes);
	if (effects_on())
		effect_copy(to, from, end ? (size_t)(end - (char *)to) : bytes, PC);
	return end;
}

LIB(void *, memset, (void *to, int byte, size_t bytes))
{
	lib_event(EV_LIBWRITE, to, RT_PC);
	lib_before(to, bytes);
	memset(to, byte, bytes);
	if (effects_on())
		effect_write(to, bytes, PC);
	return to;
}

LIB(void, bzero, (void *to, size_t bytes))
{
	lib_event(EV_LIBWRITE, to, RT_PC);
	lib_before(to, bytes);
	memset(to, 0, bytes);
	if (effects_on())
		effect_write(to, bytes, PC);
}

LIB(void, explicit_bzero, (void *to, size_t bytes))
{
	lib_event(EV_LIBWRITE, to, RT_PC);
	lib_before(to, bytes);
	explicit_bzero(to, bytes);
	if (effects_on())
		effect_write(to, bytes, PC);
}

/* ---- copies of strings ---- */

LIB(char *, strcpy, (char *to, const char *from))
{
	lib_event(EV_COPY, to, RT_PC);
	lib_from(from, 1);
	lib_before(to, strlen(from) + 1);
	strcpy(to, from);
	if (effects_on())
		effect_copy(to, from, strlen(to) + 1, PC);
	return to;
}

LIB(char *, stpcpy, (char *to, const char *from))
{
	lib_event(EV_COPY, to, RT_PC);
	lib_from(from, 1);
	lib_before(to, strlen(from) + 1);
	char *end = stpcpy(to, from);
	if (effects_on())
		effect_copy(to, from, (size_t)(end - to) + 1, PC);
	return end;
}

/* strncpy and stpncpy: what was copied, then the padding. */
static void padded_copy(char *to, const char *from, size_t bytes, uint64_t pc)
{
	size_t length = strnlen(to, bytes), copied = length < bytes ? length + 1 : bytes;
	effect_copy(to, from, copied, pc);
	effect_write(to + copied, bytes - copied, pc);
}

LIB(char *, strncpy, (char *to, const char *from, size_t bytes))
{
	lib_event(EV_COPY, to, RT_PC);
	lib_from(from, bytes);
	lib_before(to, bytes);
	strncpy(to, from, bytes);
	if (effects_on())
		padded_copy(to, from, bytes, PC);
	return to;
}

LIB(char *, stpncpy, (char *to, const char *from, size_t bytes))
{
	lib_event(EV_COPY, to, RT_PC);
	lib_from(from, bytes);
	lib_before(to, bytes);
	char *end = stpncpy(to, from, bytes);
	if (effects_on())
		padded_copy(to, from, bytes, PC);
	return end;
}

LIB(char *, strcat, (char *to, const char *from))
{
	lib_event(EV_LIBWRITE, to, RT_PC);
	lib_from(from, 1);
	if (!effects_on())
		return strcat(to, from);
	size_t had = strlen(to);
	effect_read(to, had + 1, PC);
	lib_before(to + had, strlen(from) + 1);
	strcpy(to + had, from);
	effect_copy(to + had, from, strlen(to + had) + 1, PC);
	return to;
}

LIB(char *, strncat, (char *to, const char *from, size_t limit))
{
	lib_event(EV_LIBWRITE, to, RT_PC);
	lib_from(from, limit);
	if (!effects_on())
		return strncat(to, from, limit);
	size_t had = strlen(to), more = strnlen(from, limit);
	effect_read(to, had + 1, PC);
	lib_before(to + had, more + 1);
	strncat(to + had, from, limit);
	effect_copy(to + had, from, more < limit ? more + 1 : more, PC);
	if (more == limit)
		effect_write(to + had + more, 1, PC);
	return to;
}

/* The new block, as if this call had asked malloc for it. */
static char *duplicated(char *to, const char *from, size_t length, bool whole, uint64_t pc)
{
	if (!to)
		return NULL;
	rt_event(EV_ALLOC, (uint64_t)to, length + 1, rt_alloc_version(), 0, pc);
	buffer_filled(to, length + whole);
	effect_copy(to, from, length + whole, pc);
	if (whole)
		return to;
	buffer_filled(to + length, 1);
	effect_write(to + length, 1, pc);
	return to;
}

LIB(char *, strdup, (const char *text))
{
	lib_event(EV_LIBREAD, text, RT_PC);
	lib_from(text, 1);
	if (!effects_on())
		return strdup(text);
	rt_enter();
	char *to = strdup(text);
	rt_leave();
	return duplicated(to, text, to ? strlen(to) : 0, true, PC);
}

LIB(char *, strndup, (const char *text, size_t limit))
{
	lib_event(EV_LIBREAD, text, RT_PC);
	lib_from(text, limit);
	if (!effects_on())
		return strndup(text, limit);
	rt_enter();
	char *to = strndup(text, limit);
	rt_leave();
	size_t length = to ? strlen(to) : 0;
	return duplicated(to, text, length, length < limit, PC);
}

LIB(size_t, strxfrm, (char *to, const char *from, size_t bytes))
{
	lib_event(EV_LIBWRITE, to, RT_PC);
	lib_from(from, 1);
	lib_before(to, bytes);
	size_t length = strxfrm(to, from, bytes);
	if (effects_on()) {
		effect_read(from, strlen(from) + 1, PC);
		if (length < bytes)
			effect_write(to, length + 1, PC);
	}
	return length;
}

/* ---- tokens ---- */

/* A token was cut out of `text`, which had `length` bytes before its terminator. */
static void cut_out(const char *token, const char *text, size_t length, const char *set, uint64_t pc)
{
	size_t end = token ? (size_t)(token - text) + strlen(token) : length;
	effect_read(set, strlen(set) + 1, pc);
	effect_read(text, end < length ? end : end + 1, pc);
	if (end < length) {
		rt_event_bytes(EV_LIBREAD, (uint64_t)text + end, 1, 0, text, 1, 0, pc);         /* the separator is gone by now */
		effect_write(text + end, 1, pc);
	}
}

LIB(char *, strtok_r, (char *text, const char *set, char **place))
{
	lib_point(EV_LIBWRITE, text, RT_PC);
	if (!effects_on())
		return strtok_r(text, set, place);
	if (!text)
		effect_read(place, sizeof *place, PC);
	const char *start = text ? text : *place;
	size_t length = start ? strlen(start) : 0;
	char *token = strtok_r(text, set, place);
	if (start)
		cut_out(token, start, length, set, PC);
	effect_write(place, sizeof *place, PC);
	return token;
}

LIB(char *, strtok, (char *text, const char *set))
{
	lib_point(EV_LIBWRITE, text, RT_PC);
	if (!effects_on())
		return strtok(text, set);
	size_t length = text ? strlen(text) : 0;
	char *token = strtok(text, set);
	if (text)
		cut_out(token, text, length, set, PC);
	else if (token)
		cut_out(token, token, strlen(token) + 1, set, PC);
	return token;
}

LIB(char *, strsep, (char **place, const char *set))
{
	lib_point(EV_LIBWRITE, place, RT_PC);
	if (!effects_on())
		return strsep(place, set);
	const char *start = *place;
	effect_read(place, sizeof *place, PC);
	size_t length = start ? strlen(start) : 0;
	char *token = strsep(place, set);
	if (start)
		cut_out(token, start, length, set, PC);
	effect_write(place, sizeof *place, PC);
	return token;
}

/* ---- the same, called by programs built with _FORTIFY_SOURCE ---- */

#define CHECKED_BLOCK(name) \
	void *__##name##_chk(void *to, const void *from, size_t bytes, size_t room); \
	LIB(void *, __##name##_chk, (void *to, const void *from, size_t bytes, size_t room)) \
	{ \
		lib_event(EV_COPY, to, RT_PC); \
		lib_from(from, bytes); \
		lib_before(to, bytes); \
		void *result = __##name##_chk(to, from, bytes, room); \
		if (effects_on()) \
			effect_copy(to, from, bytes, PC); \
		return result; \
	}
CHECKED_BLOCK(memcpy)
CHECKED_BLOCK(memmove)
CHECKED_BLOCK(mempcpy)

void *__memset_chk(void *to, int byte, size_t bytes, size_t room);
LIB(void *, __memset_chk, (void *to, int byte, size_t bytes, size_t room))
{
	lib_event(EV_LIBWRITE, to, RT_PC);
	lib_before(to, bytes);
	__memset_chk(to, byte, bytes, room);
	if (effects_on())
		effect_write(to, bytes, PC);
	return to;
}

#define CHECKED_STRING(name) \
	char *__##name##_chk(char *to, const char *from, size_t room); \
	LIB(char *, __##name##_chk, (char *to, const char *from, size_t room)) \
	{ \
		lib_event(EV_COPY, to, RT_PC); \
		lib_from(from, 1); \
		lib_before(to, strlen(from) + 1); \
		char *result = __##name##_chk(to, from, room); \
		if (effects_on()) \
			effect_copy(to, from, strlen(from) + 1, PC); \
		return result; \
	}
CHECKED_STRING(strcpy)
CHECKED_STRING(stpcpy)

#define CHECKED_PADDED(name) \
	char *__##name##_chk(char *to, const char *from, size_t bytes, size_t room); \
	LIB(char *, __##name##_chk, (char *to, const char *from, size_t bytes, size_t room)) \
	{ \
		lib_event(EV_COPY, to, RT_PC); \
		lib_from(from, bytes); \
		lib_before(to, bytes); \
		char *result = __##name##_chk(to, from, bytes, room); \
		if (effects_on()) \
			padded_copy(to, from, bytes, PC); \
		return result; \
	}
CHECKED_PADDED(strncpy)
CHECKED_PADDED(stpncpy)

char *__strcat_chk(char *to, const char *from, size_t room);
LIB(char *, __strcat_chk, (char *to, const char *from, size_t room))
{
	lib_event(EV_LIBWRITE, to, RT_PC);
	lib_from(from, 1);
	if (!effects_on())
		return __strcat_chk(to, from, room);
	size_t had = strlen(to);
	effect_read(to, had + 1, PC);
	lib_before(to + had, strlen(from) + 1);
	__strcat_chk(to, from, room);
	effect_copy(to + had, from, strlen(to + had) + 1, PC);
	return to;
}

char *__strncat_chk(char *to, const char *from, size_t limit, size_t room);
LIB(char *, __strncat_chk, (char *to, const char *from, size_t limit, size_t room))
{
	lib_event(EV_LIBWRITE, to, RT_PC);
	lib_from(from, limit);
	if (!effects_on())
		return __strncat_chk(to, from, limit, room);
	size_t had = strlen(to), more = strnlen(from, limit);
	effect_read(to, had + 1, PC);
	lib_before(to + had, more + 1);
	__strncat_chk(to, from, limit, room);
	effect_copy(to + had, from, more < limit ? more + 1 : more, PC);
	if (more == limit)
		effect_write(to + had + more, 1, PC);
	return to;
}
