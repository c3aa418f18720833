/* cli/steered.h -- options of commands that steer a program, the same for all that have them; and what `run` and `replay` say at their end. */
#ifndef RADDLE_CLI_STEERED_H
#define RADDLE_CLI_STEERED_H

#include <stdbool.h>

#include "cli/command.h"
#include "drive/early.h"
#include "drive/steer.h"

/* The world a steered program finds: struct options { ...; struct steered_world world; }, a row STEERED_WORLD(struct options, world). */
struct steered_world { uint64_t heap, time, model, switching; };
#define STEERED_CHOICE(type, at, name, value, help, choices) { 0, name, OPTION_CHOICE, offsetof(type, at), value, help, choices, 0, 0 }
#define STEERED_WORLD(type, w) \
	STEERED_CHOICE(type, w.heap, "heap", "how", "addresses of freed blocks: never again, or soon (default unique)", "unique|reuse"), \
	STEERED_CHOICE(type, w.time, "time", "which", "the clock the program sees (default virtual)", "virtual|real"), \
	STEERED_CHOICE(type, w.model, "model", "which", \
		"memory model: when stores reach memory is part of the schedule (default sc)", "sc|tso|pso"), \
	STEERED_CHOICE(type, w.switching, "switch", "how", "how threads take turns (default auto)", "auto|baton|ghost")
struct steer_options steered_options(const struct steered_world *w, char **argv);      /* all else is 0 */
/* Many runs of one program. */
#define STEERED_JOBS(type, at) { 'j', "jobs", OPTION_NUMBER, offsetof(type, at), "n", "runs at a time (default one a core)", NULL, 1, 1024 }
#define STEERED_FAIL_IF(type, at) { 0, "fail-if", OPTION_TEXT, offsetof(type, at), "what", \
	"exit (not 0, the default), exit=<n>, exit!=<n>, or a regular expression for its output", NULL, 0, 0 }
/* One run: races_option() reads what was given. */
#define STEERED_RACES(type, at) { 0, "races", OPTION_MAYBE, offsetof(type, at), "fail", \
	"look for data races of this run; with =fail exit 1 if there is one", NULL, 0, 0 }

struct steered_end {
	const char *command;            /* "run", "replay" */
	const char *schedule;           /* file the schedule of this run is in, or NULL */
	const char *trace;              /* or NULL */
	char *const *argv;
	const struct steer_options *options;
	bool json;
	const char *again;              /* of a replay: options to do it again with, " --races"; or NULL */
	bool named;                     /*   the command line named the program */
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
/* Which variables of the environment a program gets otherwise than we have them, and which it is not given. */
void say_environment(const struct schedule *s);
void print_word(const char *word);
/* The command line, quoted for a shell, to standard error. */
void print_command(char *const *argv);

#endif
