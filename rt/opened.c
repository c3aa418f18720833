/* rt/opened.c -- streams and folders, from being opened to being closed.
 * libc keeps each in a block of the heap, which it gives back when it is closed.  So to close is to free, told where the program closes it, and
 *   (1) in a steered run whoever uses one stands at a point first, and is told as a reader of its first byte: who uses it beside its closing
 *       is found as who uses any freed block is.  Readers do not race with each other: libc has a lock for what they do inside;
 *   (2) a closed one is looked at before libc is: what libc would do with it depends on what lies there.
 * What is used without a call that is seen (functions of wide characters, unlocked ones), is not known. */
#define __NO_INLINE__ 1
#include "rt/opened.h"

#include <dirent.h>
#include <stdio.h>

#include "rt/alloc.h"
#include "rt/descriptors.h"
#include "rt/heap.h"
#include "rt/rt.h"
#include "rt/steer.h"

void opened_looked_at(const void *stream, uint64_t pc)
{
	if (!rt_steered() || !heap_owns(stream))
		return;
	heap_check(stream, 1, false);
	rt_event(EV_LIBREAD, (uint64_t)stream, 1, 0, 0, pc);     /* what it is is libc's own */
}

void opened_used(const void *stream, uint64_t pc)
{
	if (!rt_steered() || !heap_owns(stream))
		return;
	steer_point(EV_LIBREAD, (uint64_t)stream, pc);
	opened_looked_at(stream, pc);
}

void opened_begin(uint64_t pc)
{
	if (rt_steered())
		alloc_library = pc;
}

void opened_end(void)
{
	alloc_library = 0;
}

/* ---- open ---- */

#define OPENS_LIKE(type, name, params, args) \
	INTERPOSE_STREAM(type *, name, params) \
	{ \
		if (!rt_on()) \
			return REAL(name) args; \
		opened_begin(RT_PC); \
		type *made = REAL(name) args; \
		opened_end(); \
		return made; \
	}
OPENS_LIKE(FILE, fdopen, (int fd, const char *mode), (fd, mode))
OPENS_LIKE(DIR, opendir, (const char *path), (path))
OPENS_LIKE(DIR, fdopendir, (int fd), (fd))

/* ---- close ---- */

#define CLOSES_LIKE(type, name) \
	INTERPOSE_STREAM(int, name, (type *stream)) \
	{ \
		if (!rt_on()) \
			return REAL(name)(stream); \
		if (rt_steered()) \
			heap_freed_twice(stream); \
		opened_begin(RT_PC); \
		int result = REAL(name)(stream); \
		opened_end(); \
		return result; \
	}
CLOSES_LIKE(FILE, fclose)
CLOSES_LIKE(DIR, closedir)

/* ---- flush ----  Whether there is anything to write depends on what others have put there and flushed, which no event tells: of standard
 * output and error the flush is the point, with or without a write. */

static bool flushes_standard(const FILE *stream)
{
	return rt_steered() && own_strand && stream && !heap_owns(stream) && fd_standard(stream->_fileno);
}

INTERPOSE_STREAM(int, fflush, (FILE *stream))
{
	if (rt_on())
		opened_used(stream, RT_PC);
	if (!rt_on() || !flushes_standard(stream))
		return REAL(fflush)(stream);
	struct strand *s = own_strand;
	steer_point(EV_OUTPUT, 0, RT_PC);
	s->flushes = true;
	int result = REAL(fflush)(stream);
	s->flushes = false;
	return result;
}

/* ---- use, where nothing but that is to be told ---- */

#define USES(type, name, params, args) \
	INTERPOSE_STREAM(type, name, params) \
	{ \
		if (rt_on()) \
			opened_used(stream, RT_PC); \
		return REAL(name) args; \
	}
USES(int, fseek, (FILE *stream, long offset, int whence), (stream, offset, whence))
USES(long, ftell, (FILE *stream), (stream))
USES(int, feof, (FILE *stream), (stream))
USES(int, ferror, (FILE *stream), (stream))
USES(int, ungetc, (int byte, FILE *stream), (byte, stream))

INTERPOSE_STREAM(void, rewind, (FILE *stream))
{
	if (rt_on())
		opened_used(stream, RT_PC);
	REAL(rewind)(stream);
}
