/* trace/std.h -- the STD lines of RAPID: thread|op(object)|location, op one of acq rel r w fork join begin end. */
#ifndef RADDLE_TRACE_STD_H
#define RADDLE_TRACE_STD_H

#include <stdio.h>

#include "trace/reader.h"

/* Is the first line that says something one of those? */
bool std_is(const char *bytes, size_t count);
/* Reads a file of such lines; the order of the lines is the order of the run.  0, or -1 and why with file and line. */
int std_load(struct trace **out, const char *path, const char *bytes, size_t count, struct err *why);

/* Writes one event; what STD has no word for is left out.  true if something was written. */
struct std_printer;
struct std_printer *std_printer_open(struct trace *t, FILE *out);       /* never NULL */
bool std_print(struct std_printer *p, const struct event *ev);
void std_printer_close(struct std_printer *p);                          /* NULL is fine */

#endif
