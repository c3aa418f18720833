/* cli/executed.h -- raddle sites <trace>: the places each thread of a run came to, and how often; those of a program of level full. */
#ifndef RADDLE_CLI_EXECUTED_H
#define RADDLE_CLI_EXECUTED_H

#include <stdbool.h>

#include "base/err.h"

bool executed_is_trace(const char *path);       /* by its first bytes */
int  executed_places(const char *program, bool json, struct err *why);  /* all of a program of level full; 0, or -1 and why */
int  executed_list(const char *path, bool json, struct err *why);      /* 0, or -1 and why */

#endif
