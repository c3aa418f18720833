/* cli/run.c -- raddle run: a program once, steered by a policy. */
#include <stdio.h>

#include "base/str.h"
#include "cli/command.h"
#include "cli/say.h"
#include "cli/steered.h"
#include "drive/input.h"
#include "drive/program.h"
#include "drive/saved.h"
#include "drive/steer.h"
#include "wire/input.h"

struct options {
	const char *policy, *save_trace, *save_schedule, *races;
	uint64_t heap, time, switching, model, addresses, max_steps, timeout;
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

static int run(const void *given, char **operands, struct err *why)
{
	const struct options *o = given;
	struct steer_options steer = { .argv = operands, .heap = (uint32_t)o->heap, .time = (uint32_t)o->time, .model = (uint32_t)o->model,
		.switching = (uint32_t)o->switching, .random_addresses = o->addresses, .max_steps = o->max_steps, .max_seconds = (unsigned)o->timeout, .save_trace = o->save_trace,
		.events = o->save_schedule ? UINT64_MAX : 0 };
	struct steer_result result;
	if (!policy_parse(o->policy, &steer.policy, &steer.seed, &steer.depth))
		return bad_policy(o->policy, why);
	if (races_option(o->races, &steer.races, why) < 0)
		return -1;
	if (o->save_schedule && program_check_output(o->save_schedule, why) < 0)
		return -1;
	if (o->save_schedule) {
		steer.input = INPUT_KEEP;
		if ((steer.input_fd = input_make(why)) < 0)
			return -1;
	}
	if (steer_run(&steer, &result, why) < 0) {
		why->code = why->code ? why->code : 125;
		return -1;
	}
	struct steered_end end = { .command = "run", .trace = o->save_trace, .argv = operands, .options = &steer, .json = o->json };
	if (o->save_schedule && !result.log_lost && !result.interrupted) {
		if (save(&result, &steer, o->save_schedule, why) < 0) {
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

static const struct option list[] = {
	{ 'p', "policy", OPTION_TEXT, offsetof(struct options, policy), "policy",
		"first, random:<seed>, pos:<seed> or pct:<seed>,<depth> (default first)", NULL, 0, 0 },
	{ 0, "save-trace", OPTION_TEXT, offsetof(struct options, save_trace), "file", "write a trace of the run", NULL, 0, 0 },
	{ 0, "save-schedule", OPTION_TEXT, offsetof(struct options, save_schedule), "file",
		"write its schedule, for raddle replay", NULL, 0, 0 },
	{ 0, "races", OPTION_MAYBE, offsetof(struct options, races), "fail",
		"look for data races of this run; with =fail exit 1 if there is one", NULL, 0, 0 },
	{ 0, "heap", OPTION_CHOICE, offsetof(struct options, heap), "how",
		"addresses of freed blocks: never again, or soon (default unique)", "unique|reuse", 0, 0 },
	{ 0, "time", OPTION_CHOICE, offsetof(struct options, time), "which",
		"the clock the program sees (default virtual)", "virtual|real", 0, 0 },
	{ 0, "model", OPTION_CHOICE, offsetof(struct options, model), "which",
		"memory model: when stores reach memory is part of the schedule (default sc)", "sc|tso|pso", 0, 0 },
	{ 0, "switch", OPTION_CHOICE, offsetof(struct options, switching), "how",
		"how threads take turns (default auto)", "auto|baton|ghost", 0, 0 },
	{ 0, "addresses", OPTION_CHOICE, offsetof(struct options, addresses), "how",
		"where memory lies: the same place, or left to the system (default fixed)", "fixed|random", 0, 0 },
	{ 0, "max-steps", OPTION_NUMBER, offsetof(struct options, max_steps), "n",
		"call it a livelock after so many events", NULL, 1, SCHEDULE_NTH_MAX },
	{ 0, "timeout", OPTION_NUMBER, offsetof(struct options, timeout), "seconds",
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
	"2 bad command line or no such program, 3 not built with raddle, 125 raddle failed or the program cannot be steered.", run };
