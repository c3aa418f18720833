/* cli/command.h -- what a command is: one row of the table in table.c, and its options.
 *
 * The same rows parse the command line, print -h, feed the shell's completion and are held against the man pages by
 * tests/doc.  A command runs only after all of its options were understood. */
#ifndef RADDLE_CLI_COMMAND_H
#define RADDLE_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum option_type {
	OPTION_FLAG,            /* bool */
	OPTION_TEXT,            /* const char * */
	OPTION_MAYBE,           /* const char *: --name alone gives "", --name=value the value */
	OPTION_NUMBER,          /* uint64_t in [low, high] */
	OPTION_SIZE,            /* uint64_t in [low, high], K M G T understood */
	OPTION_TIME,            /* uint64_t, seconds in [low, high]: 30, 30s, 10m, 1h */
	OPTION_CHOICE           /* uint64_t: 0, 1, ... in `choices`, or UINT64_MAX when not given */
};

struct option {
	char letter;            /* 0: none */
	const char *name;       /* without its dashes; NULL ends the list */
	enum option_type type;
	size_t offset;          /* of the field in the command's options struct */
	const char *value;      /* what stands for the value in help: "n", "file" */
	const char *help;
	const char *choices;    /* OPTION_CHOICE: "sync|access" */
	uint64_t low, high;     /* OPTION_NUMBER, OPTION_SIZE, OPTION_TIME */
};

#define OPTION_TIME_MOST (3600u * 1000000u)     /* of a --for: a million hours */
#define OPTION_HELP { 'h', "help", OPTION_FLAG, SIZE_MAX, NULL, "this text", NULL, 0, 0 }
#define OPTION_MEMORY { 0, "max-memory", OPTION_SIZE, SIZE_MAX, "size", "what files may take unpacked (default a quarter of the memory)", \
	NULL, 1u << 20, 1ull << 50 }                    /* of commands that read files others may have made (base/unpack.h) */
#define OPTION_LAST { 0, NULL, OPTION_FLAG, 0, NULL, NULL, NULL, 0, 0 }

enum command_style {
	STYLE_PLAIN,            /* options and operands in any order */
	STYLE_PROGRAM,          /* the first operand ends the options: it is somebody else's command line */
	STYLE_RAW               /* nothing is ours to parse */
};

struct command {
	const char *group, *name;
	const char *operands;   /* "[<trace>]" */
	const char *summary;    /* one sentence */
	enum command_style style;
	const struct option *options;
	const void *defaults;   /* the options struct before parsing */
	size_t size;            /* of that struct */
	int least, most;        /* operands; most < 0: any number */
	const char *notes;      /* printed below the options */
	/* The exit code, or -1 and why (why->code 0 counts as 3).  `operands` ends with NULL. */
	int (*run)(const void *options, char **operands, struct err *why);
	bool guarded;           /* nothing it started outlives it (drive/guardian.h) */
};

extern const struct command *const commands[];          /* table.c; ends with NULL */
const struct command *command_named(const char *name);  /* NULL: no such command */
int command_unknown(const char *name, struct err *why); /* always -1: says so, and what was meant perhaps */

/* Fills `into` (command->size bytes).  1 go on, 0 help was asked for and printed, -1 and why.
 * *operands is set to the operands inside argv, which is rearranged. */
int options_parse(const struct command *c, char **argv, void *into, char ***operands, struct err *why);
void options_help(const struct command *c);
bool is_near(const char *word, const char *meant, unsigned *best);     /* nearer than *best, which it lowers */

/* The commands, one file each. */
extern const struct command command_cc, command_cxx, command_record, command_salvage, command_show, command_info, command_export,
	command_import, command_run, command_replay, command_hunt, command_minimize, command_predict, command_check, command_determinism, command_sites, command_diff, command_inject, command_campaign,
	command_verify_certificate, command_doctor, command_help, command_version;

#endif
