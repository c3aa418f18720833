/* verify/lines.h -- a text twin, or a refutation, line by line: words, numbers, names, and what the access on a line touches. */
#ifndef RADDLE_VERIFY_LINES_H
#define RADDLE_VERIFY_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is wrong with the line at hand; does not come back.  refutation.c's. */
_Noreturn void line_bad(const char *what);
void *line_grown(void *list, uint32_t count, uint32_t *room, size_t size);     /* with room for one more */

/* A file's lists: what they hold, how many, room for how many. */
#define LIST_DECLARE(T, name) static T *name; static uint32_t name##_count, name##_room;
#define LIST_FORGET(T, name) name##_count = 0;
#define LIST_ADD(name) (*(name = line_grown(name, name##_count, &name##_room, sizeof *name), &name[name##_count++]))

extern uint64_t line_number;                    /* of the line at hand */
extern uint32_t line_words;                     /* how many it has */

char *line_first(const char *bytes, size_t length);     /* where to begin: a copy, good until the next */
bool  line_next(char **at);                     /* false: no more */
char *line_word(uint32_t i);                    /* its own, may be cut; "": it has none */
bool  line_is(const char *kind);                /* an event of this kind, or, of " kind kind ", of one of these? */
bool  line_among(const char *kinds);
const char *line_kind(uint32_t i);              /* word i says the kind from here on */
const char *line_field(const char *key);        /* what follows KEY= in the event; "": it has none */

bool     word_number(const char *w, uint64_t *n);
uint64_t word_mixed(uint64_t n, const char *w);
uint64_t word_object(const char *w);            /* NAME@0x..., 0x..., NAME+OFFSET or NAME */
void     word_bytes(const char *w, uint8_t *into);      /* at most 16, two digits each */

/* value: of the first 16 bytes, if known; node: for who wants it */
struct access { uint64_t address, size; uint32_t node; bool writes, known; uint8_t value[16]; };
uint32_t line_accesses(struct access *two);     /* of the event: how many; what is read comes before what is written */

#endif
