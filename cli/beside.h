/* cli/beside.h -- files that belong to this raddle, wherever it was put. */
#ifndef RADDLE_CLI_BESIDE_H
#define RADDLE_CLI_BESIDE_H

#include <stddef.h>

/* Looks in the directory of the running executable, then for libraries in its lib/ and ../lib/raddle/.  0, or -1. */
int find_beside(char *path, size_t room, const char *name);

#endif
