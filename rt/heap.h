/* rt/heap.h -- the heap of a steered run: the same addresses in every run, and what is wrong with an access is seen. */
#ifndef RADDLE_RT_HEAP_H
#define RADDLE_RT_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HEAP_GRANULE 16u

/* What a granule (16 bytes) of the heap is: 1..16 so many of its bytes belong to a block, or one of these. */
enum heap_granule { GRANULE_NONE = 0, GRANULE_EDGE = 0x80, GRANULE_FREED = 0x81 };

extern uint64_t heap_base, heap_bytes;          /* as large as it is now; 0, 0: the program has libc's heap */
extern uint8_t *heap_granules;
extern uint64_t heap_caller;                    /* code address the next block is given out to */

bool heap_start(uint32_t kind);                 /* enum steer_heap; false: the address space could not be had */
bool heap_grow(void);                           /* to all the addresses it can have; false: they cannot be had any more */
bool heap_reuses(void);
bool heap_is_apart(void);                        /* who asks first decides no address */

static inline bool heap_owns(const void *p)
{
	return (uint64_t)p - heap_base < heap_bytes;
}

void  *heap_malloc(size_t bytes);
void  *heap_calloc(size_t count, size_t size);
void  *heap_realloc(void *old, size_t bytes);   /* of a block of this heap, or NULL */
void   heap_free(void *p);                      /* of this heap */
void  *heap_memalign(size_t align, size_t bytes);
size_t heap_usable(const void *p);
void   heap_refuse(const void *p);              /* about to be freed, not of this heap: ends the run if nothing can have given it */

void   heap_freed_twice(const void *p);         /* about to be freed by the library: ends the run if it is freed already */

/* Ends the run if [at, at + bytes) is heap and not all of it the program's: overflow, use after free. */
void heap_check_range(const void *at, uint64_t bytes, bool is_write);

static inline void heap_check(const void *at, uint32_t bytes, bool is_write)     /* it is heap */
{
	uint64_t offset = (uint64_t)at - heap_base;
	uint8_t valid = heap_granules[offset / HEAP_GRANULE];
	if (__builtin_expect(offset % HEAP_GRANULE + bytes > HEAP_GRANULE || valid > HEAP_GRANULE ||
		offset % HEAP_GRANULE + bytes > valid, 0))
		heap_check_range(at, bytes, is_write);
}

#endif
