/* drive/steer_start.c -- a steered program with its two memories, begun in one way: alone (steer.c), as a server of runs (server.c), as the run
 * faults part from (trunk.c).
 *   (1) the environment of all three has one length: the program's stack lies where it lies in every other run;
 *   (2) the program can read what it is handed over, so that is the same in every run: no process number of ours.  Only a recording needs that,
 *       for programs started by the program; those of a steered one are not followed. */
#include <fcntl.h>
#include <stdio.h>

#include "drive/environment.h"
#include "drive/steer_inside.h"
#include "wire/tls.h"

int memories_make(struct ring *ring, struct shared *m, const struct steer_options *o, bool streams, uint32_t keep, struct err *why)
{
	if (ring_make(ring, RING_STREAM, MODE_STEER, streams ? SHARED_STREAM_RING : SHARED_AREAS_RING, false, why) < 0)
		return -1;
	ring->head->keep = keep;
	if (o->fault)
		*ring_fault(ring) = *o->fault;
	if (shared_make(m, o, why) == 0)
		return 0;
	ring_release(ring);
	return -1;
}

void memories_release(struct ring *ring, struct shared *m)
{
	shared_release(m);
	ring_release(ring);
}

pid_t memories_start(const struct ring *ring, const struct shared *m, const struct schedule *like, struct program_start *how, bool *fixed, struct err *why)
{
	char ring_number[64], steer[64];
	struct environment_setting more[] = { { RING_ENV, ring_number }, { STEER_ENV, steer }, { NULL, NULL } };
	snprintf(ring_number, sizeof ring_number, "%d:0:%d", ring->fd, MODE_STEER);
	snprintf(steer, sizeof steer, "%d", m->fd);
	char **environment = environment_make(like, more);
	how->environment = environment;
	how->own_group = true;
	pid_t child = program_start(how, fixed, why);
	environment_free(environment);
	fcntl(ring->fd, F_SETFD, FD_CLOEXEC);           /* who is started beside it is not to have its memories */
	fcntl(m->fd, F_SETFD, FD_CLOEXEC);
	return child;
}
