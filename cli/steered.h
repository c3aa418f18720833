/* cli/steered.h -- what `run` and `replay` say at their end. */
#ifndef RADDLE_CLI_STEERED_H
#define RADDLE_CLI_STEERED_H

#include <stdbool.h>

#include "drive/early.h"
#include "drive/steer.h"

struct steered_end {
	const char *command;            /* "run", "replay" */
	const char *schedule;           /* file the schedule of this run is in, or NULL */
	const char *trace;              /* or NULL */
	char *const *argv;
	const struct steer_options *options;
	bool json;
};

/* Stacks where they matter, then one line on standard error; with json one on standard output. */
void steered_end(struct steer_result *r, const struct steered_end *e);
/* Notes about a run to be saved: what its replay will not bring back. */
void say_unkept(const struct steer_result *r);
struct json;
void json_early(struct json *j, const struct early *e);        /* "emptied_at", an array of places */
/* --races as it was given, NULL not at all: *out looks for them, to be freed, or NULL.  0, or -1 and why. */
int  races_option(const char *given, struct race_watch **out, struct err *why);
/* The exit code with --races=fail: 1 where it would be 0 and there were races. */
int  races_code(const char *given, const struct steer_result *r, int code);
/* The command line, quoted for a shell, to standard error. */
void print_command(char *const *argv);

#endif
