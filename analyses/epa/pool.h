/* analyses/epa/pool.h -- one campaign on many machines: faults are leased from a PostgreSQL database all of them reach.
 *
 * Tables raddle_campaign (one row a campaign, by what it is made of: identity.h) and raddle_experiment (one row a fault).  Whoever comes first fills them, in one
 * transaction.  To take faults is to put one's name and a time on rows nobody has (select ... for update skip locked); who works renews the time; when it
 * has passed, anybody may take them: nothing is lost with who died.
 *   (1) an outcome is written where there is none: each fault counts once, also when two have tried it;
 *   (2) a fault that could not be tried is left to somebody else, and is `failed` when three could not;
 *   (3) who draws another list of faults from the same file works on another campaign. */
#ifndef RADDLE_EPA_POOL_H
#define RADDLE_EPA_POOL_H

#include "analyses/epa/campaign.h"
#include "base/pg.h"

struct pool {
	struct campaign *k;
	struct pg *pg;
	char id[80], worker[160], lease[32];    /* of the campaign; of this process; "30 seconds" */
	uint64_t lease_ms, renewed, asked;      /* ms */
	experiment_list taken;                  /* leased, not begun */
	uint64_t made, made_then, in_a_row;     /* outcomes written by us; when last asked; faults that could not be tried, one after the other */
	bool collects, more;                    /* outcomes come back into k->db; some had none when last asked */
};

/* Fills the tables if that was not done.  collects: false for a worker, whose k->db nobody reads.  0, or -1 and why. */
int pool_open(struct pool *p, struct campaign *k, struct pg *pg, const char *config_path, uint64_t lease_seconds, bool collects, struct err *why);
/* As campaign_run(): until all have an outcome, whoever makes them.  Then k->db has them, if it collects. */
int pool_run(struct pool *p, unsigned jobs, campaign_told told, void *with, struct err *why);
void pool_close(struct pool *p);        /* not the connection */

#endif
