/* trace/kinds.c -- the table of event kinds, as questions. */
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <threads.h>

#include "trace/reader.h"

static const struct { const char *word; enum event_class class; } kinds[EV_COUNT] = {
#define K(name, number, word, class, text) [number] = { word, CLASS_##class },
	EVENT_KINDS(K)
#undef K
};

const struct event event_none;

const char *event_word(enum event_kind kind)
{
	return (unsigned)kind < EV_COUNT ? kinds[kind].word : NULL;
}

int event_kind_of(const char *word)
{
	for (int i = 0; i < EV_COUNT; i++)
		if (kinds[i].word && strcmp(kinds[i].word, word) == 0)
			return i;
	return -1;
}

enum event_class event_class(enum event_kind kind)
{
	return (unsigned)kind < EV_COUNT ? kinds[kind].class : CLASS_BOOK;
}

bool kind_is_deed(enum event_kind kind)
{
	switch (event_class(kind)) {
	case CLASS_BOOK: case CLASS_FLOW: return false;
	case CLASS_OBJECT: return kind == EV_ALLOC || kind_gives_back(kind);
	default: return kind != EV_NAME && kind != EV_BEGIN;
	}
}

bool event_is_access(const struct event *ev)
{
	enum event_class class = event_class(ev->kind);
	return class == CLASS_MEMORY || (class == CLASS_ATOMIC && ev->kind != EV_FENCE);
}

const char *event_said(enum event_kind kind)
{
	switch (kind) {
	case EV_READ:       return "read";
	case EV_WRITE:      return "write";
	case EV_ALOAD:      return "atomic load";
	case EV_ASTORE:     return "atomic store";
	case EV_RMW:        return "atomic update";
	case EV_CAS:        return "compare-exchange";
	case EV_LIBREAD:    return "read by a library function";
	case EV_LIBWRITE:   return "write by a library function";
	case EV_TRYFAIL:    return "lock not got";
	case EV_CWAIT:      return "start to wait for a condition";
	case EV_CWAKE:      return "wake from a condition";
	case EV_CSIGNAL:    return "signal a condition";
	case EV_CBROADCAST: return "broadcast a condition";
	case EV_BENTER:     return "arrive at a barrier";
	case EV_BLEAVE:     return "leave a barrier";
	case EV_SWAIT:      return "take a semaphore";
	case EV_SPOST:      return "post a semaphore";
	case EV_FWAIT:      return "futex wait";
	case EV_FWAKE:      return "futex wake";
	case EV_RELEASE:    return "hand over what was done";
	case EV_ACQUIRE:    return "see what was handed over";
	case EV_FORK:       return "create a thread";
	case EV_PROCESS:    return "fork";
	case EV_SIGENTER:   return "start a signal handler";
	case EV_SIGLEAVE:   return "leave a signal handler";
	case EV_SIGSEND:    return "send a signal";
	default:            return event_word(kind);
	}
}

const char *wait_words(unsigned kind)
{
	switch (kind) {
	case EV_LOCK:   return "lock";
	case EV_JOIN:   return "the end of thread";
	case EV_CWAKE:
	case EV_CWAIT:  return "condition";
	case EV_BLEAVE:
	case EV_BENTER: return "barrier";
	case EV_SWAIT:  return "semaphore";
	case EV_ONCE:   return "once";
	case EV_FWAIT:  return "futex";
	case EV_INPUT:  return "input at";
	case EV_YIELD:  return "time to pass at";
	default:        return "something at";
	}
}

uint32_t lock_type_bytes(uint64_t type)
{
	static const uint8_t bytes[] = { [LOCK_MUTEX] = sizeof(pthread_mutex_t), [LOCK_RECURSIVE] = sizeof(pthread_mutex_t),
		[LOCK_ERRORCHECK] = sizeof(pthread_mutex_t), [LOCK_RWLOCK] = sizeof(pthread_rwlock_t), [LOCK_SPIN] = sizeof(pthread_spinlock_t),
		[LOCK_COND] = sizeof(pthread_cond_t), [LOCK_BARRIER] = sizeof(pthread_barrier_t), [LOCK_SEM] = sizeof(sem_t), [LOCK_C11] = sizeof(mtx_t),
		[LOCK_GUARD] = sizeof(uint64_t) };
	return type < sizeof bytes ? bytes[type] : 0;
}
