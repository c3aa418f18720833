/* analyses/epa/identity.h -- what a campaign is made of, by SHA-256: program, inputs, configuration, list of faults, the tool itself. */
#ifndef RADDLE_EPA_IDENTITY_H
#define RADDLE_EPA_IDENTITY_H

#include "analyses/epa/campaign.h"
#include "base/digest.h"

struct identity_file { char what[16], path[4200], hash[DIGEST_ROOM]; };         /* "tool", "program", "library", "input", "schedule", "needs", "config" */

struct identity {
	VEC(struct identity_file) files;
	char list[DIGEST_ROOM];                 /* of all faults as they were drawn */
	char whole[DIGEST_ROOM];                /* of program, inputs, what the configuration says, the list and the run without a fault: whoever has the same makes the same runs */
};

int  identity_make(struct identity *i, struct campaign *k, const char *config_path, struct err *why);   /* 0, or -1 and why */
void identity_release(struct identity *i);

#endif
