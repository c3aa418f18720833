/* <raddle.h> -- what a program may tell raddle about itself.
 *
 * Header only.  In a program built without raddle every function here does nothing (raddle_choose gives 0; the
 * conditions of raddle_assume and raddle_assert are not even evaluated); nothing has to be linked.
 *
 *   raddle_assume(condition)   a run in which it does not hold is of no interest: a steered run ends there
 *   raddle_choose(n)           a number from 0 to n - 1 which raddle chooses: every one of them is tried
 *   raddle_assert(condition)   a run in which it does not hold has failed: a steered run ends there, any other aborts
 *   raddle_label(text)         a mark in the trace, at this place and moment
 *   raddle_atomic_begin/end    what stands between happens in one go: no other thread runs, unless this one has to wait
 *   raddle_ignore_begin/end    plain accesses of this thread between the two are nobody's business
 *
 * Locks and allocators of your own, which raddle cannot know:
 *
 *   raddle_lock_acquired(lock, for_reading)   after taking it
 *   raddle_lock_releasing(lock, for_reading)  before giving it up
 *   raddle_happens_before(object)             what this thread did so far ...
 *   raddle_happens_after(object)              ... is seen by whoever says this later
 *   raddle_block_given(address, bytes)        the program's own allocator gave out a block
 *   raddle_block_taken_back(address) */
#ifndef RADDLE_H
#define RADDLE_H

#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RADDLE_WEAK __attribute__((weak))
RADDLE_WEAK void raddle_say_assume(int holds);
RADDLE_WEAK unsigned raddle_say_choose(unsigned n);
RADDLE_WEAK void raddle_say_assert(int holds, const char *condition, const char *file, int line);
RADDLE_WEAK void raddle_say_label(const char *text);
RADDLE_WEAK void raddle_say_atomic(int begins);
RADDLE_WEAK void raddle_say_ignore(int begins);
RADDLE_WEAK void raddle_say_lock(const void *lock, int for_reading, int acquired);
RADDLE_WEAK void raddle_say_order(const void *object, int before);
RADDLE_WEAK void raddle_say_block(const void *address, size_t bytes, int given);
#undef RADDLE_WEAK

#ifdef __cplusplus
}
#endif

#define raddle_assume(condition) (raddle_say_assume ? raddle_say_assume(!!(condition)) : (void)0)
#define raddle_assert(condition) \
	(raddle_say_assert ? raddle_say_assert(!!(condition), #condition, __FILE__, __LINE__) : (void)0)

static inline unsigned raddle_choose(unsigned n) { return raddle_say_choose ? raddle_say_choose(n) : 0; }
static inline void raddle_label(const char *text) { if (raddle_say_label) raddle_say_label(text); }
static inline void raddle_atomic_begin(void) { if (raddle_say_atomic) raddle_say_atomic(1); }
static inline void raddle_atomic_end(void) { if (raddle_say_atomic) raddle_say_atomic(0); }
static inline void raddle_ignore_begin(void) { if (raddle_say_ignore) raddle_say_ignore(1); }
static inline void raddle_ignore_end(void) { if (raddle_say_ignore) raddle_say_ignore(0); }
static inline void raddle_lock_acquired(const void *lock, int for_reading)
{
	if (raddle_say_lock)
		raddle_say_lock(lock, for_reading, 1);
}
static inline void raddle_lock_releasing(const void *lock, int for_reading)
{
	if (raddle_say_lock)
		raddle_say_lock(lock, for_reading, 0);
}
static inline void raddle_happens_before(const void *object) { if (raddle_say_order) raddle_say_order(object, 1); }
static inline void raddle_happens_after(const void *object) { if (raddle_say_order) raddle_say_order(object, 0); }
static inline void raddle_block_given(const void *address, size_t bytes)
{
	if (raddle_say_block)
		raddle_say_block(address, bytes, 1);
}
static inline void raddle_block_taken_back(const void *address)
{
	if (raddle_say_block)
		raddle_say_block(address, 0, 0);
}

#endif
