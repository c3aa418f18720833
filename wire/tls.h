/* wire/tls.h -- the thread-local words that instrumented code touches inline.
 *
 * The runtime defines  __thread struct raddle_tls raddle_tls  (initial-exec); the compiler plugin reaches the fields
 * by these offsets, so they are written down once here and checked by rt/thread.c.
 *
 *   cursor  where the next record goes.  Its place inside the segment says when to stop: a group may start only while
 *           (cursor & (SEGMENT_BYTES-1)) < SEGMENT_LIMIT; otherwise raddle_next_segment(cursor) gives a new one.
 *           A thread that has no segment yet holds CURSOR_NONE, which is past every limit.
 *   mode    MODE_OFF, MODE_SYNC: the clean copy of each function runs; MODE_ACCESS: the recorded one; MODE_STEER: the steered one.
 *           With MODE_OFF no hook does anything. */
#ifndef RADDLE_WIRE_TLS_H
#define RADDLE_WIRE_TLS_H

#include <stdint.h>

enum run_mode { MODE_OFF = 0, MODE_SYNC = 1, MODE_ACCESS = 2, MODE_STEER = 3 };

struct thread_area;

#define NEST_LEVELS 16u        /* a thread and the signal handlers inside each other on it that can be recorded */

struct raddle_tls {
	uint64_t cursor;
	uint32_t mode;
	uint32_t inside;              /* > 0 while the runtime itself runs on this thread */
	struct thread_area *area;     /* what the recorder can see of this thread, wire/ring.h; never NULL in mode > 0 */
	uint32_t nest;                /* signal handlers this thread is inside of */
	uint32_t children;            /* threads created so far */
	uint32_t seq[NEST_LEVELS];    /* next segment number at each nest level */
};

#define TLS_CURSOR  0
#define TLS_MODE    8
#define TLS_INSIDE  12
#define TLS_AREA    16

#define CURSOR_NONE 0xffffu

#endif
