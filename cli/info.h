/* cli/info.h -- between info.c, info_json.c and info_verify.c. */
#ifndef RADDLE_CLI_INFO_H
#define RADDLE_CLI_INFO_H

#include "trace/census.h"

/* --verify: 0 holds together, 1 does not, 4 could not decide; -1 and why. */
int info_verify(struct trace *t, bool json, uint64_t top, struct err *why);

void info_json(struct trace *t, const struct census *c, bool coverage, uint64_t top);   /* to stdout */
void program_line(const struct trace *t, char *into, size_t room);                      /* "" if unknown */
void end_words(const struct trace *t, const struct census *c, char *into, size_t room); /* "" if unknown */

#endif
