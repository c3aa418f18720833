/* drive/steer_inside.h -- what those share who start a steered program and take its results: steer*.c, server.c, trunk.c, rebuilt.c, handed*.c. */
#ifndef RADDLE_DRIVE_STEER_INSIDE_H
#define RADDLE_DRIVE_STEER_INSIDE_H

#include "drive/program.h"
#include "drive/ring.h"
#include "drive/steer.h"

struct shared {                         /* the memory of wire/steer.h, seen from our side */
	struct steer_head *head;
	struct steer_step *script;
	uint64_t *log;
	uint64_t script_room, script_count, log_at, log_room, ways_at, ways_room, events_at, events_room,
		flushes_at, flushes_room, briefs_at, runs, handed_at, handed_room, bytes;        /* our own numbers */
	int fd;
};

#define START_SECONDS 30                       /* a program may take to come to its first event, whatever limit it has */
#define SHARED_STREAM_RING (32ull << 20)        /* of the ring beside it; */
#define SHARED_AREAS_RING  (128u << 10)         /* nobody writes records */

/* 0, or -1 and why.  The order in it is that of `o`; another one may be put there between runs, if its script has room. */
int  shared_make(struct shared *m, const struct steer_options *o, struct err *why);
void shared_order(struct shared *m, const struct steer_options *o);
void shared_release(struct shared *m);
struct steer_strand *shared_strand(const struct shared *m, uint32_t i);         /* i < STEER_STRANDS */
bool shared_kills(int number);                   /* a signal that ends a process by default, and that others send */

/* Both memories; streams: somebody takes records from the ring while they come.  keep: KEEP_... of the ring.  0, or -1 and why. */
int  memories_make(struct ring *ring, struct shared *m, const struct steer_options *o, bool streams, uint32_t keep, struct err *why);
void memories_release(struct ring *ring, struct shared *m);
/* program_start() of a program that finds them, with the environment of `like` (NULL: ours). */
pid_t memories_start(const struct ring *ring, const struct shared *m, const struct schedule *like, struct program_start *how, bool *fixed, struct err *why);

/* Counts events of each kind in each function, thread by thread: what `here` of a step means. */
struct functions { struct map of_place, counts; struct names names; };
/* The event's number among those like it; *name (may be NULL) is the function, "" unknown. */
uint32_t functions_count(struct functions *f, struct places *p, const struct steer_event *e, const char **name);
void functions_release(struct functions *f);

/* Copies everything worth keeping out of the shared memories.  0; 1: no program came to be steered; -1 and why. */
int result_take(struct steer_result *r, const struct shared *m, const struct ring *ring, int child, struct err *why);

#endif
