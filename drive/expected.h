/* drive/expected.h -- did a run that followed a schedule come to the end the schedule says? */
#ifndef RADDLE_DRIVE_EXPECTED_H
#define RADDLE_DRIVE_EXPECTED_H

#include <stdbool.h>
#include <stddef.h>

#include "drive/schedule.h"
#include "drive/steer.h"

/* The run left its schedule, or ended before it was used up: at this step.  false: it did neither. */
bool expected_left(const struct schedule *s, const struct steer_result *r, size_t *step);
bool expected_outcome(const struct schedule *s, const struct steer_result *r);  /* the same kind, value and text */
bool expected_waits(const struct schedule *s, const struct steer_result *r);    /* of a deadlock: the same threads wait for the same */
bool expected_events(const struct schedule *s, const struct steer_result *r);
/* All of it. */
bool expected_end(const struct schedule *s, const struct steer_result *r);

#endif
