/* rt/cxx.c -- what functions of std::thread in libstdc++ write themselves: a check, which holds every read against what was written, is told.
 * Threads and joins they make by calls of pthreads, which are seen.  Nobody else is told: what they write nobody reads but the thread that called them. */
#ifndef RADDLE_STATIC
#include "rt/buffer.h"
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

/* Of libstdc++: functions that do nothing, or call one of pthreads and touch nothing but what their own thread has on its stack.  What that one does to a store
 * buffer it does itself, so calling these does nothing to it. */
#define HANDS_ON(X) \
	X(_ZNSt6thread6_StateD2Ev) X(_ZNSt18condition_variable10notify_oneEv) X(_ZNSt18condition_variable10notify_allEv) \
	X(_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE) X(_ZNSt18condition_variableC1Ev) X(_ZNSt18condition_variableD1Ev) \
	X(_ZNSaIcEC1Ev) X(_ZNSaIcEC2Ev) X(_ZNSaIcED1Ev) X(_ZNSaIcED2Ev) X(__once_proxy)
#define X(name) extern const char of_cxx_##name[] __asm__(#name) __attribute__((weak));
HANDS_ON(X)
#undef X

bool cxx_keeps_stores(const char *code)
{
	static const char *const all[] = {
#define X(name) of_cxx_##name,
		HANDS_ON(X)
#undef X
	};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (code == all[i])
			return true;
	return false;
}
#else
#include "rt/buffer.h"
bool cxx_keeps_stores(const char *code)
{
	(void)code;
	return false;
}
#endif
