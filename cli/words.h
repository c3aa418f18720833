/* cli/words.h -- an event in words, for people. */
#ifndef RADDLE_CLI_WORDS_H
#define RADDLE_CLI_WORDS_H

#include "trace/objects.h"

#define WORDS_ROOM 640
/* "writes balance = 5", "locks m", "waits for lock m"; returns into, which has WORDS_ROOM bytes. */
char *event_words(char *into, struct trace *t, const struct objects *o, const struct event *ev);
/* "5", "-1", "0x7fff..." of a value of so many bytes, into at least 40 bytes. */
char *value_words(char *into, uint64_t low, uint64_t high, unsigned size);
/* "lock", "join", ... as a thing waited for: "a lock", "the end of a thread". */
const char *wait_words(uint32_t kind);

#endif
