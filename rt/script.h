/* rt/script.h -- the script a steered run follows and the log it writes (script.c). */
#ifndef RADDLE_RT_SCRIPT_H
#define RADDLE_RT_SCRIPT_H

#include "rt/serve.h"
#include "rt/steer.h"

void log_step(enum step_what what, const struct strand *s, uint64_t nth, enum event_kind kind, uint32_t answer, uint64_t place);
void log_ran(struct strand *s);               /* it stops running: it ran as far as it came */
void log_running(void);                       /* the same of whoever runs */

/* Is there such a step?  Asked before any step is read: that may be the place to keep a copy of the run (serve_keep). */
static inline bool script_has(uint64_t index)
{
	if (rt_unlikely(index >= steer->keep_at))
		serve_keep();
	return index < steer->script_count;
}
/* Who goes on, by the script; `only`: nobody else could.  False: the script is at its end. */
bool script_follow(struct choice *c, const struct strand *only);
/* The next run of a strand that is not complete, and its index; NULL: the script is at its end. */
const struct steer_step *script_next_run(uint64_t *index);
/* Is this where the recorded run was killed from outside? */
bool script_was_killed(void);
/* What the script has the nth event of `s` told, if that is its next step; it is used up. */
bool script_answer(enum step_what what, const struct strand *s, uint64_t nth, uint32_t *answer);
/* The same for a number below n that the event just begun is to be given. */
bool script_number(const struct strand *s, uint32_t n, uint32_t *number);
/* The run cannot follow it: ends the process. */
_Noreturn void script_leave(const char *why, const struct steer_step *step);

#endif
