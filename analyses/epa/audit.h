/* analyses/epa/audit.h -- some faults of a campaign made once more, drawn at random, and held against what the database says. */
#ifndef RADDLE_EPA_AUDIT_H
#define RADDLE_EPA_AUDIT_H

#include "analyses/epa/campaign.h"

#define AUDIT_PERCENT 1u

struct audit_one {
	struct experiment fault;
	char before[24];                        /* its outcome in the database */
	struct result now;
	const char *differs;                    /* a column that is not the same though the outcome is; NULL none */
};
struct audit { uint64_t of, made, same, details, differ; };     /* of: faults with an outcome; details: same outcome, something else is not the same */

/* told after each; false ends it.  One in a hundred of those with an outcome, one at least, drawn with the seed.  0, or -1 and why (code 3: none has one). */
typedef bool (*audit_told)(void *with, const struct audit_one *one);
int audit_run(struct campaign *k, uint64_t seed, audit_told told, void *with, struct audit *out, struct err *why);

#endif
