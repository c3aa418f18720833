/* cli/say.h -- how the commands talk: errors, colour, the pager, the trace they read. */
#ifndef RADDLE_CLI_SAY_H
#define RADDLE_CLI_SAY_H

#include <stdbool.h>

#include "base/err.h"
#include "trace/reader.h"

void say_error(const struct err *why);          /* "raddle: ...", and "hint: ..." if there is one, to stderr */
void say_note(const char *format, ...) __attribute__((format(printf, 1, 2)));   /* "raddle: ..." to stderr */

/* Colours of stdout: "" each unless it is a terminal and NO_COLOR is unset or empty. */
enum colour { COLOUR_OFF, COLOUR_DIM, COLOUR_BOLD, COLOUR_RED, COLOUR_GREEN, COLOUR_CYAN };
const char *colour(enum colour c);

/* From here on stdout goes through a pager, if it is a terminal; pager_end() waits for it. */
void pager_begin(void);
void pager_end(void);
bool on_terminal(void);                         /* does stdout end up on the terminal, through a pager perhaps? */
int  say_flush(struct err *why);                /* 0, or -1: stdout could not be written */

#define TRACE_DEFAULT "run.trace"
/* operands[0] or run.trace; the way out is in the hint. */
int open_trace(struct trace **out, char **operands, bool salvage, struct err *why);

#endif
