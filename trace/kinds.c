/* trace/kinds.c -- the table of event kinds, as questions. */
#include <string.h>

#include "trace/reader.h"

static const struct { const char *word; enum event_class class; } kinds[EV_COUNT] = {
#define K(name, number, word, class, text) [number] = { word, CLASS_##class },
	EVENT_KINDS(K)
#undef K
};

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

bool event_is_access(const struct event *ev)
{
	enum event_class class = event_class(ev->kind);
	return class == CLASS_MEMORY || (class == CLASS_ATOMIC && ev->kind != EV_FENCE);
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
