/* rt/varargs.c -- functions with variable arguments or floating point: the printf and scanf families, strtod and relatives.
 * The only file of the runtime compiled with vector registers, because such functions receive or return values in them; no
 * hook that promises to keep registers lives here.
 *   printf to a stream: OUTPUT before it goes, with its length and first bytes, formatted a second time to know them;
 *   printf to memory: LIBWRITE of the result;
 *   both: LIBREAD of what %s prints, LIBWRITE of %n;
 *   scanf: what the format says was stored, conversion by conversion, as input or LIBWRITE.
 * Formats with positional arguments (%1$d) are not followed. */
#define __NO_INLINE__ 1         /* the headers must declare these functions, not define them */
#include <features.h>
#undef  __GLIBC_USE_DEPRECATED_SCANF    /* the names as written, not the ones the headers put in their place */
#define __GLIBC_USE_DEPRECATED_SCANF 1
#undef  __GLIBC_USE_C2X_STRTOL
#define __GLIBC_USE_C2X_STRTOL 0
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "rt/lib.h"
#include "rt/opened.h"

/* Calls `call` with the arguments behind `last` as `args`. */
#define WITH_ARGS(type, last, call) ({ va_list args; va_start(args, last); type r_ = call; va_end(args); r_; })

/* ---- what a format says ---- */

static unsigned length_modifier(const char **at)
{
	unsigned length = 4;
	for (;; (*at)++) {
		if (**at == 'h')
			length /= 2;
		else if (**at && strchr("ljztq", **at))
			length = 8;
		else if (**at == 'L')
			length = 16;
		else
			return length;
	}
}

static void string_read(const void *at, bool wide, int most, uint64_t pc)
{
	size_t limit = most < 0 ? SIZE_MAX : (size_t)most;
	size_t count = !at ? 0 : wide ? wcsnlen(at, limit) : strnlen(at, limit);
	effect_read(at, (count + (count < limit)) * (wide ? sizeof(wchar_t) : 1), pc);
}

/* A width or precision, and past it; -1: none. */
static int number_at(const char **at, va_list *args)
{
	int number = -1;
	if (**at == '*') {
		++*at;
		return va_arg(*args, int);
	}
	for (; **at >= '0' && **at <= '9'; ++*at)
		number = (number < 0 ? 0 : number > 99999999 ? number / 10 : number) * 10 + (**at - '0');
	return number;
}

/* One conversion of printf, behind its '%': takes its arguments; the place after it, or NULL when the format cannot be followed. */
static const char *lead(const char *at, va_list *args, uint64_t pc)
{
	int most = -1;
	at += strspn(at, "-+ #0'I");
	number_at(&at, args);
	if (*at == '.') {
		at++;
		most = number_at(&at, args);
		most = most < 0 && at[-1] != '*' ? 0 : most;    /* "%.s" prints nothing */
	}
	unsigned length = length_modifier(&at);
	switch (*at) {
	case 'd': case 'i': case 'o': case 'u': case 'x': case 'X': case 'c': case 'C':
		if (length > 4)
			va_arg(*args, long long);
		else
			va_arg(*args, int);
		break;
	case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
		if (length == 16)
			va_arg(*args, long double);
		else
			va_arg(*args, double);
		break;
	case 's': case 'S':
		string_read(va_arg(*args, const void *), length == 8 || *at == 'S', most, pc);
		break;
	case 'n':
		effect_write(va_arg(*args, void *), length == 16 ? 8 : length, pc);
		break;
	case 'p':
		va_arg(*args, void *);
		break;
	case 'm': case '%':
		break;
	default:
		return NULL;
	}
	return at + 1;
}

/* What a printf that is done was led to by its arguments. */
static void led_to(const char *format, va_list args, uint64_t pc)
{
	va_list left;
	if (!effects_on())
		return;
	va_copy(left, args);
	while (format && (format = strchr(format, '%')))
		format = lead(format + 1, &left, pc);
	va_end(left);
}

/* Makes the call, which takes the arguments, and says what it was led to. */
#define LED(call) ({ va_list kept_; va_copy(kept_, args); int length_ = call; led_to(format, kept_, RT_PC); va_end(kept_); length_; })

/* ---- printf to streams ---- */

static void formatted_output(int fd, const char *format, va_list args, uint64_t pc)
{
	char text[EFFECT_LIMIT];
	int saved = errno;                       /* %m prints it */
	va_list again;
	va_copy(again, args);
	rt_enter();
	int length = vsnprintf(text, sizeof text, format, again);
	rt_leave();
	va_end(again);
	errno = saved;
	if (length > 0)
		rt_event_bytes(EV_OUTPUT, 0, (uint64_t)length, (uint64_t)fd + 1, text, (size_t)length, sizeof text - 1, pc);
	else
		rt_event(EV_OUTPUT, 0, 0, (uint64_t)fd + 1, 0, pc);
	led_to(format, args, pc);
}

int __vfprintf_chk(FILE *stream, int flag, const char *format, va_list args);
int __vdprintf_chk(int fd, int flag, const char *format, va_list args);
int __fprintf_chk(FILE *stream, int flag, const char *format, ...);
int __dprintf_chk(int fd, int flag, const char *format, ...);
int __printf_chk(int flag, const char *format, ...);
int __vprintf_chk(int flag, const char *format, va_list args);

static int to_stream(FILE *stream, const char *format, va_list args, uint64_t pc)
{
	if (rt_on()) {
		opened_used(stream, pc);
		formatted_output(stream->_fileno, format, args, pc);
	}
	return REAL(vfprintf)(stream, format, args);
}

static int to_stream_checked(FILE *stream, int flag, const char *format, va_list args, uint64_t pc)
{
	if (rt_on()) {
		opened_used(stream, pc);
		formatted_output(stream->_fileno, format, args, pc);
	}
	return REAL(__vfprintf_chk)(stream, flag, format, args);
}

static int to_file(int fd, const char *format, va_list args, uint64_t pc)
{
	if (rt_on())
		formatted_output(fd, format, args, pc);
	return REAL(vdprintf)(fd, format, args);
}

static int to_file_checked(int fd, int flag, const char *format, va_list args, uint64_t pc)
{
	if (rt_on())
		formatted_output(fd, format, args, pc);
	return REAL(__vdprintf_chk)(fd, flag, format, args);
}

INTERPOSE_STREAM(int, vfprintf, (FILE *stream, const char *format, va_list args)) { return to_stream(stream, format, args, RT_PC); }
INTERPOSE_STREAM(int, vprintf, (const char *format, va_list args)) { return to_stream(stdout, format, args, RT_PC); }
INTERPOSE_STREAM(int, vdprintf, (int fd, const char *format, va_list args)) { return to_file(fd, format, args, RT_PC); }
INTERPOSE_STREAM(int, printf, (const char *format, ...)) { return WITH_ARGS(int, format, to_stream(stdout, format, args, RT_PC)); }

INTERPOSE_STREAM(int, fprintf, (FILE *stream, const char *format, ...))
{
	return WITH_ARGS(int, format, to_stream(stream, format, args, RT_PC));
}

INTERPOSE_STREAM(int, dprintf, (int fd, const char *format, ...))
{
	return WITH_ARGS(int, format, to_file(fd, format, args, RT_PC));
}

INTERPOSE_STREAM(int, __vfprintf_chk, (FILE *stream, int flag, const char *format, va_list args))
{
	return to_stream_checked(stream, flag, format, args, RT_PC);
}

INTERPOSE_STREAM(int, __vprintf_chk, (int flag, const char *format, va_list args))
{
	return to_stream_checked(stdout, flag, format, args, RT_PC);
}

INTERPOSE_STREAM(int, __vdprintf_chk, (int fd, int flag, const char *format, va_list args))
{
	return to_file_checked(fd, flag, format, args, RT_PC);
}

INTERPOSE_STREAM(int, __printf_chk, (int flag, const char *format, ...))
{
	return WITH_ARGS(int, format, to_stream_checked(stdout, flag, format, args, RT_PC));
}

INTERPOSE_STREAM(int, __fprintf_chk, (FILE *stream, int flag, const char *format, ...))
{
	return WITH_ARGS(int, format, to_stream_checked(stream, flag, format, args, RT_PC));
}

INTERPOSE_STREAM(int, __dprintf_chk, (int fd, int flag, const char *format, ...))
{
	return WITH_ARGS(int, format, to_file_checked(fd, flag, format, args, RT_PC));
}

/* ---- printf to memory ---- */

int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list args);
int __vsnprintf_chk(char *to, size_t bytes, int flag, size_t room, const char *format, va_list args);
int __vasprintf_chk(char **to, int flag, const char *format, va_list args);

static int printed(char *to, size_t room, int length, uint64_t pc)
{
	if (length >= 0 && room && effects_on())
		effect_write(to, (size_t)length < room ? (size_t)length + 1 : room, pc);
	return length;
}

static int printed_new(char **to, int length, uint64_t pc)
{
	if (length >= 0 && effects_on()) {
		effect_write(*to, (size_t)length + 1, pc);
		effect_write(to, sizeof *to, pc);
	}
	return length;
}

LIB(int, vsprintf, (char *to, const char *format, va_list args))
{
	lib_point(EV_LIBWRITE, to, RT_PC);
	return printed(to, SIZE_MAX, LED(vsprintf(to, format, args)), RT_PC);
}

LIB(int, vsnprintf, (char *to, size_t room, const char *format, va_list args))
{
	lib_point(EV_LIBWRITE, to, RT_PC);
	return printed(to, room, LED(vsnprintf(to, room, format, args)), RT_PC);
}

LIB(int, vasprintf, (char **to, const char *format, va_list args))
{
	lib_point(EV_LIBWRITE, to, RT_PC);
	return printed_new(to, LED(vasprintf(to, format, args)), RT_PC);
}

LIB(int, sprintf, (char *to, const char *format, ...))
{
	lib_point(EV_LIBWRITE, to, RT_PC);
	return printed(to, SIZE_MAX, WITH_ARGS(int, format, LED(vsprintf(to, format, args))), RT_PC);
}

LIB(int, snprintf, (char *to, size_t room, const char *format, ...))
{
	lib_point(EV_LIBWRITE, to, RT_PC);
	return printed(to, room, WITH_ARGS(int, format, LED(vsnprintf(to, room, format, args))), RT_PC);
}

LIB(int, asprintf, (char **to, const char *format, ...))
{
	lib_point(EV_LIBWRITE, to, RT_PC);
	return printed_new(to, WITH_ARGS(int, format, LED(vasprintf(to, format, args))), RT_PC);
}

LIB(int, __vsprintf_chk, (char *to, int flag, size_t room, const char *format, va_list args))
{
	lib_point(EV_LIBWRITE, to, RT_PC);
	return printed(to, SIZE_MAX, LED(__vsprintf_chk(to, flag, room, format, args)), RT_PC);
}

LIB(int, __vsnprintf_chk, (char *to, size_t bytes, int flag, size_t room, const char *format, va_list args))
{
	lib_point(EV_LIBWRITE, to, RT_PC);
	return printed(to, bytes, LED(__vsnprintf_chk(to, bytes, flag, room, format, args)), RT_PC);
}

LIB(int, __vasprintf_chk, (char **to, int flag, const char *format, va_list args))
{
	lib_point(EV_LIBWRITE, to, RT_PC);
	return printed_new(to, LED(__vasprintf_chk(to, flag, format, args)), RT_PC);
}

LIB(int, __sprintf_chk, (char *to, int flag, size_t room, const char *format, ...))
{
	lib_point(EV_LIBWRITE, to, RT_PC);
	return printed(to, SIZE_MAX, WITH_ARGS(int, format, LED(__vsprintf_chk(to, flag, room, format, args))), RT_PC);
}

LIB(int, __snprintf_chk, (char *to, size_t bytes, int flag, size_t room, const char *format, ...))
{
	lib_point(EV_LIBWRITE, to, RT_PC);
	return printed(to, bytes, WITH_ARGS(int, format, LED(__vsnprintf_chk(to, bytes, flag, room, format, args))), RT_PC);
}

LIB(int, __asprintf_chk, (char **to, int flag, const char *format, ...))
{
	lib_point(EV_LIBWRITE, to, RT_PC);
	return printed_new(to, WITH_ARGS(int, format, LED(__vasprintf_chk(to, flag, format, args))), RT_PC);
}

/* ---- scanf ---- */

#define MEMORY (-2)             /* instead of a descriptor: the text comes from memory */

struct conversion {
	char letter;            /* 's' for %s, '[' for a set, ... */
	bool skips, allocates;
	unsigned width;         /* 0 none */
	unsigned length;        /* 1 hh, 2 h, 4 none, 8 l ll j z t q, 16 L */
};

static const char *past_set(const char *at)
{
	if (*at == '^')
		at++;
	if (*at == ']')
		at++;
	while (*at && *at != ']')
		at++;
	return at;
}

/* The conversion behind the '%' at `at`; returns the place after it, or NULL when the format cannot be followed. */
static const char *parse_conversion(const char *at, struct conversion *c)
{
	*c = (struct conversion){ 0 };
	for (at++; *at == '*' || *at == '\'' || *at == 'I'; at++)
		if (*at == '*')
			c->skips = true;
	for (; *at >= '0' && *at <= '9'; at++)
		c->width = c->width * 10 + (unsigned)(*at - '0');
	if (*at == '$')
		return NULL;
	if (*at == 'm')
		c->allocates = true, at++;
	c->length = length_modifier(&at);
	c->letter = *at;
	if (!c->letter)
		return NULL;
	return c->letter == '[' ? past_set(at + 1) + 1 : at + 1;
}

static uint64_t stored_bytes(const struct conversion *c, const void *at)
{
	bool wide = c->length == 8 || c->letter == 'S' || c->letter == 'C';
	uint64_t unit = wide ? sizeof(wchar_t) : 1;
	if (c->allocates)
		return sizeof(char *);
	switch (c->letter) {
	case 'c': case 'C':
		return (c->width ? c->width : 1) * unit;
	case 's': case 'S': case '[':
		return wide ? (wcslen(at) + 1) * unit : strlen(at) + 1;
	case 'p':
		return sizeof(void *);
	default:                                 /* integers, and floats whose sizes are the same; %Lf is 16, %Ld is 8 */
		return c->length == 16 && strchr("diouxX", c->letter) ? 8 : c->length;
	}
}

static void store(int fd, const void *at, uint64_t bytes, uint64_t pc)
{
	if (fd == MEMORY)
		effect_write(at, bytes, pc);
	else
		note_input(fd, at, (int64_t)bytes, pc);
}

/* What a scanf that made `assigned` assignments stored. */
static void scanned(int fd, const char *format, va_list args, int assigned, uint64_t pc)
{
	struct conversion c;
	while (format && *format) {
		if (*format != '%' || format[1] == '%') {
			format += *format == '%' ? 2 : 1;
			continue;
		}
		format = parse_conversion(format, &c);
		if (!format || (c.letter != 'n' && !c.skips && assigned-- <= 0))
			return;
		if (c.skips)
			continue;
		const void *at = va_arg(args, const void *);
		store(fd, at, stored_bytes(&c, at), pc);
		if (c.allocates)
			store(fd, *(char *const *)at, strlen(*(char *const *)at) + 1, pc);
	}
}

typedef int stream_scan(FILE *, const char *, va_list);
typedef int memory_scan(const char *, const char *, va_list);

static int from_stream(stream_scan *scan, FILE *stream, const char *format, va_list args, uint64_t pc)
{
	va_list again;
	if (!rt_on())
		return scan(stream, format, args);
	opened_used(stream, pc);
	va_copy(again, args);
	int assigned = scan(stream, format, args);
	note_outcall("scanf", assigned, pc);
	scanned(stream->_fileno, format, again, assigned, pc);
	va_end(again);
	return assigned;
}

static int from_memory(memory_scan *scan, const char *text, const char *format, va_list args, uint64_t pc)
{
	va_list again;
	if (!effects_on())
		return scan(text, format, args);
	va_copy(again, args);
	effect_read(text, strlen(text) + 1, pc);
	int assigned = scan(text, format, args);
	scanned(MEMORY, format, again, assigned, pc);
	va_end(again);
	return assigned;
}

#define SCANF_FAMILY(prefix) \
	int prefix##vfscanf(FILE *stream, const char *format, va_list args); \
	int prefix##vscanf(const char *format, va_list args); \
	int prefix##vsscanf(const char *text, const char *format, va_list args); \
	int prefix##fscanf(FILE *stream, const char *format, ...); \
	int prefix##scanf(const char *format, ...); \
	INTERPOSE_STREAM(int, prefix##vfscanf, (FILE *stream, const char *format, va_list args)) \
	{ \
		return from_stream(REAL(prefix##vfscanf), stream, format, args, RT_PC); \
	} \
	INTERPOSE_STREAM(int, prefix##vscanf, (const char *format, va_list args)) \
	{ \
		return from_stream(REAL(prefix##vfscanf), stdin, format, args, RT_PC); \
	} \
	INTERPOSE_STREAM(int, prefix##fscanf, (FILE *stream, const char *format, ...)) \
	{ \
		return WITH_ARGS(int, format, from_stream(REAL(prefix##vfscanf), stream, format, args, RT_PC)); \
	} \
	INTERPOSE_STREAM(int, prefix##scanf, (const char *format, ...)) \
	{ \
		return WITH_ARGS(int, format, from_stream(REAL(prefix##vfscanf), stdin, format, args, RT_PC)); \
	} \
	LIB(int, prefix##vsscanf, (const char *text, const char *format, va_list args)) \
	{ \
		lib_point(EV_LIBWRITE, text, RT_PC); \
		return from_memory(prefix##vsscanf, text, format, args, RT_PC); \
	} \
	LIB(int, prefix##sscanf, (const char *text, const char *format, ...)) \
	{ \
		lib_point(EV_LIBWRITE, text, RT_PC); \
		return WITH_ARGS(int, format, from_memory(prefix##vsscanf, text, format, args, RT_PC)); \
	}
SCANF_FAMILY()
SCANF_FAMILY(__isoc99_)
#if __GLIBC_PREREQ(2, 38)
SCANF_FAMILY(__isoc23_)
#endif

/* ---- floating point ---- */

#define STRTOF_LIKE(type, name) \
	LIB(type, name, (const char *text, char **out)) \
	{ \
		lib_point(EV_LIBREAD, text, RT_PC); \
		char *end; \
		type value = name(text, &end); \
		if (out) \
			*out = end; \
		if (effects_on()) { \
			effect_read(text, (uint64_t)(end - text) + 1, RT_PC); \
			effect_write(out, sizeof *out, RT_PC); \
		} \
		return value; \
	}
STRTOF_LIKE(float, strtof)
STRTOF_LIKE(double, strtod)
STRTOF_LIKE(long double, strtold)

LIB(double, atof, (const char *text))
{
	lib_point(EV_LIBREAD, text, RT_PC);
	char *end;
	double value = strtod(text, &end);
	if (effects_on())
		effect_read(text, (uint64_t)(end - text) + 1, RT_PC);
	return value;
}

INTERPOSE(double, drand48, (void))
{
	double value = REAL(drand48)();
	int64_t bits;
	copy_bytes(&bits, &value, sizeof bits);
	if (rt_on())
		note_outcall("drand48", bits, RT_PC);
	return value;
}
