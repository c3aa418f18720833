/* cli/campaign_audit.h -- raddle campaign --manifest and --audit: what they write and say. */
#ifndef RADDLE_CLI_CAMPAIGN_AUDIT_H
#define RADDLE_CLI_CAMPAIGN_AUDIT_H

#include "analyses/epa/campaign.h"

int campaign_manifest(struct campaign *k, const char *file, const char *path, struct err *why);        /* 0, or -1 and why */
/* manifest: NULL, or a file what is here is held against.  0 all is as it was, 1 something is not, 4 interrupted, -1 and why. */
int campaign_audit(struct campaign *k, const char *file, const char *manifest, uint64_t seed, bool json, struct err *why);

#endif
