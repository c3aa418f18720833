/* cli/inject.c -- raddle inject: one run of a program with exactly one fault in it.  The kinds of faults are analyses/epa's. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyses/epa/diff.h"
#include "analyses/epa/faults.h"
#include "base/json.h"
#include "base/str.h"
#include "cli/command.h"
#include "cli/say.h"
#include "cli/steered.h"
#include "drive/program.h"
#include "drive/record.h"
#include "drive/steer.h"

struct options { const char *fault, *at, *golden, *output, *schedule, *object; uint64_t limit; bool json; };

struct injection {
	const struct options *options;
	char **argv;
	struct fault fault;
	struct fault_site site;
	struct fault_places places;
	const struct fault_place *place;        /* in places */
	struct fault_order order;
	bool late;
	unsigned left;                          /* processes it left behind, which were ended */
};

/* ---- before the run ---- */

static uint64_t times_in(const struct injection *k, struct trace *t, struct err *why)
{
	struct place_counts counts;
	uint64_t times = 0;
	if (counts_take(&counts, t, why) < 0)
		return UINT64_MAX;
	for (uint32_t i = 0; i < trace_thread_count(t); i++)
		if (!strcmp(trace_thread(t, (struct thread_id){ i })->path, k->site.thread))
			times = counts_of(&counts, i, k->place);
	counts_release(&counts);
	return times;
}

static bool was_loaded(const struct trace *t, const char *build_id)
{
	for (uint32_t i = 0; i < trace_module_count(t); i++)
		if (trace_module(t, i)->instrumented && !strcmp(trace_module(t, i)->build_id, build_id))
			return true;
	return false;
}

/* Are executions of such a place events of this trace?  Steered ones have neither calls nor arguments nor branches. */
static bool is_counted(const struct trace *t, const struct fault_place *s)
{
	return trace_order(t) != ORDER_TOTAL || s->kind == PLACE_READ || s->kind == PLACE_WRITE || s->kind == PLACE_RESULT;
}

/* Does the golden run come there that often? */
static int check_golden(const struct injection *k, struct err *why)
{
	struct trace *t;
	const char *path = k->options->golden;
	if (!path)
		return 0;
	if (trace_open(&t, path, &(struct trace_options){ 0 }, why) < 0)
		return -1;
	int got = 0;
	if (!was_loaded(t, k->places.build_id)) {
		got = err_set(why, "'%s' is of another program than '%s'", path, k->options->object ? k->options->object : k->argv[0]);
		err_hint(why, "a golden run is made by the very same build; record it again");
		why->code = 3;
	} else if (is_counted(t, k->place)) {
		uint64_t times = times_in(k, t, why);
		if (times == UINT64_MAX) {
			got = -1;
		} else if (times < k->site.first) {
			got = err_set(why, "%s comes to '%.200s' %" PRIu64 " times in '%.200s', not %" PRIu64, k->site.thread, k->site.place, times, path,
				k->site.first);
			err_hint(why, "'raddle sites %.200s' lists what it comes to", path);
			why->code = 2;
		}
	}
	trace_close(t);
	return got;
}

static int prepare(struct injection *k, struct err *why)
{
	char path[4096];
	const char *object = k->options->object;
	if (fault_parse(&k->fault, k->options->fault, why) < 0 || fault_site_parse(&k->site, k->options->at, why) < 0 ||
		program_find(k->argv[0], path, sizeof path, why) < 0 || program_check(path, why) < 0 ||
		program_check_full(object ? object : path, why) < 0 || places_open(&k->places, object ? object : path, why) < 0)
		return -1;
	k->place = fault_aim(&k->fault, &k->places, &k->site, &k->order, why);
	if (k->place && k->options->schedule && !fault_is_steerable(&k->fault, &k->places, k->place)) {
		err_set(why, "'%.64s' at '%.200s' cannot be made in a steered run", k->fault.text, k->options->at);
		err_hint(why, "%s; leave out '--schedule'", k->order.op == FAULT_DELAY ? "nobody else runs while a thread waits there, so it would change nothing"
			: "values of three, five, six or seven bytes are not handed over there");
		why->code = 2;
		return -1;
	}
	return k->place ? check_golden(k, why) : -1;
}

/* ---- after it ---- */

static void say_value(const struct injection *k)
{
	const struct fault_order *o = &k->order;
	if (o->op == FAULT_DELAY)
		fprintf(stderr, ": delayed by %" PRIu64 " ms", k->fault.a / 1000000);
	else if (o->op == FAULT_SKIP)
		fprintf(stderr, ": not called");
	else
		fprintf(stderr, ": 0x%" PRIx64 " became 0x%" PRIx64, o->before, o->after);
	if (o->made > 1)
		fprintf(stderr, ", the first of %" PRIu64 " times", o->made);
}

/* Of a run that was ended: did everybody in it wait? */
static bool is_deadlock(const struct injection *k)
{
	struct trace *t;
	struct err why;
	if (trace_open(&t, k->options->output, &(struct trace_options){ .salvage = true }, &why) < 0)
		return false;
	bool is = diff_ended(t) == DEV_DEADLOCK;
	trace_close(t);
	return is;
}

static void say_made(const struct injection *k)
{
	const struct fault_order *o = &k->order;
	char name[1024], n[STR_NUMBER];
	fprintf(stderr, "raddle: ");
	if (k->place->line)
		fprintf(stderr, "%s:%" PRIu32 ": ", k->place->file, k->place->line);
	fprintf(stderr, "%s at %s:%s@%" PRIu64, k->fault.text, k->site.thread, place_say(k->place, name, sizeof name), k->site.first);
	if (o->made)
		say_value(k);
	else if (!o->found)
		fprintf(stderr, ": not activated, '%s' was not loaded", k->options->object ? k->options->object : k->argv[0]);
	else
		fprintf(stderr, ": not activated, the thread was there %s time%s", str_grouped(n, o->executed), o->executed == 1 ? "" : "s");
	fputc('\n', stderr);
	if (k->late)
		fprintf(stderr, "raddle: ended after %" PRIu64 " s: a %s\n", k->options->limit, is_deadlock(k) ? "deadlock" : "hang");
	if (k->left)
		fprintf(stderr, "raddle: ended %u process%s the program had left behind\n", k->left, k->left == 1 ? "" : "es");
	fprintf(stderr, "raddle: allocator: %s\n", *o->allocator ? o->allocator : "not known");
}

static void say_again(const struct injection *k)
{
	char fault[128], at[1200], name[1024], schedule[4200], object[4200];
	snprintf(fault, sizeof fault, "--fault=%s", k->fault.text);
	snprintf(at, sizeof at, "--at=%s:%s@%" PRIu64, k->site.thread, place_say(k->place, name, sizeof name), k->site.first);
	snprintf(schedule, sizeof schedule, "--schedule=%s", k->options->schedule ? k->options->schedule : "");
	snprintf(object, sizeof object, "--object=%s", k->options->object ? k->options->object : "");
	VEC(char *) words = { 0 };
	char *const own[] = { "raddle", "inject", fault, at, k->options->object ? object : NULL, k->options->schedule ? schedule : NULL, "--" };
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (own[i])
			vec_push(&words, own[i]);
	for (char **argument = k->argv; *argument; argument++)
		vec_push(&words, *argument);
	vec_push(&words, NULL);
	fprintf(stderr, "raddle: again: ");
	print_command(words.at);
	fputc('\n', stderr);
	vec_release(&words);
	if (k->options->golden)
		fprintf(stderr, "raddle: compare: raddle diff %s %s\n", k->options->golden, k->options->output);
}

static void json_made(const struct injection *k, int code)
{
	struct json j;
	char name[1024];
	const struct fault_order *o = &k->order;
	json_summary(&j, stdout);
	json_put_text(&j, "command", "inject");
	json_put_text(&j, "fault", k->fault.text);
	json_put_text(&j, "thread", k->site.thread);
	json_put_text(&j, "place", place_say(k->place, name, sizeof name));
	json_put_number(&j, "execution", k->site.first);
	json_put_text(&j, "file", k->place->file);
	json_put_number(&j, "line", k->place->line);
	json_put_bool(&j, "activated", o->made != 0);
	json_put_number(&j, "executed", o->executed);
	json_put_hex(&j, "before", o->before);
	json_put_hex(&j, "after", o->after);
	json_put_text(&j, "allocator", o->allocator);
	json_put_bool(&j, "late", k->late);
	json_put_number(&j, "left", k->left);
	json_put_number(&j, "exit", (uint64_t)code);
	json_put_text(&j, "trace", k->options->output);
	json_summary_end(&j);
}

/* The program steered: by the first policy, or by a schedule as far as it can be followed. */
static int run_steered(struct injection *k, struct err *why)
{
	const struct options *o = k->options;
	struct schedule schedule;
	struct steer_result result;
	bool file = strcmp(o->schedule, "first") != 0;
	schedule_init(&schedule);
	struct steer_options steer = { .argv = k->argv, .save_trace = o->output, .max_seconds = (unsigned)o->limit, .fault = &k->order,
		.schedule = file ? &schedule : NULL };
	int code = file ? schedule_read(&schedule, o->schedule, why) : 0;
	if (code < 0)
		why->code = why->code ? why->code : 3;
	else if ((code = steer_run(&steer, &result, why)) == 0) {
		char said[STEER_SAY];
		code = steer_program_code(&result);
		k->late = result.outcome == OUTCOME_LIVELOCK;
		k->left = result.left;
		fprintf(stderr, "raddle: steered: %s\n", steer_say(&result, said));
		steer_result_release(&result);
	}
	schedule_release(&schedule);
	return code;
}

static int needs(const char *what, const char *hint, struct err *why)
{
	err_set(why, "'raddle inject' needs '%s'", what);
	err_hint(why, "%s", hint);
	why->code = 2;
	return -1;
}

static int run(const void *given, char **operands, struct err *why)
{
	const struct options *o = given;
	struct injection k = { .options = o, .argv = operands };
	if (!o->fault)
		return needs("--fault=<kind>", "'raddle inject -h' lists them", why);
	if (!o->at)
		return needs("--at=<site>", "'raddle sites <program>' lists places, 'raddle sites <trace>' how often each thread comes to them", why);
	int code = prepare(&k, why);
	if (code == 0) {
		struct record_options record = { .output = o->output, .level = MODE_ACCESS, .argv = operands, .full = true, .quiet = true,
			.fault = &k.order, .limit_ms = o->limit * 1000, .late = &k.late, .left = &k.left };
		code = o->schedule ? run_steered(&k, why) : record_run(&record, why);
		if (code < 0 && !why->code)
			why->code = 125;
		k.order.allocator[sizeof k.order.allocator - 1] = 0;
		k.order.op = code < 0 ? (uint32_t)FAULT_NONE : k.order.op;
		if (code >= 0) {
			say_made(&k);
			say_again(&k);
		}
		if (code >= 0 && o->json)
			json_made(&k, code);
	}
	places_close(&k.places);
	return code;
}

#define AT(field) offsetof(struct options, field)
static const struct option list[] = {
	{ 0, "fault", OPTION_TEXT, AT(fault), "kind", "what goes wrong, see below", NULL, 0, 0 },
	{ 0, "at", OPTION_TEXT, AT(at), "site", "where: a thread, a place, for the how-many-th time: T_0_1:work#3@2", NULL, 0, 0 },
	{ 0, "golden", OPTION_TEXT, AT(golden), "trace", "refuse a site this run does not come to", NULL, 0, 0 },
	{ 'o', "output", OPTION_TEXT, AT(output), "file", "where to write the trace (default faulty.trace)", NULL, 0, 0 },
	{ 0, "object", OPTION_TEXT, AT(object), "file", "the place is in this shared object the program loads", NULL, 0, 0 },
	{ 0, "schedule", OPTION_TEXT, AT(schedule), "file", "steer the run: by this schedule, or 'first'", NULL, 0, 0 },
	{ 0, "limit", OPTION_TIME, AT(limit), "time", "end the program after so long (default 60s)", NULL, 1, 86400 },
	{ 0, "json", OPTION_FLAG, AT(json), NULL, "the last line as JSON, see raddle-json(5)", NULL, 0, 0 },
	OPTION_MEMORY, OPTION_HELP, OPTION_LAST
};
static const struct options defaults = { .output = "faulty.trace", .limit = 60 };

const struct command command_inject = { "faults", "inject", "-- <program> [<arguments>]",
	"Run a program with one fault in it, and write down what its threads do.",
	STYLE_PROGRAM, list, &defaults, sizeof defaults, 1, -1,
	"Kinds: BitFlip:<bit> StuckAt:<bit>,<0|1>[,<times>] Value:<number> Skip WrongBranch CallCorr[:<bit>] MallSize[:<percent>]\n"
	"  InvalPtr[:<bit>] FileSize[:<percent>] ThreadArg[:<bit>] Drop Fail[:<errno>] Delay:<ms>; see raddle-inject(1).\n"
	"The program must be built with 'raddle cc --raddle=full'.    Example: raddle inject --fault=BitFlip:2 --at=T_0_1:work#3@2 -- ./prog\n"
	"Exit: as the program did; 2 bad command line, no such site or it cannot be there, 3 bad input, 125 raddle failed.", run, true };
