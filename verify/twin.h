/* verify/twin.h -- the events of a text twin, and what their lines say.
 * Shares nothing with the rest of raddle; what is read is hostile: whatever it holds, line_bad() ends the check with a reason. */
#ifndef RADDLE_VERIFY_TWIN_H
#define RADDLE_VERIFY_TWIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NOTHING UINT32_MAX

/* Lists: what they hold, how many, room for how many. */
#define LIST(storage, T, name) storage T *name; storage uint32_t name##_count, name##_room;
#define LIST_ADD(name) (*(name = list_grown(name, name##_count, &name##_room, sizeof *name), &name[name##_count++]))
void *list_grown(void *list, uint32_t count, uint32_t *room, size_t size);

/* A line of either file; good until the next: words[first ...]. */
struct line { uint32_t first, count; };
bool line_next(char **at, struct line *line);   /* the next that says something; false: no more */
_Noreturn void line_bad(const char *what);      /* refutation.c's: what is wrong with the line at hand; does not come back */
extern uint64_t line_number;                    /* of the line at hand */
extern char **words;
extern uint32_t words_count;
bool     word_number(const char *w, uint64_t *n);
bool     word_among(const char *w, const char *list);   /* " word word " */
uint64_t word_object(const char *w);            /* NAME@0x..., 0x..., NAME+OFFSET or NAME; KEY=...: 0 */

/* An event: its line, the object it names.  The at-th of its thread: 0 is made up and stands in front of its first, and one more behind its
 * last.  emptied: how many events of its thread, up to itself, found its store buffer empty. */
struct event { struct line line; uint32_t thread, at, emptied; uint64_t object; };
struct thread { const char *path; uint32_t *event, event_count, event_room; };
extern struct event *events;                    /* in the order of the twin */
extern struct thread *threads;
extern uint32_t events_count, threads_count;
extern uint64_t twin_events, twin_hash;         /* how many; FNV-1a of path and kind of each */

void twin_read(char *twin);                     /* kept as long as the events are */
uint32_t thread_named(const char *path);        /* made when it is first met */

const char *word_of(uint32_t e, uint32_t i);            /* "": it has none */
const char *field_of(uint32_t e, const char *key);      /* what follows KEY=; "": nothing */
bool event_is(uint32_t e, const char *kind);
bool event_among(uint32_t e, const char *kinds);
bool event_failed(uint32_t e);                          /* of a compare-exchange: it did not write; else it has a result */
bool event_empties(uint32_t e);                         /* it finds its thread's store buffer empty */

/* What it reads or writes: how many bytes, from *address on; 0: nothing. */
uint64_t event_extent(uint32_t e, bool written, uint64_t *address);
int event_byte(uint32_t e, bool written, uint64_t address);     /* its value there; -1: not known, -2: it does not touch it */

#endif
