/* cli/progress.h -- a long read says how far it is, and can be stopped.
 * One line on stderr, on a terminal only, from the first second on; Ctrl-C stops the reading, a second one the program. */
#ifndef RADDLE_CLI_PROGRESS_H
#define RADDLE_CLI_PROGRESS_H

#include "trace/reader.h"

void progress_begin(const struct trace *t, bool quiet);  /* quiet: says nothing, but can be stopped */
bool progress_go_on(uint64_t events);           /* false: the user wants it to end */
void progress_end(void);                        /* takes the line away again */

#endif
