/* analyses/epa/campaign.h -- many faults, one run each, their outcomes in a database.
 *
 * The database has the list of faults before the first is tried.  A row gets its outcome in one step, by the process that leads the campaign alone:
 * whatever is killed when, no fault is lost and none is counted twice; who begins again goes on with those that have no outcome. */
#ifndef RADDLE_EPA_CAMPAIGN_H
#define RADDLE_EPA_CAMPAIGN_H

#include "analyses/epa/experiment.h"
#include "analyses/epa/fate.h"
#include "base/db.h"
#include "base/digest.h"
#include "base/interval.h"

struct campaign_count { char type[16]; uint64_t runs, by[BECAME_COUNT], early, failed, blind, fates[FATE_COUNT]; };    /* early: it deviated before the fault; blind: it died or
	 * its output is wrong, and nothing deviates */
typedef VEC(struct campaign_count) campaign_counts;
struct campaign_begin { char why[128]; uint64_t runs; };        /* runs that went on from where the fault is: why is ""; else why not */
typedef VEC(struct campaign_begin) campaign_begun;

struct campaign {
	const struct campaign_config *config;
	struct db *db;
	int lock;                               /* held by who works on the database */
	struct golden_run golden;
	uint64_t total, done;                   /* experiments drawn; with an outcome */
	uint64_t rounds;                        /* of 20 of each type: done when it was last asked whether that is enough */
	bool in_full;                           /* every run is compared from its trace (experiment.h) */
};

/* Opens or begins it; the golden run is made.  0, or -1 and why. */
int  campaign_open(struct campaign *k, const struct campaign_config *c, const char *database, struct err *why);
void campaign_close(struct campaign *k);

/* Where faults come from and their outcomes go: the database, or one that several machines share (pool.h). */
struct campaign_source {
	void *with;
	int (*next)(void *with, unsigned room, struct experiment *e, struct err *why);  /* 1 one to try, 0 none now, -1 and why; room: how many could be begun */
	int (*keep)(void *with, uint64_t id, const struct result *r, struct err *why);  /* 0, or -1 and why */
	int (*tick)(void *with, struct err *why);       /* each quarter of a second: 1 there may be more, 0 there are none, -1 and why.  NULL: 0 of next is for good */
};

/* told: after each outcome; false ends it.  0 all done or narrow enough, 1 ended by told, -1 and why. */
typedef bool (*campaign_told)(void *with, const struct campaign *k);
int  campaign_run(struct campaign *k, unsigned jobs, campaign_told told, void *with, struct err *why);
int  campaign_run_from(struct campaign *k, const struct campaign_source *from, unsigned jobs, campaign_told told, void *with, struct err *why);
void campaign_take(struct experiment *e, const struct db_query *q);     /* from columns id, type, fault, site, file, line */

/* What the database has; campaign_open() is not needed for these. */
int  campaign_tables(struct db *db, struct err *why);          /* made, those it does not have yet; 0, or -1 and why: also if its list is not the one that was drawn */
int  campaign_begun_in(struct db *db, struct err *why);        /* 1 its list was drawn, 0 nothing is there yet, -1 and why */
int  campaign_list(struct db *db, char into[DIGEST_ROOM], struct err *why);            /* hash of the list of faults; 0, or -1 and why */
int  campaign_count(struct db *db, campaign_counts *out, struct err *why);             /* by type; released by the caller */
/* How much of its list has an outcome.  complete: all of it, or as much as makes the intervals narrow enough. */
struct campaign_made { uint64_t drawn, done; bool complete; };
double campaign_widest(const campaign_counts *counts, size_t types);   /* of all intervals */
int  campaign_made(struct db *db, const struct campaign_config *c, const campaign_counts *counts, struct campaign_made *out, struct err *why);
int  campaign_rows_all(struct db *db, struct db_query **out, struct err *why);         /* those without an outcome too: 'not made' */
int  campaign_count_begun(struct db *db, campaign_begun *out, struct err *why);        /* of those that could have; released by the caller */
int  campaign_find(struct db *db, uint64_t id, struct experiment *e, char outcome[24], struct err *why);    /* 1 found, 0 no such, -1 and why */
int  campaign_repeat(struct campaign *k, const struct experiment *e, const char *keep, struct result *r, struct err *why);   /* once more; nothing is written */

/* Columns of a row as campaign_rows() asks for them. */
enum { ROW_ID, ROW_TYPE, ROW_FAULT, ROW_SITE, ROW_FILE, ROW_LINE, ROW_OUTCOME, ROW_EXIT, ROW_KIND, ROW_THREAD, ROW_DEVIATES_FILE, ROW_DEVIATES_LINE, ROW_THREADS,
	ROW_AFTER, ROW_LATENCY, ROW_LATENCY_US, ROW_MS, ROW_WHY, ROW_BEGAN };
int  campaign_rows(struct db *db, struct db_query **out, struct err *why);

#endif
