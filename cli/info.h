/* cli/info.h -- between info.c and info_json.c. */
#ifndef RADDLE_CLI_INFO_H
#define RADDLE_CLI_INFO_H

#include "trace/census.h"

void info_json(struct trace *t, const struct census *c, bool coverage, uint64_t top);   /* to stdout */
void program_line(const struct trace *t, char *into, size_t room);                      /* "" if unknown */
void end_words(const struct trace *t, const struct census *c, char *into, size_t room); /* "" if unknown */
bool is_own(const char *path);                                                          /* an object coverage leaves out */

#endif
