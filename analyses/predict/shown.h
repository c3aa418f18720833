/* analyses/predict/shown.h -- what shows in a run, and what is kept of one that shows something: a schedule, replays, a finding. */
#ifndef RADDLE_PREDICT_SHOWN_H
#define RADDLE_PREDICT_SHOWN_H

#include "analyses/predict/work.h"

/* A race of accesses at these lines, in any order, to this object. */
struct race_sign { struct lab_sign sign; char lines[2][160]; char object[256]; };
struct race_sign sign_of(const struct aim *aim, const char *object);    /* object: of its group */
struct race_sign sign_of_race(const struct race *race);
bool shows_race(const struct lab_sign *sign, struct run_done *run);
void mark_race(const struct lab_sign *sign, struct run_done *run);     /* a debugger stops before the second access */
void sign_object(struct race_sign *s, const char *object);             /* that of a group becomes its own */
bool sign_is_of(const struct race_sign *s, const char *object);        /* the object of a group: the same one? */
const struct race *race_of(const struct race_sign *s, const struct race_list *l);       /* NULL: there is none */

/* It exited and put out this (lab_output()). */
struct output_sign { struct lab_sign sign; uint64_t output; };
bool shows_output(const struct lab_sign *sign, struct run_done *run);

bool shows_same_failure(const struct work *w, struct run_done *run, const char *key);   /* failure_key() */

/* Keeps the run with this log as the schedule of a finding (lab_keep()), which is confirmed if a replay of it shows it.  0 and *kept to be released, or -1 and why. */
int  shown_keep(struct work *w, struct finding *f, const struct schedule *log, const struct lab_sign *sign, struct evidence *kept, struct err *why);
/* The same of a goal that is a race: reached, or left. */
int  shown_keep_race(struct work *w, struct goal *g, const struct race_sign *sign, const struct schedule *log, struct err *why);
/* The recorded run failed as it is: told, if it is of a kind that is looked for.  0, or -1 and why. */
int  tell_recorded_failure(struct work *w, struct run_done *run, struct err *why);
/* One that was drawn did, though the recorded run went well: if by nothing else, its order was wrong.  Not told where a failure was told already: it may be
 * the same one, come to another way. */
int  tell_drawn_failure(struct work *w, struct run_done *run, struct err *why);
/* The one that lingers did (lab_linger()): the same, and then it is worth thinking about, too. */
int  tell_lingering_failure(struct work *w, struct run_done *run, struct err *why);
/* A failed run that no finding tells of becomes one.  1: it did, 0, -1 and why. */
int  look_for_failure(struct work *w, const struct recording *r, const struct aims_group *g, const struct aim *aim, struct run_done *run, struct err *why);

#endif
