/* report/source.h -- lines of source files, for who shows them beside a finding.
 *
 * The names come from traces: only regular files whose names end like source code, of at most 8 MB, are read, so that the trace of
 * a stranger does not put other files of this machine into a report. */
#ifndef RADDLE_REPORT_SOURCE_H
#define RADDLE_REPORT_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"

struct source_file { char *bytes; VEC(const char *) lines; };           /* lines end with a zero */
struct sources { struct names names; VEC(struct source_file) files; };          /* an all-zero one is empty */

uint32_t source_file(struct sources *s, const char *path);      /* its number: 0, 1, ... */
/* Line 1, 2, ... of a file, without its end; NULL: there is none, or the file cannot be had.  Lives as long as `s`. */
const char *source_line(const struct sources *s, uint32_t file, uint32_t line);
void sources_release(struct sources *s);

#endif
