/* drive/environment.h -- the environment of a steered program: what a schedule keeps of it, and how a replay gives it back.
 *
 * A schedule names the variables the program looked at and those libc and the loader look at by themselves (TZ, LC_ALL, ...), with
 * their values.  Of all others, which may hold secrets, it says only how many strings and bytes they are: a replay puts others of
 * that size in their place, so what it names, and the stack behind, lie where they lay.
 *   (1) the order is that of names, whatever the shell did; "_", which shells set anew for each command, is left out;
 *   (2) what raddle itself sets comes last and is no part of a schedule;
 *   (3) a schedule may come from a stranger: of what it names, a program gets what we have ourselves, what can do no harm, and what the
 *       recorded run asked for through getenv, but never what the loader, libc, a shell or an interpreter acts on. */
#ifndef RADDLE_DRIVE_ENVIRONMENT_H
#define RADDLE_DRIVE_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "drive/schedule.h"

struct environment_setting { const char *name, *value; };

/* Ours, or that of a schedule; then `more`, which ends with a NULL name.  Ends with NULL. */
char **environment_make(const struct schedule *s, const struct environment_setting *more);
void   environment_free(char **strings);
/* What a schedule of a run in our environment has to say of it; input_fd: what the program took in (drive/input.h), or -1. */
void   environment_note(struct schedule *s, int input_fd);
/* The variables that are otherwise here than in the schedule: "'TZ', 'LANG'", as far as there is room; how many.
 * given: those the program gets as the schedule has them, or lacks as it does; else those it does not get. */
unsigned environment_differs(const struct schedule *s, bool given, char *into, size_t room);
/* Marks those the recorded run asked for: input_fd holds what it took in. */
void   environment_asked(struct schedule *s, int input_fd);

/* Names, up to their end or a '='.  drive/environment_names.c */
bool environment_acted_on(const char *name);                            /* by the loader, libc, a shell, an interpreter */
bool environment_harmless(const char *name, const char *value);         /* as far as it chooses words and numbers, and no file */
bool environment_of_libraries(const char *name);                        /* they look at it without a call the program makes */

#endif
