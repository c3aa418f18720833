/* rt/cxx.c -- what functions of std::thread in libstdc++ write themselves: a check, which holds every read against what was written, is told.
 * Threads and joins they make by calls of pthreads, which are seen.  Nobody else is told: what they write nobody reads but the thread that called them. */
#ifndef RADDLE_STATIC
#include "rt/rt.h"
#include "rt/steer.h"

static void wrote(const void *at, uint64_t pc)
{
	if (rt_steered() && steer->states)
		rt_event_bytes(EV_LIBWRITE, (uint64_t)at, sizeof(void *), 0, at, sizeof(void *), 0, pc);
}

/* The state of the new thread is handed over: the pointer to it is null afterwards. */
#define STARTS(name) \
	void name(void *self, void **state, void (*needed)(void)); \
	INTERPOSE(void, name, (void *self, void **state, void (*needed)(void))) \
	{ \
		REAL(name)(self, state, needed); \
		wrote(state, RT_PC); \
	}
STARTS(_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE)

/* The object stands for no thread afterwards. */
#define LETS_GO(name) \
	void name(void *self); \
	INTERPOSE(void, name, (void *self)) \
	{ \
		REAL(name)(self); \
		wrote(self, RT_PC); \
	}
LETS_GO(_ZNSt6thread4joinEv)
LETS_GO(_ZNSt6thread6detachEv)
#else
typedef int nothing_here;
#endif
