/* analyses/predict/tell.h -- what was seen, as findings (report/finding.h). */
#ifndef RADDLE_PREDICT_TELL_H
#define RADDLE_PREDICT_TELL_H

#include "analyses/predict/aims.h"
#include "drive/runs.h"
#include "report/finding.h"

/* A race as the detector saw it: both sides with stacks and locks, whose memory. */
void tell_race(struct findings *l, struct finding *f, const struct race_list *list, const struct race *race);
/* The moments of an aim, and its object. */
void tell_aim(struct findings *l, struct finding *f, const struct recording *r, const struct aim *aim, const char *object);
/* Where the threads of a deadlock stand and what they wait for. */
void tell_waits(struct findings *l, struct finding *f, struct steer_result *r);
/* Where a memory error or crash happened; of a block that was freed, where. */
void tell_crash(struct findings *l, struct finding *f, struct steer_result *r);
/* How the run ended, if that is an effect. */
void tell_effect(struct findings *l, struct finding *f, struct steer_result *r, bool failed, bool output_differs);
/* What led to it, from the trace of a run that showed it; the turns of that run if there is no such trace. */
void tell_order(struct findings *l, struct finding *f, const struct schedule *log, const char *trace);

/* What kind of bug a failed run is; FINDING_KIND_COUNT: one that its order has to explain. */
enum finding_kind tell_kind(const struct steer_result *r);

#endif
