/* analyses/epa/pace.h -- how many events the threads of a run have made by a certain moment, counted from its records as they come (quick.h).
 *
 * Natively the moment of an event that is not stamped is a guess between those that are, by how far it is from them, as in trace/load.c: for the same run
 * the merged order of its trace says about the same; which event of another thread came before is as uncertain there.
 *   (1) the count of all events is that of the trace;
 *   (2) nothing the program wrote is trusted. */
#ifndef RADDLE_EPA_PACE_H
#define RADDLE_EPA_PACE_H

#include "analyses/epa/canon.h"
#include "trace/raw.h"
#include "wire/ring.h"

struct pace;
struct pace *pace_new(struct trace *t, struct sites *s, struct names_book *book, const char *function);    /* function: asked for, or NULL */
void pace_free(struct pace *p);                         /* NULL is fine */
/* Another run.  Of interest is when the thread with this path makes this event, not counting those that hang on scheduling alone; UINT64_MAX: none. */
void pace_begin(struct pace *p, const char *path, uint64_t event);
/* Records of a thread, in their order; not of a handler: `own`.  death: they are its last, NULL: they are not. */
void pace_segment(struct pace *p, const struct segment_head *head, bool own, const uint8_t *records, size_t bytes, const struct raw_death *death);
uint64_t pace_events(const struct pace *p);             /* of all threads */
uint64_t pace_aimed(const struct pace *p);              /* those before that event; 0: it did not come */
bool pace_called(const struct pace *p, uint64_t *before);        /* was the function called or entered?  How many came before that */
bool pace_is_passed_over(const uint8_t *record);        /* is its being there a matter of scheduling alone? */

#endif
