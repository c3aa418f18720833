/* base/vec.c -- growable arrays and the one place that answers for memory. */
#include "base/vec.h"

#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE        4096u
#define READY_LEAST (8 * PAGE)          /* less is not worth a system call */
#define LARGE_PAGE  (2u << 20)
#define LARGE_LEAST (4u << 20)
#define KEPT_MOST   (32u << 20)         /* of the heap, unused */
#define MOVED_LEAST (512u << 10)        /* grows by moving its pages, not by copying what is in them */

_Noreturn static void exhausted(void)
{
	fputs("raddle: out of memory\n", stderr);
	exit(4);
}

/* malloc() takes more and more from the heap once large pieces were given back; there realloc() copies.  What the heap has it keeps: it is wanted again. */
static void keep_large_apart(void)
{
	static bool done;                       /* long before there is a second thread */
	if (done)
		return;
	done = true;
	(void)mallopt(M_MMAP_THRESHOLD, MOVED_LEAST);
	(void)mallopt(M_TRIM_THRESHOLD, KEPT_MOST);
}

void *mem_take(size_t bytes)
{
	keep_large_apart();
	void *at = calloc(1, bytes ? bytes : 1);
	if (!at)
		exhausted();
	return at;
}

void mem_ready(void *at, size_t bytes)
{
#ifdef MADV_POPULATE_WRITE
	uintptr_t from = ((uintptr_t)at + PAGE - 1) & ~(uintptr_t)(PAGE - 1), to = ((uintptr_t)at + bytes) & ~(uintptr_t)(PAGE - 1);
	if (bytes >= READY_LEAST && to > from)
		(void)madvise((void *)from, to - from, MADV_POPULATE_WRITE);    /* a system that cannot brings them one by one */
#else
	(void)at, (void)bytes;
#endif
}

void *mem_take_ready(size_t bytes)
{
	void *at = mem_take(bytes);
	mem_ready(at, bytes);
	return at;
}

/* What grows is written from front to back: in large pages that is one fault for hundreds, and a copy of the process has fewer to copy.
 * Asked for the whole mapping, with what malloc() keeps in front: one that is parted cannot be moved. */
static void prefer_large(void *at, size_t bytes)
{
	uintptr_t from = (uintptr_t)at & ~(uintptr_t)(PAGE - 1), to = ((uintptr_t)at + bytes + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
	(void)madvise((void *)from, to - from, MADV_HUGEPAGE);          /* a system that has none goes on as before */
}

void *mem_resize(void *at, size_t bytes)
{
	keep_large_apart();
	at = realloc(at, bytes ? bytes : 1);
	if (!at)
		exhausted();
	if (bytes >= LARGE_LEAST)
		prefer_large(at, bytes);
	return at;
}

void *mem_take_large(size_t bytes)
{
	keep_large_apart();
	void *at = bytes >= LARGE_PAGE ? aligned_alloc(LARGE_PAGE, (bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE) : malloc(bytes ? bytes : 1);
	if (!at)
		exhausted();
	if (bytes >= LARGE_PAGE)
		(void)madvise(at, bytes / LARGE_PAGE * LARGE_PAGE, MADV_HUGEPAGE);
	return at;
}

void mem_free(void *at)
{
	free(at);
}

void *vec_grow(void *at, size_t *room, size_t size)
{
	size_t more = *room ? *room * 2 : 8;
	if (more > (size_t)-1 / 2 / size)
		exhausted();
	*room = more;
	return mem_resize(at, more * size);
}
