/* rt/new.c -- operator new and delete: the library's own do the work and call malloc and free, which write the events; here it is
 * only said that they belong to the caller of the operator.  In a static program they belong to the operators. */
#ifndef RADDLE_STATIC
#include <stddef.h>

#include "rt/alloc.h"
#include "rt/rt.h"

/* One operator is often written in terms of another: the outermost counts. */
static void asked_by(uint64_t pc)
{
	if (!alloc_caller)
		alloc_caller = pc;
}

/* If operator new throws, its caller's name is used up by the next heap event of this thread instead. */
#define NEW_LIKE(name, params, args) \
	void *name params; \
	INTERPOSE(void *, name, params) \
	{ \
		if (!rt_on()) \
			return REAL(name) args; \
		asked_by(RT_PC); \
		void *p = REAL(name) args; \
		alloc_caller = 0; \
		return p; \
	}

#define DELETE_LIKE(name, params, args) \
	void name params; \
	INTERPOSE(void, name, params) \
	{ \
		if (!rt_on()) { \
			REAL(name) args; \
			return; \
		} \
		asked_by(RT_PC); \
		REAL(name) args; \
		alloc_caller = 0; \
	}

/* [array] with bytes, and alignment, and nothrow */
NEW_LIKE(_Znwm, (size_t bytes), (bytes))
NEW_LIKE(_Znam, (size_t bytes), (bytes))
NEW_LIKE(_ZnwmRKSt9nothrow_t, (size_t bytes, const void *nothrow), (bytes, nothrow))
NEW_LIKE(_ZnamRKSt9nothrow_t, (size_t bytes, const void *nothrow), (bytes, nothrow))
NEW_LIKE(_ZnwmSt11align_val_t, (size_t bytes, size_t align), (bytes, align))
NEW_LIKE(_ZnamSt11align_val_t, (size_t bytes, size_t align), (bytes, align))
NEW_LIKE(_ZnwmSt11align_val_tRKSt9nothrow_t, (size_t bytes, size_t align, const void *nothrow), (bytes, align, nothrow))
NEW_LIKE(_ZnamSt11align_val_tRKSt9nothrow_t, (size_t bytes, size_t align, const void *nothrow), (bytes, align, nothrow))
DELETE_LIKE(_ZdlPv, (void *p), (p))
DELETE_LIKE(_ZdaPv, (void *p), (p))
DELETE_LIKE(_ZdlPvm, (void *p, size_t bytes), (p, bytes))
DELETE_LIKE(_ZdaPvm, (void *p, size_t bytes), (p, bytes))
DELETE_LIKE(_ZdlPvSt11align_val_t, (void *p, size_t align), (p, align))
DELETE_LIKE(_ZdaPvSt11align_val_t, (void *p, size_t align), (p, align))
DELETE_LIKE(_ZdlPvmSt11align_val_t, (void *p, size_t bytes, size_t align), (p, bytes, align))
DELETE_LIKE(_ZdaPvmSt11align_val_t, (void *p, size_t bytes, size_t align), (p, bytes, align))
#else
typedef int nothing_here;
#endif
