/* drive/steer_inside.h -- what steer.c and steer_result.c share; nobody else includes it. */
#ifndef RADDLE_DRIVE_STEER_INSIDE_H
#define RADDLE_DRIVE_STEER_INSIDE_H

#include "drive/ring.h"
#include "drive/steer.h"

struct shared {                         /* the memory of wire/steer.h, seen from our side */
	struct steer_head *head;
	struct steer_step *script, *log;
	uint64_t script_count, log_at, log_room, ways_at, ways_room, bytes;     /* our own numbers */
	int fd;
};

struct steer_strand *shared_strand(const struct shared *m, uint32_t i);         /* i < STEER_STRANDS */

/* Copies everything worth keeping out of the shared memories.  0; 1: no program came to be steered; -1 and why. */
int result_take(struct steer_result *r, const struct shared *m, const struct ring *ring, int child, struct err *why);

#endif
