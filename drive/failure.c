/* drive/failure.c -- see failure.h. */
#include "drive/failure.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "wire/kinds.h"

/* ---------------------------------------------------------------- the rule */

static int bad_code(const char *text, struct err *why)
{
	err_set(why, "'--fail-if=%.100s': an exit code is a number from 0 to 255", text);
	why->code = 2;
	return -1;
}

static int parse_code(const char *text, const char *number, struct failure_rule *out, struct err *why)
{
	uint64_t code;
	if (!str_number(number, &code) || code > 255)
		return bad_code(text, why);
	out->code = (int32_t)code;
	return 0;
}

int failure_rule_parse(const char *text, struct failure_rule *out, struct err *why)
{
	char said[128];
	memset(out, 0, sizeof *out);
	if (strcmp(text, "exit") == 0)
		return 0;
	if (str_starts(text, "exit!="))
		return parse_code(text, text + 6, out, why);
	if (str_starts(text, "exit=")) {
		out->by = FAIL_EXIT_IS;
		return parse_code(text, text + 5, out, why);
	}
	int error = regcomp(&out->regex, text, REG_EXTENDED | REG_NEWLINE);
	if (error == 0) {
		out->by = FAIL_OUTPUT;
		return 0;
	}
	regerror(error, &out->regex, said, sizeof said);
	err_set(why, "'--fail-if=%.100s' is no regular expression: %s", text, said);
	err_hint(why, "it is exit, exit=<n>, exit!=<n>, or an extended regular expression for what the program writes");
	why->code = 2;
	return -1;
}

void failure_rule_release(struct failure_rule *rule)
{
	if (rule->by == FAIL_OUTPUT)
		regfree(&rule->regex);
	rule->by = FAIL_EXIT_NOT;
}

/* ---------------------------------------------------------------- is it one? */

bool failure_is_unknown(const struct run_done *run)
{
	enum steer_outcome o = run->result.outcome;
	return run->result.interrupted || o == OUTCOME_NONE || o == OUTCOME_LEFT || o == OUTCOME_ASSUME || o == OUTCOME_UNSUPPORTED;
}

uint64_t failure_output_end(const struct failure_rule *rule, const struct run_done *run)
{
	struct buffer text = { 0 };
	regmatch_t match;
	if (rule->by != FAIL_OUTPUT)
		return 0;
	for (size_t i = 0; i < run->output.count; i++)          /* a zero byte would end the text */
		buffer_add(&text, run->output.at[i] ? &run->output.at[i] : " ", 1);
	buffer_add(&text, "", 1);
	bool found = regexec(&rule->regex, (const char *)text.at, 1, &match, 0) == 0;
	buffer_release(&text);
	return !found ? 0 : match.rm_eo > match.rm_so ? (uint64_t)match.rm_eo : (uint64_t)match.rm_so + 1;
}

bool failure_is(const struct failure_rule *rule, const struct run_done *run)
{
	const struct steer_result *r = &run->result;
	if (failure_is_unknown(run))
		return false;
	if (r->outcome != OUTCOME_EXIT)
		return true;
	if (rule->by == FAIL_NEVER)
		return false;
	if (rule->by == FAIL_OUTPUT)
		return failure_output_end(rule, run) != 0;
	return (r->value == rule->code) == (rule->by == FAIL_EXIT_IS);
}

/* ---------------------------------------------------------------- which one? */

static void add_source(struct buffer *out, struct steer_result *r, uint64_t place)
{
	struct source at;
	if (place && places_source(r->places, place, &at))
		buffer_print(out, " %s:%" PRIu32 " %s", at.file, at.line, at.function);
}

/* Addresses in a text differ where the same thing happened. */
static void add_text(struct buffer *out, const char *text)
{
	while (*text) {
		if (strncmp(text, "0x", 2) == 0) {
			buffer_print(out, "0x");
			text += 2 + strspn(text + 2, "0123456789abcdef");
			continue;
		}
		buffer_add(out, text++, 1);
	}
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* What the waiting threads wait for, each once, in the order of the alphabet. */
static void add_waits(struct buffer *out, struct steer_result *r)
{
	VEC(char *) lines = { 0 };
	for (size_t i = 0; i < r->threads.count; i++) {
		const struct steer_thread *t = &r->threads.at[i];
		if (!t->waits || t->usual || t->kind == EV_JOIN)
			continue;
		struct buffer line = { 0 };
		buffer_print(&line, "%" PRIu32, t->kind);
		add_source(&line, r, t->place);
		buffer_add(&line, "", 1);
		vec_push(&lines, (char *)line.at);
	}
	if (lines.count)
		qsort(lines.at, lines.count, sizeof *lines.at, by_text);
	for (size_t i = 0; i < lines.count; i++)
		if (i == 0 || strcmp(lines.at[i - 1], lines.at[i]) != 0)
			buffer_print(out, "\n%s", lines.at[i]);
	for (size_t i = 0; i < lines.count; i++)
		mem_free(lines.at[i]);
	vec_release(&lines);
}

/* A run that ended by itself: where exit was called from, by functions. */
static void add_frames(struct buffer *out, struct steer_result *r)
{
	const struct steer_thread *t = steer_running(r);
	for (size_t i = 0; t && i < t->frames.count; i++) {
		struct source at;
		if (places_function(r->places, t->frames.at[i].entered, &at))
			buffer_print(out, " %s", at.function);
	}
}

void failure_key(const struct failure_rule *rule, struct run_done *run, struct buffer *out)
{
	struct steer_result *r = &run->result;
	const struct steer_thread *t = steer_running(r);
	bool by_output = r->outcome == OUTCOME_EXIT && rule->by == FAIL_OUTPUT;
	buffer_print(out, "%s", outcome_words[r->outcome]);
	if ((r->outcome == OUTCOME_EXIT && !by_output) || r->outcome == OUTCOME_SIGNAL)
		buffer_print(out, " %d", r->value);
	if (r->outcome == OUTCOME_DEADLOCK) {
		buffer_print(out, " %s", steer_deadlock(r));
		add_waits(out, r);
	} else if (r->outcome == OUTCOME_EXIT && !by_output) {
		add_frames(out, r);
	} else if (r->outcome == OUTCOME_MEMORY || r->outcome == OUTCOME_ASSERT || r->outcome == OUTCOME_SIGNAL) {
		buffer_print(out, " ");
		add_text(out, r->text);
		add_source(out, r, t ? t->place : 0);
	}
	buffer_add(out, "", 1);
}

/* What an assertion said begins with its place: "a/bank.c:41: ...". */
static bool place_in_text(const char *text, char *into, size_t room)
{
	const char *colon = strchr(text, ':'), *name = text;
	size_t digits = colon ? strspn(colon + 1, "0123456789") : 0;
	if (!digits || colon[1 + digits] != ':')
		return false;
	for (const char *c = text; c < colon; c++)
		if (*c == '/')
			name = c + 1;
	snprintf(into, room, "%.*s", (int)(colon + 1 + digits - name), name);
	return true;
}

/* In a library without lines, as where an exception nobody catches ends the program: where the function of the program begins that is inside. */
static bool place_of(struct steer_result *r, const struct steer_thread *t, struct source *at)
{
	if (places_source(r->places, t->place, at) && *at->file)
		return true;
	return r->outcome == OUTCOME_SIGNAL && t->depth && t->depth == t->frames.count &&
		places_function(r->places, t->frames.at[t->depth - 1].entered, at) && *at->file;
}

char *failure_place(struct steer_result *r, char *into, size_t room)
{
	struct source at;
	if ((r->outcome == OUTCOME_SIGNAL || r->outcome == OUTCOME_ASSERT) && place_in_text(r->text, into, room))
		return into;
	const struct steer_thread *t = r->outcome == OUTCOME_EXIT ? NULL : steer_running(r);
	for (size_t i = 0; r->outcome == OUTCOME_DEADLOCK && i < r->threads.count; i++)
		if (r->threads.at[i].waits && r->threads.at[i].kind != EV_JOIN) {
			t = &r->threads.at[i];
			break;
		}
	into[0] = 0;
	if (!t || !place_of(r, t, &at))
		return into;
	const char *slash = strrchr(at.file, '/');
	snprintf(into, room, "%s:%" PRIu32, slash ? slash + 1 : at.file, at.line);
	return into;
}
