/* rt/opened.h -- streams and folders are memory, too: what opens, uses and closes them (opened.c). */
#ifndef RADDLE_RT_OPENED_H
#define RADDLE_RT_OPENED_H

#include <stdint.h>

/* A thread that is on is about to use this stream, or NULL: in a steered run a point, a read of its first byte, and the run's end if it is closed.
 * Only of streams in blocks of the heap: nobody closes the others to use them later. */
void opened_used(const void *stream, uint64_t pc);
/* The same behind the caller's own point. */
void opened_looked_at(const void *stream, uint64_t pc);
/* Around the call by which libc makes or ends one: blocks it takes and gives back meanwhile are the doing of this place. */
void opened_begin(uint64_t pc);
void opened_end(void);

#endif
