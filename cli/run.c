/* cli/run.c -- raddle run: a program once, steered by a policy. */
#include <stdio.h>

#include "base/str.h"
#include "cli/command.h"
#include "cli/say.h"
#include "cli/started.h"
#include "cli/steered.h"
#include "drive/input.h"
#include "drive/program.h"
#include "drive/saved.h"
#include "drive/steer.h"
#include "wire/input.h"

struct options {
	const char *policy, *save_trace, *save_schedule, *races;
	struct steered_world world;
	uint64_t addresses, max_steps, timeout;
	bool json;
};

static int bad_policy(const char *text, struct err *why)
{
	err_set(why, "'--policy=%.100s' is not first, random:<seed>, pos:<seed> or pct:<seed>,<depth>", text);
	err_hint(why, "a seed is any number up to 64 bits; a depth is 1 to 64");
	why->code = 2;
	return -1;
}

static int save(struct steer_result *r, const struct steer_options *steer, const char *schedule, struct err *why)
{
	say_unkept(r);
	return saved_write(r, steer, schedule, why);
}

static int run_started(const struct options *o, char **operands, struct started *started, struct err *why)
{
	struct steer_options steer = steered_options(&o->world, operands);
	struct steer_result result;
	const char *schedule = started_output(started, o->save_schedule);
	steer.argv = started->argv;
	steer.path = started->path;
	steer.random_addresses = o->addresses;
	steer.max_steps = o->max_steps;
	steer.max_seconds = (unsigned)o->timeout;
	steer.save_trace = started_output(started, o->save_trace);
	steer.events = schedule ? UINT64_MAX : 0;
	policy_parse(o->policy, &steer.policy, &steer.seed, &steer.depth);
	if (races_option(o->races, &steer.races, why) < 0)
		return -1;
	if (schedule) {
		steer.input = INPUT_KEEP;
		if ((steer.input_fd = input_make(why)) < 0)
			return -1;
	}
	if (steer_run(&steer, &result, why) < 0) {
		why->code = why->code ? why->code : 125;
		return -1;
	}
	struct steered_end end = { .command = "run", .trace = o->save_trace, .argv = operands, .options = &steer, .json = o->json };
	if (schedule && !result.log_lost && !result.interrupted) {
		if (save(&result, &steer, schedule, why) < 0) {
			steer_result_release(&result);
			return -1;
		}
		end.schedule = o->save_schedule;
	}
	steered_end(&result, &end);
	int code = races_code(o->races, &result, steer_exit_code(&result));
	steer_result_release(&result);
	race_watch_free(steer.races);
	return code;
}

static int run(const void *given, char **operands, struct err *why)
{
	const struct options *o = given;
	struct started started;
	struct steer_options unused;
	if (!policy_parse(o->policy, &unused.policy, &unused.seed, &unused.depth))
		return bad_policy(o->policy, why);
	if (o->save_schedule && program_check_output(o->save_schedule, why) < 0)
		return -1;
	if (o->save_trace && program_check_output(o->save_trace, why) < 0)
		return -1;
	if (started_find(operands, &started, why) < 0)
		return -1;
	int code = run_started(o, operands, &started, why);
	started_release(&started);
	return code;
}

static const struct option list[] = {
	{ 'p', "policy", OPTION_TEXT, offsetof(struct options, policy), "policy",
		"first, random:<seed>, pos:<seed> or pct:<seed>,<depth> (default first)", NULL, 0, 0 },
	{ 0, "save-trace", OPTION_TEXT, offsetof(struct options, save_trace), "file", "write a trace of the run", NULL, 0, 0 },
	{ 0, "save-schedule", OPTION_TEXT, offsetof(struct options, save_schedule), "file",
		"write its schedule, for raddle replay", NULL, 0, 0 },
	STEERED_RACES(struct options, races), STEERED_WORLD(struct options, world),
	{ 0, "addresses", OPTION_CHOICE, offsetof(struct options, addresses), "how",
		"where memory lies: the same place, or left to the system (default fixed)", "fixed|random", 0, 0 },
	{ 0, "max-steps", OPTION_NUMBER, offsetof(struct options, max_steps), "n",
		"call it a livelock after so many events", NULL, 1, SCHEDULE_NTH_MAX },
	{ 0, "timeout", OPTION_TIME, offsetof(struct options, timeout), "time",
		"call it a livelock after so much time", NULL, 1, 1000000 },
	{ 0, "json", OPTION_FLAG, offsetof(struct options, json), NULL, "the last line as JSON, see raddle-json(5)", NULL, 0, 0 },
	OPTION_HELP, OPTION_LAST
};
static const struct options defaults = { .policy = "first" };

const struct command command_run = { "steer", "run", "-- <program> [<arguments>]",
	"Run a program once, one thread at a time, in an order you choose.",
	STYLE_PROGRAM, list, &defaults, sizeof defaults, 1, -1,
	"Example: raddle run --policy=random:7 --save-schedule=bank.sched -- ./bank; raddle replay bank.sched\n"
	"Exit: as the program did (128 + signal); 1 deadlock, livelock, memory error or failed assertion;\n"
	"2 bad command line or no such program, 3 not built with raddle, 125 raddle failed or the program cannot be steered.", run, true };
