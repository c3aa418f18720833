/* analyses/epa/diff.h -- where two runs of one program part, thread by thread, and how what was wrong went on.
 *
 * Threads are compared by their paths, events in lock step.  A deviation is an event that is not the same: another way taken (control), another
 * address (address), another value, payload or result (data); a thread that only one run has; a lane that stops because the run was ended.
 * After a control deviation the two are laid side by side again where they do the same thing in the same call, the same time round (align.h). */
#ifndef RADDLE_EPA_DIFF_H
#define RADDLE_EPA_DIFF_H

#include "analyses/epa/canon.h"

enum deviation { DEV_NONE, DEV_CONTROL, DEV_DATA, DEV_ADDRESS, DEV_EXTRA_THREAD, DEV_MISSING_THREAD, DEV_CRASH, DEV_HANG, DEV_DEADLOCK, DEV_EARLY_EXIT, DEV_LEFT_SCHEDULE };
extern const char *const deviation_words[];             /* "control", ... */

/* A stretch of one thread.  Aligned: both ranges are of equal length and event i of one belongs to event i of the other. */
struct stretch { size_t golden, other, golden_count, other_count; bool aligned; };

struct thread_diff {
	const char *path;
	const struct canon_lane *golden, *other;        /* NULL: the run has no such thread */
	enum deviation first;
	size_t at_golden, at_other;                     /* of the first deviation; the lane's length where it has ended */
	uint64_t deviating;                             /* events that are not the same, or that one run alone has */
	uint32_t parted;                                /* how often they had to be laid side by side again */
	VEC(struct stretch) stretches;                  /* all of it, in order */
};

struct diff {
	const struct canon *golden, *other;
	struct thread_diff *threads;                    /* sorted by path */
	uint32_t thread_count, deviating;
	enum deviation end;                             /* how the other run ended, if it was not as the golden one did */
};

bool diff_waits(uint32_t kind, bool until);             /* for that event, which may never be; who sleeps, or has a deadline, goes on by itself */
enum deviation diff_ended(const struct trace *t);       /* what made the run end where it did, seen from one that goes on */
enum deviation deviation_between(const struct canon_event *golden, const struct canon_event *other);      /* of two that are not the same */
/* How many entries, at most so many, are the same from g and o on; and how far in front of two that are not the events begin which they belong to. */
size_t diff_same(const struct canon_lane *golden, size_t g, const struct canon_lane *other, size_t o, size_t most);
size_t diff_into(const struct canon_lane *golden, size_t g, const struct canon_lane *other, size_t o);
void diff_make(struct diff *d, const struct canon *golden, const struct canon *other);
void diff_release(struct diff *d);
/* Threads that deviate, the one first in the other run first; mem_free() it.  deviating of them. */
const struct thread_diff **diff_sorted(const struct diff *d);

#endif
