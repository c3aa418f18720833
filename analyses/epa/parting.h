/* analyses/epa/parting.h -- the faults of a steered campaign, each made in a copy of one run without a fault that has come to its place (drive/trunk.h): what comes
 * before a fault is executed once for all of them. */
#ifndef RADDLE_EPA_PARTING_H
#define RADDLE_EPA_PARTING_H

#include "analyses/epa/experiment.h"

struct tried { uint64_t id; struct result result; };            /* goes through a pipe in one piece */
#define PARTING_MOST 256u

/* Are the runs of this campaign such?  Else each is started anew. */
bool parting_goes(const struct campaign_config *c, const struct golden_run *g);
/* Tries them, alone in this process, each in a copy of it; a struct tried for each goes to `tell`, in the order their places come.  At most PARTING_MOST. */
void parting_try(const struct experiment *list, size_t count, const struct campaign_config *c, struct golden_run *g, int tell);

#endif
