/* cli/determinism.c -- raddle determinism: could this run have gone otherwise?  The question is analyses/determinism's. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "analyses/determinism/determinism.h"
#include "analyses/determinism/sources.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "cli/command.h"
#include "cli/golden.h"
#include "cli/say.h"
#include "drive/program.h"

#define LINE_ROOM 1000

struct options { bool explain, json, salvage; const char *schedules, *refutations; uint64_t golden; };

static const char *const verdicts[] = { "deterministic", "order-dependent", "unknown" };
static const char *const answers[] = { "irreversible", "reversible", "reversible, then deadlock", "unknown" };

static const char *answer_of(const struct pair *p)
{
	return p->answer == ORDER_NO && p->same ? "same outcome" : p->skips ? "reversible, then a wait is skipped" : answers[p->answer];
}

static const char *deed(const struct pair_end *e, const char *object)
{
	switch (e->kind) {
	case EV_FREE:   return "freed";
	case EV_REALLOC: return "reallocated";
	case EV_UNMAP:  return "unmapped";
	case EV_LOCK:   return "locked";
	case EV_CWAIT:  return "waited for";
	case EV_CSIGNAL: case EV_CBROADCAST: return "signalled";
	case EV_JOIN:   return "joined";
	case EV_UNLOCK: return "unlocked";
	case EV_TRYFAIL: return "tried in vain";
	case EV_OUTPUT: return e->writes ? "used" : strcmp(object, KEPT_PROCESS) ? "read" : "needed";
	case EV_CALL:   return e->writes ? "changed" : "read";
	case EV_EXIT:   return "ended";
	case EV_ONCE: case EV_ONCERUN: return "passed";
	default:        return e->writes ? "written" : "read";
	}
}

static const char *path_of(const struct determinism *d, const struct pair_end *e)
{
	return trace_thread(d->trace, (struct thread_id){ e->spot.thread })->path;
}

static void where(const struct pair_end *e, char *into, size_t room)
{
	place_short(e->place, into, room);
	if (!*into)
		snprintf(into, room, "event %" PRIu64, e->index + 1);
}

static char *pair_line(const struct determinism *d, const struct pair *p, char *into, size_t room)
{
	char first[200], second[200];
	where(&p->first, first, sizeof first);
	where(&p->second, second, sizeof second);
	int at = snprintf(into, room, "%s: %s: '%s' %s by %s, then %s by %s at %s", first, answer_of(p), p->object, deed(&p->first, p->object),
		path_of(d, &p->first), deed(&p->second, p->object), path_of(d, &p->second), second);
	for (uint32_t i = 2; p->waits && i < d->stuck.count && at > 0 && (size_t)at < room; i++) {
		struct order_node n = order_node_at(d->order, d->stuck.spot[i]);
		struct pair_end other = { d->stuck.spot[i], n.index, n.place, n.kind, true };
		where(&other, second, sizeof second);
		at += snprintf(into + at, room - (size_t)at, ", by %s at %s", path_of(d, &other), second);
	}
	return into;
}

static void say_reason(const struct reason *r)
{
	char at[200] = "";
	if (r->where)
		place_short(r->where, at, sizeof at);
	printf("not known: %s%s%s%s", *at ? at : "", *at ? ": " : "", r->text, "");
	if (r->times > 1)
		printf(" (%" PRIu64 " times)", r->times);
	putchar('\n');
}

static int say_schedule(struct determinism *d, const struct pair *p, const struct options *options, uint32_t *written, struct err *why)
{
	char path[4096];
	if (!options->schedules || (p->answer != ORDER_YES && p->answer != ORDER_STUCK))
		return 0;
	snprintf(path, sizeof path, "%s-%" PRIu32 ".sched", options->schedules, *written + 1);
	int got = determinism_schedule(d, p, path, why);
	if (got == 0) {
		printf("  replay: raddle replay %s\n", path);
		++*written;
	}
	return got < 0 ? -1 : 0;
}

/* Of a pair, or of a cycle of threads that wait. */
static int say_refutation(struct determinism *d, const struct pair *p, const struct order_stuck *cycle, const struct options *options, uint32_t *written, struct err *why)
{
	char path[4096];
	snprintf(path, sizeof path, "%s-%" PRIu32 ".ref", options->refutations, *written + 1);
	int got = p ? determinism_refute(d, p, path, why) : determinism_refute_cycle(d, cycle, path, why);
	if (got == 0) {
		printf("  refutation: %s\n", path);
		++*written;
	}
	return got < 0 ? -1 : 0;
}

/* Each line once, with how often: a loop unrolled, or a line of many accesses, has many places that read the same. */
static void say_lines(const struct determinism *d)
{
	char line[LINE_ROOM];
	struct names lines = { 0 };
	VEC(uint32_t) times = { 0 };
	for (uint32_t i = 0; i < d->pair_count; i++) {
		if (d->pairs[i].answer == ORDER_NO)
			continue;
		pair_line(d, &d->pairs[i], line, sizeof line);
		uint32_t at = names_put(&lines, line, strlen(line));
		while (times.count <= at)
			vec_push(&times, 0);
		times.at[at]++;
	}
	for (uint32_t i = 0; i < times.count; i++)
		if (times.at[i] > 1)
			printf("%s (%" PRIu32 " pairs)\n", names_text(&lines, i), times.at[i]);
		else if (times.at[i])
			printf("%s\n", names_text(&lines, i));
	vec_release(&times);
	names_release(&lines);
}

/* Deadlocks that were thought of and cannot be: who would wait where. */
static int say_closed(struct determinism *d, const struct options *options, uint32_t *refuted, struct err *why)
{
	char at[200];
	for (size_t i = 0; i < d->closed.count && (options->explain || options->refutations); i++) {
		const struct order_stuck *c = &d->closed.at[i];
		for (uint32_t k = 0; k < c->count; k++) {
			struct order_node n = order_node_at(d->order, c->spot[k]);
			struct pair_end e = { c->spot[k], n.index, n.place, n.kind, true };
			where(&e, at, sizeof at);
			printf(k ? ", %s at %s" : "%2$s: no deadlock: these cannot all wait for each other: %1$s at %2$s", path_of(d, &e), at);
		}
		putchar('\n');
		if (options->explain)
			order_ask(d->order, &(struct question){ .reach = c->spot, .reach_count = c->count, .limit = c->spot, .limit_count = c->count, .explain = stdout });
		if (options->refutations && say_refutation(d, NULL, c, options, refuted, why) < 0)
			return -1;
	}
	return 0;
}

/* Each pair for itself, with what goes with it. */
static int say_pairs(struct determinism *d, const struct options *options, uint32_t *written, struct err *why)
{
	char line[LINE_ROOM];
	uint32_t refuted = 0;
	for (uint32_t i = 0; i < d->pair_count; i++) {
		struct pair *p = &d->pairs[i];
		if (p->answer == ORDER_NO && !options->explain && !options->refutations)
			continue;
		puts(pair_line(d, p, line, sizeof line));
		if (p->answer == ORDER_NO && p->same) {
			if (options->explain)
				puts("  updates of integers of one kind that nobody else looks at in between: whichever comes first, the sum is the same");
			continue;
		}
		if (p->answer == ORDER_NO && options->explain)
			order_reversible(d->order, order_stand_at(p->first.spot), order_stand_at(p->second.spot), NULL, stdout);
		if (p->answer == ORDER_STUCK && !p->waits && options->explain)
			determinism_whole(d, p, NULL, stdout);
		if ((p->answer == ORDER_NO || (p->answer == ORDER_STUCK && !p->waits)) && options->refutations &&
			say_refutation(d, p, NULL, options, &refuted, why) < 0)
			return -1;
		if (say_schedule(d, p, options, written, why) < 0)
			return -1;
	}
	return say_closed(d, options, &refuted, why);
}

static int say_text(struct determinism *d, const struct options *options, struct err *why)
{
	char number[STR_NUMBER];
	uint32_t written = 0;
	if (!options->explain && !options->schedules && !options->refutations)
		say_lines(d);
	else if (say_pairs(d, options, &written, why) < 0)
		return -1;
	for (uint32_t i = 0; i < d->reason_count; i++)
		say_reason(&d->reasons[i]);
	printf("%s: %" PRIu32 " of %" PRIu32 " dependent pairs of places can happen the other way round", verdicts[d->verdict],
		d->reversible, d->pair_count);
	if (d->deadlock)
		printf(", %" PRIu32 " only into a deadlock", d->deadlock);
	if (d->skips)
		printf(", %" PRIu32 " by skipping a wait", d->skips);
	if (d->same)
		printf("; same outcome: %" PRIu32 " pair%s commute%s", d->same, d->same > 1 ? "s" : "", d->same > 1 ? "" : "s");
	printf(" (%s events)\n", str_grouped(number, d->events));
	if (options->schedules && d->reversible && !written)
		say_note("no schedule was written: the trace is not of a steered run (raddle run --save-trace)");
	return 0;
}

static void json_end_of(struct json *j, const struct determinism *d, const char *key, const struct pair_end *e)
{
	json_key(j, key);
	json_object(j);
	json_put_text(j, "thread", path_of(d, e));
	json_put_number(j, "event", e->index + 1);
	json_put_text(j, "kind", event_word((enum event_kind)e->kind));
	json_put_bool(j, "writes", e->writes);
	json_put_text(j, "file", e->place->file);
	json_put_number(j, "line", e->place->line);
	json_put_text(j, "function", e->place->function);
	json_end(j, '}');
}

static void say_json(const struct determinism *d, double seconds)
{
	struct json j;
	json_init(&j, stdout);
	for (uint32_t i = 0; i < d->pair_count; i++) {
		const struct pair *p = &d->pairs[i];
		json_object(&j);
		json_put_text(&j, "type", "pair");
		json_put_text(&j, "object", p->object);
		json_put_text(&j, "answer", answer_of(p));
		json_end_of(&j, d, "first", &p->first);
		json_end_of(&j, d, "second", &p->second);
		json_end(&j, '}');
		json_line(&j);
	}
	for (uint32_t i = 0; i < d->reason_count; i++) {
		json_object(&j);
		json_put_text(&j, "type", "unknown");
		json_put_text(&j, "why", d->reasons[i].text);
		json_put_number(&j, "times", d->reasons[i].times);
		json_end(&j, '}');
		json_line(&j);
	}
	json_object(&j);
	json_put_number(&j, "schema", 1);
	json_key(&j, "summary");
	json_object(&j);
	json_put_text(&j, "command", "determinism");
	json_put_text(&j, "verdict", verdicts[d->verdict]);
	json_put_number(&j, "events", d->events);
	json_put_number(&j, "pairs", d->pair_count);
	json_put_number(&j, "reversible", d->reversible);
	json_put_number(&j, "deadlock", d->deadlock);
	json_put_number(&j, "skips", d->skips);
	json_put_number(&j, "same", d->same);
	json_key(&j, "seconds");
	json_real(&j, seconds);
	json_end(&j, '}');
	json_end(&j, '}');
	json_line(&j);
}

/* A program and not a trace: it has arguments, can be executed, or is found where programs are. */
static bool is_program(char **operands)
{
	struct stat st;
	char path[4096];
	struct err ignored;
	if (!operands[0] || operands[1])
		return operands[0] != NULL;
	if (stat(operands[0], &st) == 0)
		return S_ISREG(st.st_mode) && st.st_mode & 0111;
	return !strchr(operands[0], '/') && !strchr(operands[0], '.') && program_find(operands[0], path, sizeof path, &ignored) == 0;
}

/* What the other runs did. */
static void hold_against(struct determinism *d, const struct golden *g, const struct options *options)
{
	char text[800];
	if (g->parted) {
		snprintf(text, sizeof text, "%" PRIu64 " of %" PRIu64 " other runs part from the first; %s", g->parted, g->runs - 1, g->text);
		determinism_doubt(d, text);
	} else if (g->runs > 1 && !options->json) {
		printf("%" PRIu64 " runs agree: exit, output, events\n", g->runs);
	}
}

static int decide(struct trace *trace, struct golden *g, const struct options *options, double start, struct err *why)
{
	static const int codes[] = { 0, 1, 4 };
	struct determinism d = { 0 };
	g->updates.trace = trace;
	int got = determinism_run(&d, trace, &(struct determinism_updates){ program_updates_open, &g->updates }, why);
	if (got == 0) {
		hold_against(&d, g, options);
		if (options->json)
			say_json(&d, clock_seconds() - start);
		else
			got = say_text(&d, options, why);
		got = got < 0 ? got : codes[d.verdict];
	}
	if (say_flush(why) < 0)
		got = -1;
	determinism_release(&d);
	return got;
}

static int run(const void *given, char **operands, struct err *why)
{
	const struct options *options = given;
	struct trace *trace;
	struct golden g = { 0 };
	double start = clock_seconds();
	int got;
	if (is_program(operands)) {
		got = golden_run(&g, operands, options->golden, why);
		if (got == 0)
			got = decide(g.first, &g, options, start, why);
		golden_release(&g);
		return got;
	}
	if (options->golden > 1) {
		err_set(why, "'--golden' makes runs of a program, not of a trace");
		err_hint(why, "raddle determinism --golden=%" PRIu64 " -- <program>", options->golden);
		why->code = 2;
		return -1;
	}
	if (open_trace(&trace, operands, options->salvage, why) < 0)
		return -1;
	got = decide(trace, &g, options, start, why);
	program_updates_close(&g.updates);
	trace_close(trace);
	return got;
}

#define AT(field) offsetof(struct options, field)
static const struct option list[] = {
	{ 0, "explain", OPTION_FLAG, AT(explain), NULL, "irreversible pairs too; each with the rule that keeps its order, or ends it in deadlock", NULL, 0, 0 },
	{ 0, "json", OPTION_FLAG, AT(json), NULL, "one object per line, see raddle-json(5)", NULL, 0, 0 },
	{ 0, "schedules", OPTION_TEXT, AT(schedules), "prefix", "of a steered run: write the schedule of each reversal, <prefix>-1.sched ...", NULL, 0, 0 },
	{ 0, "refutations", OPTION_TEXT, AT(refutations), "prefix", "irreversible pairs too; a proof for raddle-verify of each no, <prefix>-1.ref ...", NULL, 0, 0 },
	{ 0, "golden", OPTION_NUMBER, AT(golden), "n", "runs of the program to make, which must agree (default 1)", NULL, 1, 10000 },
	{ 0, "salvage", OPTION_FLAG, AT(salvage), NULL, "use the sound part of a damaged trace", NULL, 0, 0 },
	OPTION_MEMORY, OPTION_HELP, OPTION_LAST
};
static const struct options defaults = { .golden = 1 };

const struct command command_determinism = { "find", "determinism", "[<trace> | -- <program> [<arguments>]]",
	"Say whether other schedules of this run could do something else.",
	STYLE_PROGRAM, list, &defaults, sizeof defaults, 0, -1,
	"<trace> defaults to ./run.trace, as written by 'raddle record'.    Example: raddle determinism --golden=10 -- ./bank\n"
	"Exit: 0 deterministic, 1 order-dependent, 2 bad command line, 3 bad input, 4 unknown.", run, true };
