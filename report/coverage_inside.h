/* report/coverage_inside.h -- what the files that write the page of faults share. */
#ifndef RADDLE_REPORT_COVERAGE_INSIDE_H
#define RADDLE_REPORT_COVERAGE_INSIDE_H

#include "report/coverage.h"

extern const char coverage_style[], coverage_script[];          /* coverage_style.c */

struct coverage_count { uint64_t all, by[COVERAGE_OUTCOMES]; };

void coverage_stack(FILE *to, const struct coverage *c, const struct coverage_count *n);        /* a bar of all outcomes, the bad ones first */
void coverage_heat(FILE *to, const struct coverage *c);         /* coverage_heat.c */
void coverage_table(FILE *to, const struct coverage *c);        /* coverage_table.c */

#endif
