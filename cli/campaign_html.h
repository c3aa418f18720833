/* cli/campaign_html.h -- databases of campaigns as one page (report/coverage.h). */
#ifndef RADDLE_CLI_CAMPAIGN_HTML_H
#define RADDLE_CLI_CAMPAIGN_HTML_H

#include "analyses/epa/campaign.h"
#include "report/coverage.h"

struct campaign_names { const char *file, *database; bool own_database; };     /* own: not the one that follows from the file */

/* "raddle campaign --repeat=" and what stands behind the number. */
void campaign_again(const struct campaign_names *n, char *into, size_t room);
#define CAMPAIGN_AGAIN "raddle campaign --repeat="

/* One more program on the page.  0, or -1 and why. */
int coverage_add(struct coverage *page, struct db *db, const struct campaign_config *c, const struct campaign_names *n,
	const struct campaign_made *made, struct err *why);
int coverage_write(struct coverage *page, const char *path, struct err *why);   /* 0, or -1 and why */

#endif
