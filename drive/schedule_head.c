/* drive/schedule_head.c -- the lines in front of a schedule's steps: program and arguments, environment, how it was run, modules, threads, what is expected.
 * Every name must have been introduced by the time it is used, and is introduced once. */
#include <string.h>

#include "drive/schedule_inside.h"

#define VARIABLES_MAX   10000u
#define VARIABLES_BYTES (2ull << 20)            /* more than Linux hands to a program */

static bool line_program(struct parser *p)
{
	return next_text(p, "the program", &p->s->program);
}

static bool line_build(struct parser *p)
{
	const struct token *t = peek(p);
	if (t->quoted || !t->length || t->length > 40 || t->length % 2 || strspn(t->text, "0123456789abcdef") != t->length)
		return schedule_bad(p, "'%s' is not a build id", word_shown(t));
	return next_text(p, "the build id", &p->s->build_id);
}

static bool line_argument(struct parser *p)
{
	const char *text = "";
	if (!next_text(p, "the argument", &text))
		return false;
	vec_push(&p->s->arguments, text);
	vec_push(&p->s->argument_lines, p->line);
	return true;
}

static bool take_others(struct parser *p, uint64_t low, uint64_t *strings, uint64_t *bytes)
{
	return next_number(p, "the number of variables", low, VARIABLES_MAX, strings) &&
		next_number(p, "their bytes", low, VARIABLES_BYTES, bytes);
}

static bool line_environment(struct parser *p)
{
	struct schedule_setting e = { .name = "", .value = "" };
	if (!next_text(p, "the variable", &e.name) || !next_text(p, "its value", &e.value))
		return false;
	if (!*e.name || strchr(e.name, '='))
		return schedule_bad(p, "that is no name of a variable");
	if (p->s->environment.count >= VARIABLES_MAX)
		return schedule_bad(p, "more than %u variables", VARIABLES_MAX);
	if (word_is(peek(p), "behind")) {
		next(p);
		if (!take_others(p, 1, &e.strings, &e.bytes))
			return false;
	}
	vec_push(&p->s->environment, e);
	return true;
}

static bool line_environment_rest(struct parser *p)
{
	p->s->whole_environment = true;
	return take_others(p, 0, &p->s->other_strings, &p->s->other_bytes);
}

static bool line_policy(struct parser *p)
{
	const struct token *t = next(p);
	if (t->quoted || !policy_parse(t->text, &p->s->policy, &p->s->seed, &p->s->depth))
		return schedule_bad(p, "unknown policy '%s'", word_shown(t));
	return true;
}

static bool line_switch(struct parser *p) { return next_among(p, "way to switch", switch_words, &p->s->switching); }
static bool line_heap(struct parser *p) { return next_among(p, "heap", heap_words, &p->s->heap); }
static bool line_time(struct parser *p) { return next_among(p, "time", time_words, &p->s->time); }
static bool line_model(struct parser *p) { return next_among(p, "memory model", model_words, &p->s->model); }
static bool line_max_steps(struct parser *p) { return next_number(p, "the limit", 1, SCHEDULE_NTH_MAX, &p->s->max_steps); }
static bool line_bound(struct parser *p) { return next_number(p, "the bound", 1, SCHEDULE_NTH_MAX, &p->s->bound); }

static bool line_input(struct parser *p)
{
	if (!next_text(p, "the input", &p->s->input) || !next_number(p, "the hash", 0, UINT64_MAX, &p->s->input_hash))
		return false;
	return (*p->s->input && !strchr(p->s->input, '/')) || schedule_bad(p, "the input is no file beside the schedule");
}

static bool line_addresses(struct parser *p)
{
	static const char *const words[] = { "random", "fixed", NULL };
	uint32_t got;
	if (!next_among(p, "addresses", words, &got))
		return false;
	p->s->fixed_addresses = got == 1;
	return true;
}

static bool line_module(struct parser *p)
{
	uint64_t index;
	const char *name = "";
	if (!next_number(p, "the module's number", 0, RING_MODULES - 1, &index) || !next_text(p, "the module's name", &name))
		return false;
	for (size_t i = 0; i < p->s->modules.count; i++)
		if (p->s->modules.at[i].index == index || strcmp(p->s->modules.at[i].name, name) == 0)
			return schedule_bad(p, "this module was listed before");
	schedule_module_add(p->s, name, (uint32_t)index);
	return true;
}

static bool line_threads(struct parser *p)
{
	uint64_t count;
	if (!next_number(p, "the number of threads", 1, STEER_STRANDS, &count))
		return false;
	p->declared = (uint32_t)count;
	return true;
}

static bool line_thread(struct parser *p)
{
	const struct token *t = next(p);
	const char *name = "";
	if (t->quoted || !schedule_is_path(t->text))
		return schedule_bad(p, "'%s' is no thread", word_shown(t));
	if (more(p) && !next_text(p, "the name", &name))
		return false;
	bool first = p->s->threads.count == 0;
	if (first != (strcmp(t->text, "T_0") == 0))
		return first ? schedule_bad(p, "the first thread is T_0, not '%s'", word_shown(t)) : schedule_bad(p, "T_0 was listed before");
	if (!first && schedule_thread(p->s, t->text) != NO_PART)
		return schedule_bad(p, "thread '%s' was listed before", word_shown(t));
	return schedule_thread_add(p->s, t->text, name) != NO_PART || schedule_bad(p, "more than %u threads", STEER_STRANDS);
}

static bool expect_waits(struct parser *p)
{
	struct schedule_wait w = { .holder = NO_PART };
	if (!next_thread(p, &w.thread) || !next_kind(p, &w.kind) || !next_text(p, "what it waits for", &w.object))
		return false;
	if (word_is(peek(p), "held")) {
		next(p);
		if (!next_thread(p, &w.holder))
			return false;
	}
	vec_push(&p->s->waits, w);
	return true;
}

static bool expect_outcome(struct parser *p)
{
	struct schedule *s = p->s;
	uint64_t value = 0;
	if (s->outcome != OUTCOME_NONE)
		return schedule_bad(p, "a second outcome");
	if (!next_among(p, "outcome", outcome_words, &s->outcome))
		return false;
	if (s->outcome == OUTCOME_NONE || s->outcome == OUTCOME_LEFT || s->outcome == OUTCOME_UNSUPPORTED)
		return schedule_bad(p, "no schedule can expect '%s'", outcome_words[s->outcome]);
	if (s->outcome == OUTCOME_EXIT && !next_number(p, "the exit code", 0, 255, &value))
		return false;
	if (s->outcome == OUTCOME_SIGNAL && !next_number(p, "the signal", 1, 64, &value))
		return false;
	s->value = (int32_t)value;
	return !more(p) || next_text(p, "its text", &s->text);
}

static bool line_expect(struct parser *p)
{
	if (word_is(peek(p), "waits"))
		return next(p), expect_waits(p);
	if (word_is(peek(p), "events"))
		return next(p), next_number(p, "the number of events", 1, SCHEDULE_NTH_MAX, &p->s->events);
	return expect_outcome(p);
}

static bool line_stop(struct parser *p)
{
	if (!next_thread(p, &p->s->stop_thread) || !next_number(p, "the event", 1, SCHEDULE_NTH_MAX, &p->s->stop_nth))
		return false;
	if (!word_is(peek(p), "output"))
		return true;
	return next(p), next_number(p, "the output", 1, SCHEDULE_NTH_MAX, &p->s->stop_output);
}

static const struct { const char *word; head_line *take; } lines[] = {
	{ "program", line_program }, { "build", line_build }, { "argument", line_argument }, { "environment", line_environment },
	{ "environment-rest", line_environment_rest },
	{ "policy", line_policy }, { "switch", line_switch }, { "heap", line_heap }, { "time", line_time }, { "model", line_model },
	{ "addresses", line_addresses }, { "input", line_input }, { "max-steps", line_max_steps }, { "threads-bound", line_bound }, { "module", line_module },
	{ "threads", line_threads }, { "thread", line_thread }, { "expect", line_expect }, { "stop", line_stop },
};

head_line *head_line_of(const struct token *first)
{
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		if (word_is(first, lines[i].word))
			return lines[i].take;
	return NULL;
}
