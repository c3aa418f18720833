/* tests/report/sample.h -- findings made up for tests: of every kind and status, with stacks, locks and orders. */
#ifndef RADDLE_TESTS_REPORT_SAMPLE_H
#define RADDLE_TESTS_REPORT_SAMPLE_H

#include "report/report.h"

/* `count` of them, about `source`, which lies in `folder` ("" or with its slash); `shift` is added to every line.
 * The same count gives the same findings.  Finished; findings_release() them. */
void sample_make(struct findings *l, size_t count, const char *folder, uint32_t shift);
/* One whose every text is `text`. */
void sample_hostile(struct findings *l, const char *text);
struct report sample_report(const struct findings *l);          /* everything is listed */

#endif
