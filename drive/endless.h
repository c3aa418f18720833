/* drive/endless.h -- when a run is said to hang that came to its limit of steps.
 * It does so only if it would not end either with everybody getting turns from there on: priorities, or whoever spins, may keep one thread from going on
 * for ever, and so may turns that let each thread take back what another waits for, each time right before that one would get it. */
#ifndef RADDLE_DRIVE_ENDLESS_H
#define RADDLE_DRIVE_ENDLESS_H

#include "drive/runs.h"

#define ENDLESS_TIMES    10u            /* the events of the first run: what goes on longer is a livelock, */
#define ENDLESS_SHORTEST 10000u         /* but nothing shorter than this is */

uint64_t endless_after(uint64_t events);        /* the limit for runs of which one had so many */

enum fair_turns {
	FAIR_HANGS,                     /* it does not end with such turns, either */
	FAIR_ENDS,
	FAIR_UNKNOWN,                   /* nobody knows: its log is no schedule of it, or a run with such turns left that one or took too long */
};

/* `r` came to its limit: it is followed to there, and goes on for as long again with turns that are drawn.  In `runs`, which has nothing to do; *made grows
 * by the runs it took.  0; or -1 and why, and nothing is known. */
int endless_fair(struct runs *runs, const struct steer_result *r, enum fair_turns *out, uint64_t *made, struct err *why);

#endif
