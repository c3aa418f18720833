/* cli/verify_certificate.c -- raddle verify-certificate: what 'raddle check --certificate' wrote, checked again.  The work is certify/'s. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/str.h"
#include "certify/cover.h"
#include "certify/replay.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "drive/program.h"
#include "drive/surroundings.h"

#define MOST_BYTES ((size_t)1 << 33)

struct options { uint64_t sample, seed; bool all, json; };
struct checked { int got; struct cover cover; struct replay replay; const char *why; };

static bool goes_on(void) { return !interrupt_waits(); }

static int refuse(const char *file, const char *what, struct err *why)
{
	return err_set(why, "certificate '%s' is of %s", file, what);
}

/* Is it of this program, with these arguments? */
static int agree(const struct certificate *c, char **operands, struct err *why)
{
	char path[4096], hash[PROGRAM_HASH], what[512];
	size_t count = 0;
	static const struct surroundings nothing;
	if (program_find(operands[0], path, sizeof path, why) < 0 || program_hash(path, hash, why) < 0)
		return -1;
	if (strcmp(hash, c->program))
		return refuse(c->name, "another program, or another build of it", why);
	if (!surroundings_same((const char *)c->around.at, &nothing, what, sizeof what))
		return refuse(c->name, what, why);
	while (operands[count])
		count++;
	for (size_t i = 1; i < count && i < c->arguments.count; i++)
		if (strcmp(operands[i], c->arguments.at[i]))
			return refuse(c->name, "a program with other arguments", why);
	return count == c->arguments.count ? 0 : refuse(c->name, "a program with other arguments", why);
}

static void say_json(const struct certificate *c, const struct checked *x)
{
	struct json j;
	json_summary(&j, stdout);
	json_put_text(&j, "command", "verify-certificate");
	json_put_text(&j, "holds", x->got == 1 ? "yes" : x->got == 0 ? "no" : "unknown");
	json_put_text(&j, "verdict", c->is_bug ? "bug" : "safe");
	json_put_number(&j, "classes", c->classes.count);
	json_put_number(&j, "states", x->cover.states);
	json_put_number(&j, "executions", x->replay.runs);
	json_put_number(&j, "places", x->replay.places);
	json_put_number(&j, "places_seen", x->replay.seen);
	if (x->why)
		json_put_text(&j, "why", x->why);
	json_summary_end(&j);
}

static void say(const struct certificate *c, const struct checked *x)
{
	static const char *const models[] = { "SC", "TSO", "PSO" };
	char states[STR_NUMBER], classes[STR_NUMBER], runs[STR_NUMBER], seen[STR_NUMBER], places[STR_NUMBER];
	if (x->got != 1) {
		printf("%s: %s\n", x->got == 0 ? "does not hold" : "unknown", x->why);
		return;
	}
	printf("holds: %s, %s class%s under %s and no other, in %s states\n", c->is_bug ? "bug" : "safe", str_grouped(classes, c->classes.count),
		c->classes.count == 1 ? "" : "es", models[c->model], str_grouped(states, x->cover.states));
	printf("  executed: %s of them, which came to %s of %s places of the threads\n", str_grouped(runs, x->replay.runs), str_grouped(seen, x->replay.seen),
		str_grouped(places, x->replay.places));
	if (c->trust)
		printf("  trusted: %s\n", c->trust);
}

static int verify(const struct options *o, struct certificate *c, char **program, struct err *why)
{
	struct checked x = { 0 };
	struct replay_setup how = { .argv = program, .seed = o->seed, .sample = o->all ? 0 : o->sample, .goes_on = goes_on };
	interrupt_watch();
	x.got = cover_all(c, goes_on, &x.cover);
	x.why = x.got == 1 ? NULL : x.cover.why;
	if (x.got == 1) {
		x.got = replay_classes(c, &how, &x.replay, why);
		x.why = x.got == 1 ? NULL : x.replay.why;
	}
	interrupt_leave();
	if (x.got == -2)
		return -1;
	if (o->json)
		say_json(c, &x);
	else
		say(c, &x);
	return x.got == 1 ? 0 : x.got == 0 ? 1 : 4;
}

static int run(const void *given, char **operands, struct err *why)
{
	struct certificate c = { 0 };
	char *bytes = NULL, **program = operands + 1;
	size_t count;
	if (!strcmp(*program, "--"))
		program++;
	if (!*program) {
		err_set(why, "no program to hold it against (raddle verify-certificate <file> -- <program>)");
		why->code = 2;
		return -1;
	}
	int got = file_read(operands[0], MOST_BYTES, &bytes, &count, why);
	if (got == 0)
		got = certificate_parse(&c, operands[0], bytes, count, why);
	mem_free(bytes);
	if (got == 0 && (got = agree(&c, program, why)) == 0)
		got = verify(given, &c, program, why);
	certificate_release(&c);
	return got;
}

static const struct option list[] = {
	{ 0, "sample", OPTION_NUMBER, offsetof(struct options, sample), "n", "execute so many classes, drawn (default 100)", NULL, 1, UINT64_MAX },
	{ 0, "seed", OPTION_NUMBER, offsetof(struct options, seed), "n", "draw others (default 1)", NULL, 0, UINT64_MAX },
	{ 0, "all", OPTION_FLAG, offsetof(struct options, all), NULL, "execute every class", NULL, 0, 0 },
	{ 0, "json", OPTION_FLAG, offsetof(struct options, json), NULL, "summary as JSON, see raddle-json(5)", NULL, 0, 0 },
	OPTION_MEMORY, OPTION_HELP, OPTION_LAST
};
static const struct options defaults = { .sample = 100, .seed = 1 };

const struct command command_verify_certificate = { "share", "verify-certificate", "<file> -- <program> [<arguments>]",
	"Check again what 'raddle check --certificate' wrote: by another machine, and on the program.",
	STYLE_PROGRAM, list, &defaults, sizeof defaults, 2, -1,
	"Every state of the threads as the certificate has them is visited: nobody can be told a value it has nothing for, its classes are those that can\n"
	"happen. Some of them are executed. Example: raddle check --certificate q.cert -- ./queue-test; raddle verify-certificate q.cert -- ./queue-test\n"
	"Exit: 0 it holds, 1 it does not, 2 bad command line or no such program, 3 a bad certificate or one of another program,\n"
	"4 that cannot be told.", run, true };
