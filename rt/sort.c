/* rt/sort.c -- qsort and qsort_r: library code that calls back into the program.
 * The comparison is the program's and may be instrumented; it sees elements where libc has moved them in the meantime.  So the
 * array is noted as read, then as written with contents nobody kept (true until the end), and at the end as written with
 * what is there.  Elements libc compares in a buffer of its own are memory raddle did not see being written. */
#include <stdlib.h>

#include "rt/lib.h"

static void contents_unknown(const void *at, uint64_t bytes, uint64_t pc)
{
	if (bytes)
		rt_event_bytes(EV_LIBWRITE, (uint64_t)at, bytes, 0, at, bytes, 0, pc);
}

static void before(const void *base, uint64_t bytes, uint64_t pc)
{
	effect_read(base, bytes, pc);
	contents_unknown(base, bytes, pc);
}

LIB(void, qsort, (void *base, size_t count, size_t size, int (*compare)(const void *, const void *)))
{
	lib_point(EV_LIBWRITE, base, RT_PC);
	if (effects_on())
		before(base, count * size, RT_PC);
	qsort(base, count, size, compare);
	if (effects_on())
		effect_write(base, count * size, RT_PC);
}

LIB(void, qsort_r, (void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *more))
{
	lib_point(EV_LIBWRITE, base, RT_PC);
	if (effects_on())
		before(base, count * size, RT_PC);
	qsort_r(base, count, size, compare, more);
	if (effects_on())
		effect_write(base, count * size, RT_PC);
}
