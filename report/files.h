/* report/files.h -- names of source files as a reader of a report can use them.
 *
 * Debug information names one file in many ways: whole, relative to where it was compiled, or to some folder above that (clang
 * leaves out what it has in common with the file).  A name becomes relative to `root` if the file lies below it, else whole. */
#ifndef RADDLE_REPORT_FILES_H
#define RADDLE_REPORT_FILES_H

#include "report/finding.h"

/* All names of files in all findings.  A relative one that is not there is looked for from each folder above `root`; one that is
 * nowhere stays as it is. */
void files_settle(struct findings *l, const char *root);

#endif
