/* trace/uncovered.h -- the calls of a trace that led into code raddle does not see: objects not instrumented, and parts of
 * instrumented ones that were compiled by somebody else.  Functions the runtime stands in front of or models are seen. */
#ifndef RADDLE_TRACE_UNCOVERED_H
#define RADDLE_TRACE_UNCOVERED_H

#include "base/vec.h"
#include "trace/reader.h"

struct uncovered_call { const char *name; uint64_t calls; };                     /* "" through a pointer nobody knows */
struct uncovered_hand {                 /* calls of one place that handed over a pointer to memory others may see */
	const char *name;               /* as above */
	const char *object;             /* path of the object the callee is in; "" unknown */
	const struct place *at;
	uint64_t calls;
};
typedef VEC(struct uncovered_call) uncovered_calls;
typedef VEC(struct uncovered_hand) uncovered_hands;

struct uncovered;
struct uncovered *uncovered_new(struct trace *t);                               /* never NULL */
/* Wants every CALL, and whatever the thread does next if the answer is true. */
bool uncovered_note(struct uncovered *u, const struct event *ev);
/* Does this CALL lead to code nobody watches?  UNKNOWN: it does unless the next thing its thread does answers it: a function begins, or a model has
 * told what it did. */
enum sight { SEEN, UNSEEN, UNKNOWN };
bool uncovered_is_answer(const struct event *ev);
enum sight uncovered_sight(struct uncovered *u, const struct event *ev);
/* The function this CALL without a name reaches, by its nth name; NULL: it has no more. */
const char *uncovered_target(struct uncovered *u, const struct event *ev, uint32_t nth);
/* Every function the program's code calls by name, made or not, once a place: does it lead out, is it handed a pointer others may have? */
typedef void uncovered_told(void *with, const char *name, bool out, bool hands_over);
void uncovered_callees(struct uncovered *u, uncovered_told *told, void *with);
void uncovered_free(struct uncovered *u);                                       /* NULL is fine */
void uncovered_finish(struct uncovered *u, uncovered_calls *calls, uncovered_hands *hands);     /* most calls first; u is gone */

/* Our own runtime and the kernel's page need no instrumenting. */
bool object_is_own(const char *path);

#endif
