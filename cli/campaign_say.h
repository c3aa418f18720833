/* cli/campaign_say.h -- what a campaign found, in words, CSV and JSON. */
#ifndef RADDLE_CLI_CAMPAIGN_SAY_H
#define RADDLE_CLI_CAMPAIGN_SAY_H

#include "analyses/epa/campaign.h"
#include "cli/campaign_html.h"

void campaign_say(const campaign_counts *counts, const campaign_begun *begun, const struct campaign_made *made, const struct campaign_names *names);
void campaign_say_one(const struct experiment *e, const struct result *r, const char *before);
/* 0, or -1 and why.  Of a campaign that is not complete, faults that were not made have rows too. */
int  campaign_csv(struct db *db, const struct campaign_made *made, const struct campaign_names *n, const char *path, struct err *why);
int  campaign_json(struct db *db, const campaign_counts *counts, const campaign_begun *begun, const struct campaign_made *made,
	const struct campaign_names *n, struct err *why);

#endif
