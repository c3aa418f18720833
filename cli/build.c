/* cli/build.c -- raddle cc, raddle c++: hand everything to the compiler driver that stands beside raddle. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "base/vec.h"
#include "cli/beside.h"
#include "cli/command.h"

static int hand_over(const char *driver, char **arguments, struct err *why)
{
	char path[4096];
	size_t count = 0;
	if (find_beside(path, sizeof path, driver) < 0) {
		err_set(why, "cannot find '%s' beside raddle", driver);
		err_hint(why, "build it with 'make', or install raddle whole: 'make install'");
		why->code = 125;
		return -1;
	}
	while (arguments[count])
		count++;
	char **argv = mem_take((count + 2) * sizeof *argv);
	argv[0] = path;
	memcpy(argv + 1, arguments, count * sizeof *argv);
	execv(path, argv);
	err_set(why, "cannot run '%s': %s", path, str_error(errno));
	why->code = 125;
	mem_free(argv);
	return -1;
}

static int run_cc(const void *options, char **operands, struct err *why)
{
	(void)options;
	return hand_over("raddle-cc", operands, why);
}

static int run_cxx(const void *options, char **operands, struct err *why)
{
	(void)options;
	return hand_over("raddle-c++", operands, why);
}

static const struct option none[] = { OPTION_LAST };
static const char nothing;
#define NOTES "Takes what clang takes, and --raddle=sync|access: what to build in (default access). See raddle-cc(1)."

const struct command command_cc = { "build", "cc", "<clang arguments>", "Compile and link C so that it can be recorded.",
	STYLE_RAW, none, &nothing, sizeof nothing, 0, -1, NOTES, run_cc, false };
const struct command command_cxx = { "build", "c++", "<clang arguments>", "Compile and link C++ so that it can be recorded.",
	STYLE_RAW, none, &nothing, sizeof nothing, 0, -1, NOTES, run_cxx, false };
