/* rt/new.c -- operator new and delete: the library's own do the work and call malloc and free, which write the events; here it is
 * only said that they belong to the caller of the operator.  In a static program they belong to the operators. */
#ifndef RADDLE_STATIC
#include <stdlib.h>

#include "rt/alloc.h"
#include "rt/rt.h"
#include "rt/words.h"

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

/* ---- stand-ins, where no library of C++ can be found: one that is linked in, behind us and never asked ---- */

static void *no_memory(void)
{
	rt_fatal("operator new got no memory, and std::bad_alloc is not there to be thrown in a program linked with -static-libstdc++");
}

static void *own_new(size_t bytes)
{
	void *p = malloc(bytes ? bytes : 1);
	return p ? p : no_memory();
}

static void *own_new_aligned(size_t bytes, size_t align)
{
	void *p = aligned_alloc(align, (bytes + align - 1) & ~(align - 1));
	return p ? p : no_memory();
}

static void *own_nothrow(size_t bytes, const void *nothrow)
{
	(void)nothrow;
	return malloc(bytes ? bytes : 1);
}

static void *own_nothrow_aligned(size_t bytes, size_t align, const void *nothrow)
{
	(void)nothrow;
	return aligned_alloc(align, (bytes + align - 1) & ~(align - 1));
}

/* What follows the block among the arguments does not matter. */
void *new_stand_in(const char *name)
{
	static const struct { const char *name; void *own; } all[] = {
		{ "_Znwm", own_new }, { "_Znam", own_new }, { "_ZnwmRKSt9nothrow_t", own_nothrow }, { "_ZnamRKSt9nothrow_t", own_nothrow },
		{ "_ZnwmSt11align_val_t", own_new_aligned }, { "_ZnamSt11align_val_t", own_new_aligned },
		{ "_ZnwmSt11align_val_tRKSt9nothrow_t", own_nothrow_aligned }, { "_ZnamSt11align_val_tRKSt9nothrow_t", own_nothrow_aligned },
	};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (words_same(name, all[i].name))
			return all[i].own;
	return name[0] == '_' && name[1] == 'Z' && name[2] == 'd' && (name[3] == 'l' || name[3] == 'a') ? (void *)free : NULL;
}
#else
typedef int nothing_here;
#endif
