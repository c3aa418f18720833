/* report/report.h -- what a command found, told: as text, as JSON lines, as SARIF, JUnit or a page of HTML. */
#ifndef RADDLE_REPORT_REPORT_H
#define RADDLE_REPORT_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/json.h"
#include "report/finding.h"

#define STATUS_BIT(status) (1u << (status))

struct report {
	const struct findings *findings;        /* after findings_finish() */
	const char *command, *version;          /* "predict"; of raddle */
	const char *subject;                    /* what was looked at: "./bank 7", "run.trace" */
	unsigned listed;                        /* STATUS_BIT()s of the findings that are told; the others are counted */
	unsigned bugs;                          /* of those that are bugs: CONFIRMED, and PREDICTED where nothing could be run */
	uint64_t events;                        /* looked at */
	double seconds;
	const char *gave_up;                    /* why not all could be looked at, or NULL */
	const char *unclaimed;                  /* why it cannot be said that nothing was missed, though all that was to be looked at was; or NULL */
	bool baseline;                          /* one was given; */
	uint64_t gone;                          /* how many of it were not found any more */
	const char *root;                       /* folder the paths in SARIF are relative to, or NULL */
	/* More for the summary of JSON, put into an object that is open; may be NULL. */
	void (*more)(struct json *j, const void *with);
	const void *with;
};

struct report_counts {
	uint64_t kinds[FINDING_KIND_COUNT];     /* bugs that are not suppressed */
	uint64_t status[FINDING_STATUS_COUNT];  /* all that are not suppressed */
	uint64_t suppressed;
	uint64_t bugs, known, fresh;            /* bugs = those in the baseline + those that are not */
};

void report_count(const struct report *r, struct report_counts *out);
bool report_lists(const struct report *r, const struct finding *f);     /* is it told, or only counted? */
bool finding_is_bug(const struct report *r, const struct finding *f);   /* suppressed ones are none */
int  report_exit(const struct report *r);       /* 0 nothing, 1 a bug that is not known, 4 nothing, but not all was looked at */

void report_text(const struct report *r, FILE *to);     /* each finding, and the line that sums up */
void report_json(const struct report *r, FILE *to);     /* one line each, and the summary */
void report_sarif(const struct report *r, FILE *to);    /* SARIF 2.1.0, all findings */
void report_junit(const struct report *r, FILE *to);    /* a test case each, of those listed */
void report_html(const struct report *r, FILE *to);     /* one page that needs nothing else, of those listed */

/* One finding alone. */
void finding_text(const struct finding *f, FILE *to);

#endif
