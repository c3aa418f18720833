/* cli/rerun.h -- a schedule that was written is run once more, to look at its events. */
#ifndef RADDLE_CLI_RERUN_H
#define RADDLE_CLI_RERUN_H

struct live;

/* What it writes is thrown away.  Nothing is taken if it cannot be run, or takes longer than a minute. */
void rerun(const char *schedule, void (*take)(void *with, struct live *events), void *with);

#endif
