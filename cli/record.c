/* cli/record.c -- raddle record: the command line; drive/record.c does the work. */
#include "drive/record.h"

#include <stdio.h>

#include "cli/command.h"
#include "cli/say.h"

struct options {
	const char *output;
	uint64_t level, last, max_size;
	bool no_values, json;
};

static int run(const void *given, char **operands, struct err *why)
{
	const struct options *o = given;
	struct record_options record = {
		.output = o->output, .level = o->level == 0 ? MODE_SYNC : MODE_ACCESS, .last = o->last, .max_size = o->max_size,
		.no_values = o->no_values, .json = o->json, .argv = operands, .full = o->level == 2, .outlives = true,
	};
	if (o->last && o->max_size && o->last > o->max_size) {
		err_set(why, "'--last' is larger than '--max-size'");
		why->code = 2;
		return -1;
	}
	int code = record_run(&record, why);
	if (code < 0 && !why->code)
		why->code = 125;
	return code;
}

static const struct option list[] = {
	{ 'o', "output", OPTION_TEXT, offsetof(struct options, output), "file",
		"where to write the trace (default run.trace)", NULL, 0, 0 },
	{ 0, "level", OPTION_CHOICE, offsetof(struct options, level), "level",
		"sync: record less than was built in; full: refuse a program built with less (default access)", "sync|access|full", 0, 0 },
	{ 0, "last", OPTION_SIZE, offsetof(struct options, last), "size",
		"flight recorder: keep the last so many bytes, in memory", NULL, 1u << 20, 64ull << 30 },
	{ 0, "max-size", OPTION_SIZE, offsetof(struct options, max_size), "size",
		"become a flight recorder at so many bytes on disk", NULL, 1u << 20, 1ull << 40 },
	{ 0, "no-values", OPTION_FLAG, offsetof(struct options, no_values), NULL, "leave out the values read and written", NULL, 0, 0 },
	{ 0, "json", OPTION_FLAG, offsetof(struct options, json), NULL, "the last line as JSON, see raddle-json(5)", NULL, 0, 0 },
	OPTION_HELP, OPTION_LAST
};
static const struct options defaults = { .output = TRACE_DEFAULT, .level = 1 };

const struct command command_record = { "record", "record", "-- <program> [<arguments>]",
	"Run a program and write down what its threads do.",
	STYLE_PROGRAM, list, &defaults, sizeof defaults, 1, -1,
	"An old trace of that name is kept once, with .old behind it.    Example: raddle record -- ./bank 4 1000\n"
	"Exit: as the program did; 2 bad command line or no such program, 3 not built with raddle, 125 raddle failed.", run, false };
