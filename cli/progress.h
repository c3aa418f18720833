/* cli/progress.h -- what takes long says how far it is: one line on stderr, on a terminal, from the first second on; elsewhere
 * (a log of CI) a line every half minute, if it is wanted there.
 * A long read can be stopped too: Ctrl-C stops the reading, a second one the program. */
#ifndef RADDLE_CLI_PROGRESS_H
#define RADDLE_CLI_PROGRESS_H

#include "trace/reader.h"

struct ticker { double began, said; bool everywhere; };  /* zero: nothing began yet; it does when it is first asked */
double ticker_seconds(struct ticker *t);        /* since it began */
bool ticker_due(struct ticker *t);              /* a line is to be put now */
void ticker_line(const char *format, ...) __attribute__((format(printf, 1, 2)));  /* in place of the last one */
void ticker_over(void);                         /* takes the line away again */

/* ---- of reading a trace ---- */
void progress_begin(const struct trace *t, bool quiet);  /* quiet: says nothing, but can be stopped */
bool progress_go_on(uint64_t events);           /* false: the user wants it to end */
void progress_end(void);                        /* takes the line away again */

#endif
