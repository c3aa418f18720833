/* rt/numbers.c -- numbers read from text: the bytes looked at, and where the number ended.
 * One byte past the number is looked at to know that it ends there. */
#define __NO_INLINE__ 1         /* the headers must declare these functions, not define them */
#include <features.h>
#undef  __GLIBC_USE_C2X_STRTOL          /* the names as written, not the ones newer headers put in their place */
#define __GLIBC_USE_C2X_STRTOL 0
#include <inttypes.h>
#include <stdlib.h>

#include "rt/lib.h"

static void read_number(const char *text, const char *end, char **out, uint64_t pc)
{
	effect_read(text, (uint64_t)(end - text) + 1, pc);
	if (out)
		effect_write(out, sizeof *out, pc);
}

#define STRTO_LIKE(type, name) \
	LIB(type, name, (const char *text, char **out, int base)) \
	{ \
		lib_point(EV_LIBREAD, text, RT_PC); \
		char *end; \
		type value = name(text, &end, base); \
		if (out) \
			*out = end; \
		if (effects_on()) \
			read_number(text, end, out, RT_PC); \
		return value; \
	}
STRTO_LIKE(long, strtol)
STRTO_LIKE(long long, strtoll)
STRTO_LIKE(unsigned long, strtoul)
STRTO_LIKE(unsigned long long, strtoull)
STRTO_LIKE(intmax_t, strtoimax)
STRTO_LIKE(uintmax_t, strtoumax)

#if __GLIBC_PREREQ(2, 38)
long __isoc23_strtol(const char *, char **, int);
long long __isoc23_strtoll(const char *, char **, int);
unsigned long __isoc23_strtoul(const char *, char **, int);
unsigned long long __isoc23_strtoull(const char *, char **, int);
intmax_t __isoc23_strtoimax(const char *, char **, int);
uintmax_t __isoc23_strtoumax(const char *, char **, int);
STRTO_LIKE(long, __isoc23_strtol)
STRTO_LIKE(long long, __isoc23_strtoll)
STRTO_LIKE(unsigned long, __isoc23_strtoul)
STRTO_LIKE(unsigned long long, __isoc23_strtoull)
STRTO_LIKE(intmax_t, __isoc23_strtoimax)
STRTO_LIKE(uintmax_t, __isoc23_strtoumax)
#endif

#define ATO_LIKE(type, name, by) \
	LIB(type, name, (const char *text)) \
	{ \
		lib_point(EV_LIBREAD, text, RT_PC); \
		char *end; \
		if (!effects_on()) \
			return name(text); \
		type value = (type)by(text, &end, 10); \
		read_number(text, end, NULL, RT_PC); \
		return value; \
	}
ATO_LIKE(int, atoi, strtol)
ATO_LIKE(long, atol, strtol)
ATO_LIKE(long long, atoll, strtoll)

LIB(int, rand_r, (unsigned *seed))
{
	lib_point(EV_LIBWRITE, seed, RT_PC);
	if (!effects_on())
		return rand_r(seed);
	effect_read(seed, sizeof *seed, RT_PC);
	int value = rand_r(seed);
	effect_write(seed, sizeof *seed, RT_PC);
	return value;
}
