/* analyses/predict/aims.h -- what a recording makes worth trying: orders of few of its events that were not observed.
 *
 *   AIM_RACE      two accesses to the same bytes, one writes, not both atomic, not ordered by threads and synchronisation: adjacent
 *   AIM_TURN      two dependent events, the second one first
 *   AIM_BETWEEN   two accesses of one thread to the same bytes, and another thread's between them, in a way no order without it has
 *   AIM_LATE      a store, and another thread's access to its bytes after it: the store reaches memory behind that, while its thread has gone on
 *   AIM_HANDLED   two accesses of one thread, and a signal handler of the same thread that ran elsewhere: between them (handled.c)
 *   AIM_WAITS     threads that each stand in front of what the next one of them has to give, in a circle
 * Aims are of *groups*, by kind, source lines and object: one of a group that shows is enough.  Whether one is possible is
 * for order/ to say, and for a run to show. */
#ifndef RADDLE_PREDICT_AIMS_H
#define RADDLE_PREDICT_AIMS_H

#include "analyses/predict/recording.h"
#include "base/arena.h"
#include "base/map.h"

#define AIM_MOMENTS 8u                          /* threads of a circle, at most */
#define AIMS_A_GROUP 8u
#define AIMS_FURTHER 32u                        /* races of a group that are kept to be asked about */

enum aim_kind { AIM_RACE, AIM_WAITS, AIM_BETWEEN, AIM_TURN, AIM_LATE, AIM_HANDLED, AIM_KIND_COUNT };
enum { LATE_STORE, LATE_OTHER, LATE_FAR, LATE_NEAR };    /* moments of an AIM_LATE; the last two, how far the thread goes on, are not counted */

enum { BETWEEN_READ = 3 };                      /* of an AIM_BETWEEN, and not counted: the other's write is behind this read of its own thread; no place: behind none */
enum { HANDLED_SENT = 3 };                      /* of an AIM_HANDLED, and not counted: the event that sends the signal */

/* Points of a thread that are to be left out where they were: a handler is to run later. */
struct handler_skip { uint32_t thread; uint64_t from, count; };

struct aim {
	enum aim_kind kind;
	struct moment at[AIM_MOMENTS];          /* RACE, TURN: as observed; BETWEEN: first, the other's, second; HANDLED: first, the handler's, second, or in front of all the handler's, second */
	uint32_t count;
	uint32_t behind;                        /* LATE: points the other goes on behind its access before the store's thread does; HANDLED: 1, right behind the first */
	struct handler_skip skip;               /* HANDLED */
	bool denied;                            /* TURN: the second tries to take what the first one gives back, or has not given yet, when it stands in front of that */
	bool asked;                             /* whether values forbid it (closed.h), with this answer: */
	int8_t closed;
	const char *rule;                       /* why they do, or NULL */
};

struct further { struct moment at[2]; };

/* By what is known of the values its events need before it is run: in this order they are tried. */
enum aims_rank { RANK_POSSIBLE, RANK_UNASKED, RANK_AGAINST };

struct aims_group {
	enum aim_kind kind;
	const char *key;                        /* "kind|line|line|object": the same in every recording */
	const char *object;                     /* name, "" unknown */
	uint64_t times;                         /* pairs of events met */
	VEC(struct aim) aims;                   /* to be tried */
	VEC(struct further) further;            /* races: tried if only these are possible */
	bool unasked;                           /* and there were more */
	enum aims_rank rank;
	bool doubted;                           /* it was asked about, and the question was too hard */
	bool looked_at;
};

struct aims {                                   /* all-zero: empty */
	VEC(struct aims_group) groups;
	struct names keys;                      /* number of a key = number of its group */
	struct names objects;
	const char *unlooked;                   /* why there may be more aims than these; NULL: these are all */
};

int  aims_collect(struct aims *a, struct recording *r, struct err *why);        /* accesses; 0, or -1 and why */
int  aims_handled(struct aims *a, struct recording *r, struct err *why);        /* signal handlers */
int  aims_waits(struct aims *a, struct recording *r, struct err *why);          /* circles of waiting threads, lost signals */
void aims_release(struct aims *a);

/* Adds an aim to its group; false: the group is full. */
bool aims_add(struct aims *a, const struct aim *aim, const char *object);
/* Adds a race to those that are only asked about. */
void aims_add_further(struct aims *a, const struct aim *aim, const char *object);
struct aim further_aim(const struct aims_group *g, size_t number);

#endif
