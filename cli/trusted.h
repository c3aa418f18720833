/* cli/trusted.h -- may what a file names be run, and what may it change?  A schedule, a trace, a configuration name a program and its arguments;
 * who wrote the file decides what runs. */
#ifndef RADDLE_CLI_TRUSTED_H
#define RADDLE_CLI_TRUSTED_H

#include <stdbool.h>

#include "base/err.h"

#define OPTION_RUN(type, field) { 0, "run", OPTION_FLAG, offsetof(type, field), NULL, \
	"run what the file names, though the file, or its folder, is not yours", NULL, 0, 0 }
#define OPTION_NO_SHIELD(type, field) { 0, "no-shield", OPTION_FLAG, offsetof(type, field), NULL, \
	"what the file names may change files outside this folder and /tmp, too", NULL, 0, 0 }

/* Written by this user, in a folder that is this user's: only this user, or root, can have put it there. */
bool trusted_file(const char *file);
/* 0; or -1 and why (code 3): `argv`, which only the file names, is said and not run. */
int  trusted_to_run(const char *file, char *const *argv, bool run, struct err *why);
const char *trusted_words(char *const *argv, char *into, unsigned room);        /* as a shell takes them */
/* What is started from now on is named by a file alone: it is shielded (drive/shield.h), and it is said if it cannot be. */
void trusted_shield(void);
void trusted_shield_hint(void);         /* after a run that went otherwise than it should: that may be why */

#endif
