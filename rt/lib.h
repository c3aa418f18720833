/* rt/lib.h -- how a modelled library function is written (strings.c copies.c numbers.c sort.c results.c varargs.c).
 * Instrumented code calls raddle_lib_NAME where its source calls NAME (the names are in wire/modelled.h): the same prototype, the
 * same result, the real function does the work, and exactly the bytes it touched are noted as LIBREAD, LIBWRITE or COPY. */
#ifndef RADDLE_RT_LIB_H
#define RADDLE_RT_LIB_H

#include "rt/buffer.h"
#include "rt/effect.h"
#include "rt/steer.h"

/* First of all: in a steered run the whole call is one event, of the kind of its main effect.  What it writes does not go through a
 * store buffer, so under a weak memory model that is emptied. */
static inline void lib_point(enum event_kind kind, const void *object, uint64_t pc)
{
	steer_point(kind, (uint64_t)object, pc);
	if (rt_steered())
		buffer_leave(pc);
}

/* The same for a function that only reads, or whose writes do go through the buffer: lib_before() says where they will be at most, the
 * effects noted after it where they were. */
static inline void lib_event(enum event_kind kind, const void *object, uint64_t pc)
{
	steer_point(kind, (uint64_t)object, pc);
}

static inline void lib_before(const void *to, uint64_t most)
{
	if (rt_unlikely(buffers_on) && rt_steered() && own_strand)
		buffer_before(to, most);
}

#define LIB(type, name, params) \
	RT_EXPORT type raddle_lib_##name params; \
	RT_EXPORT type raddle_lib_##name params

/* A function that fills `bytes` bytes at `at` when `ok`; its result is `result`. */
#define LIB_FILLS(type, name, params, args, ok, at, bytes) \
	LIB(type, name, params) \
	{ \
		lib_point(EV_LIBWRITE, NULL, RT_PC); \
		type result = name args; \
		if ((ok) && effects_on()) \
			effect_write(at, (uint64_t)(bytes), RT_PC); \
		return result; \
	}

#endif
