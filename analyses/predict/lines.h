/* analyses/predict/lines.h -- what goes through pipes, socket pairs and event descriptors (wire/line.h), for who thinks about other orders.
 *
 * In a trace a read acquires what the writes released whose bytes it returned.  In another order it may return another's.  So a line of which every write was read by one
 * read, in one piece, is taken for a semaphore: each write posts, each read waits once, however much it got.  The byte it then gets is another one; what the program makes of it a
 * run shows.  Where values are held (values.c) every read returns what it returned, from pipes too: what stands against an aim then closes nothing.  Any other line, and one that cannot be told from a semaphore (one writes, another reads, one by one), stays as it is: who was first is first. */
#ifndef RADDLE_PREDICT_LINES_H
#define RADDLE_PREDICT_LINES_H

#include "base/map.h"
#include "base/vec.h"
#include "trace/event.h"

struct line_use { uint64_t line; uint32_t writer, reader, count; bool others, in_pieces; };      /* threads + 1; others: more than one of either, or several writes in one read */
struct lines {
	struct map number;              /* line -> 1 + number in */
	VEC(struct line_use) all;
	struct map waiting;             /* slots written and not read yet */
	struct map read_at;             /* (thread, line) -> 1 + point of its last read there */
	bool known;                     /* all events were noted, */
	bool otherwise;                 /* and some lines are taken for semaphores */
};

void lines_note(struct lines *l, const struct event *ev);
bool lines_end(struct lines *l);                /* there are some that are taken for semaphores */
void lines_release(struct lines *l);

struct lines_pass { const struct lines *lines; struct map read_at; struct event as; };
/* The event as order/ is to see it: itself, or a post, a wait, or nothing of a semaphore; lives until the next. */
const struct event *lines_seen(struct lines_pass *p, const struct event *ev);
void lines_pass_end(struct lines_pass *p);

#endif
