/* trace/event_words.h -- an event in words, for people. */
#ifndef RADDLE_TRACE_EVENT_WORDS_H
#define RADDLE_TRACE_EVENT_WORDS_H

#include "trace/objects.h"

#define WORDS_ROOM 640
/* "writes balance = 5", "locks m", "waits for lock m"; returns into, which has WORDS_ROOM bytes. */
char *event_words(char *into, struct trace *t, const struct objects *o, const struct event *ev);

#endif
