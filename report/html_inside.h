/* report/html_inside.h -- what the files that write the page share. */
#ifndef RADDLE_REPORT_HTML_INSIDE_H
#define RADDLE_REPORT_HTML_INSIDE_H

#include <stdio.h>

#include "base/buffer.h"
#include "report/report.h"
#include "report/source.h"

#define HTML_STEPS   300u               /* of an order, its last, that are shown */
#define HTML_COLOURS 8u                 /* of threads, in the style sheet */
#define HTML_LINE_ID "s%zu-%u-%u"       /* of a source line: number of the finding, of the file, line */

struct page {
	FILE *to;
	const struct report *report;
	struct sources sources;
	struct buffer words;            /* for sentences; empty between two uses */
	size_t number;                  /* of the finding that is written, from 1: in ids of the page */
};

extern const char html_style[], html_script[];          /* html_style.c */

void html_text(struct page *p, const char *text);       /* escaped */

/* The threads of a finding, in the order of their lanes. */
struct lanes { VEC(const char *) threads; };
void lanes_of(struct lanes *l, const struct finding *f);
unsigned lane_of(const struct lanes *l, const char *thread);
void lanes_release(struct lanes *l);

void html_lanes(struct page *p, const struct finding *f, const struct lanes *l);        /* html_lanes.c */
void html_source(struct page *p, const struct finding *f, const struct lanes *l);       /* html_source.c */
#endif
