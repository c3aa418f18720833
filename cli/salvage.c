/* cli/salvage.c -- raddle salvage: a recording that was killed becomes a whole trace; drive/salvage.c does the work. */
#include "drive/salvage.h"

#include <stdio.h>
#include <unistd.h>

#include "base/json.h"
#include "base/str.h"
#include "cli/command.h"
#include "cli/say.h"
#include "trace/reader.h"

struct options { bool json; };

static void as_json(const char *path, const struct salvaged *got)
{
	struct json j;
	json_summary(&j, stdout);
	json_put_text(&j, "trace", path);
	json_put_number(&j, "recordings", got->recordings);
	json_put_number(&j, "events", got->events);
	json_put_number(&j, "threads", got->threads);
	json_put_number(&j, "files", got->files);
	json_put_bool(&j, "complete", !got->cut);
	json_summary_end(&j);
}

static void as_text(const char *path, const struct salvaged *got)
{
	char events[STR_NUMBER];
	if (!got->recordings)
		printf("nothing to salvage: no recording into '%s' was killed\n", path);
	else
		printf("salvaged '%s'%s: %s events of %u thread%s%s\n", path, got->files > 1 ? " and others" : "", str_grouped(events, got->events),
			got->threads, got->threads == 1 ? "" : "s",
			got->cut ? "; the program went on after its recorder was killed, and what it did later is not there" : "");
}

static int run(const void *given, char **operands, struct err *why)
{
	const struct options *o = given;
	const char *path = operands[0] ? operands[0] : TRACE_DEFAULT;
	struct salvaged got;
	bool left = salvage_is_there(path);
	if (!left && access(path, F_OK) < 0) {
		err_set(why, "there is no trace '%s', and no recording into it that was killed", path);
		why->code = 3;
		return -1;
	}
	if (salvage(path, &got, why) < 0)
		return -1;
	if (got.running && !got.recordings) {
		err_set(why, "'%s' is still being recorded, or the program still runs", path);
		err_hint(why, "end it first");
		why->code = 3;
		return -1;
	}
	if (o->json)
		as_json(path, &got);
	else
		as_text(path, &got);
	return say_flush(why) < 0 ? -1 : 0;
}

static const struct option list[] = {
	{ 0, "json", OPTION_FLAG, offsetof(struct options, json), NULL, "one line of JSON, see raddle-json(5)", NULL, 0, 0 },
	OPTION_HELP, OPTION_LAST
};
static const struct options defaults;

const struct command command_salvage = { "record", "salvage", "[<trace>]", "Complete the trace of a recording that was killed.",
	STYLE_PLAIN, list, &defaults, sizeof defaults, 0, 1,
	"<trace> defaults to ./run.trace.  While it is recorded, what is not in it yet is in the file .<trace>.ring-<pid> beside it, which outlives\n"
	"program and recorder.  The next 'raddle record' into the same trace does this by itself.    Example: raddle salvage run.trace\n"
	"Exit: 0 done, or nothing to do; 2 bad command line, 3 there is no such trace, or it is still being recorded; 4 could not write.", run, false };
