/* cli/updates.h -- the model of the program a trace is of, for what raddle determinism asks of its updates. */
#ifndef RADDLE_CLI_UPDATES_H
#define RADDLE_CLI_UPDATES_H

#include "analyses/determinism/determinism.h"

struct program_updates { const struct trace *trace; bool tried; struct model *model; struct commute *commute; };

struct commute *program_updates_open(void *with);       /* of a struct program_updates; NULL: the program is not there as it was, or kept no bitcode */
void program_updates_close(struct program_updates *u);

#endif
