/* rt/input.h -- the log of what came from outside: kept in one run, served in another (wire/input.h). */
#ifndef RADDLE_RT_INPUT_H
#define RADDLE_RT_INPUT_H

#include <signal.h>

#include "rt/world.h"
#include "wire/input.h"

void input_join(void);
void input_forked(void);
bool input_serving(void);
bool input_keeping(void);

/* Keeps one answer of the outside to the calling strand; does nothing unless keeping. */
void input_note(enum input_what what, const struct world_call *c, long result, const struct piece *pieces, unsigned count,
	uint32_t flags, uint64_t check);
void input_note_clock(void);
void input_note_signal(int number, const siginfo_t *info);    /* from outside */
void input_clock_due(void);                   /* in a replay, before a choice: the clock goes on, and signals come, as they did */

bool input_was_interrupted(const struct strand *s);    /* is it that a handler ended its wait? */
bool input_has_more(const struct strand *s);  /* is there another answer for this strand? */
/* The next answer for the calling strand, which must be one to this; leaves the schedule if it is not. */
const struct input_record *input_next(enum input_what what, const struct world_call *c);
/* Puts its pieces where they belong. */
void input_fill(const struct input_record *r, const struct piece *pieces, unsigned count);
const void *input_piece(const struct input_record *r, uint64_t index, uint64_t *bytes);   /* NULL: it has none */
/* The program did something else than in the recorded run. */
_Noreturn void input_leave(const char *what, const struct world_call *c, long expected);

#endif
