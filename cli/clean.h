/* cli/clean.h -- what raddle prints reaches a terminal without commands to it.
 *
 * Names of files, functions, threads and variables, and what a program wrote, may be any bytes.  All that raddle prints, of every command,
 * goes through one place on its way to standard output and standard error: control characters but newline and tab, and what is no
 * UTF-8, come out as \xNN.  raddle's own colours pass, since they are written by marks nobody else knows. */
#ifndef RADDLE_CLI_CLEAN_H
#define RADDLE_CLI_CLEAN_H

#include <stddef.h>

enum mark { MARK_OFF, MARK_DIM, MARK_BOLD, MARK_RED, MARK_GREEN, MARK_CYAN, MARK_START, MARK_CLEAR, MARK_COUNT };
                                                /* START: of the line again;  CLEAR: its rest */
void clean_begin(void);                         /* from here on stdout and stderr are clean; once, before anything is printed */
const char *clean_mark(enum mark m);            /* to be printed where the terminal is to get that command */

#endif
