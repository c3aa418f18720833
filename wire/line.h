/* wire/line.h -- objects of EV_RELEASE and EV_ACQUIRE that stand for what goes through a *line*: one direction of a pipe or a socket pair, or an event descriptor
 * (rt/handover.c).  Numbers in the upper half of the addresses, where nothing of a program is: the line, and the slot of one write there. */
#ifndef RADDLE_WIRE_LINE_H
#define RADDLE_WIRE_LINE_H

#include <stdbool.h>
#include <stdint.h>

#define LINE_SLOTS  1024u                      /* used again after so many writes */
#define LINE_CLOSED LINE_SLOTS                 /* slot of those who closed an end for writing */
#define LINE_WHOLE  0xffffu                    /* no slot: the line itself */
#define LINE_OTHERS  (~0ull << 40)             /* these bits of an object say that it is no line, but */
#define LINE_SIGNALS (1ull << 47 | 1ull << 40) /* a signal (rt/ready.c), */
#define LINE_QUEUES  (1ull << 47 | 1ull << 41) /* or a queue of messages, or semaphores of System V (rt/queues.c) */

static inline uint64_t line_object(uint64_t line, uint32_t slot)
{
	return 1ull << 47 | line << 16 | slot;
}

static inline bool line_is(uint64_t object)
{
	return object >> 40 == 1ull << 7;              /* those above are others, below */
}

static inline uint64_t line_whole(uint64_t object)     /* of any of its slots */
{
	return object | LINE_WHOLE;
}

static inline bool line_says_closed(uint64_t object)
{
	return (object & LINE_WHOLE) == LINE_CLOSED;
}

#endif
