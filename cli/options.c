/* cli/options.c -- the command line of one command, read by its table; and the help that table prints.
 *   (1) nothing outside `into` and the order of argv changes: parsing has no side effect but printing help;
 *   (2) every refused number says its range, every refused word what is allowed or near. */
#include "cli/command.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/unpack.h"
#include "cli/say.h"

#define VALUE_MOST 64

bool is_near(const char *word, const char *meant, unsigned *best)
{
	unsigned d = str_distance(word, meant);
	size_t shorter = strlen(word) < strlen(meant) ? strlen(word) : strlen(meant);
	if (shorter >= 3 && str_starts(meant, word))
		d = 1;
	if (d > 2 || d >= *best || d >= shorter)
		return false;
	*best = d;
	return true;
}

static const struct option *option_named(const struct command *c, const char *name, size_t length)
{
	for (const struct option *o = c->options; o->name; o++)
		if (strlen(o->name) == length && !strncmp(o->name, name, length))
			return o;
	return NULL;
}

static const struct option *option_lettered(const struct command *c, char letter)
{
	for (const struct option *o = c->options; o->name; o++)
		if (o->letter && o->letter == letter)
			return o;
	return NULL;
}

static int unknown_option(const struct command *c, const char *given, size_t length, struct err *why)
{
	char word[VALUE_MOST];
	snprintf(word, sizeof word, "%.*s", (int)(length < VALUE_MOST ? length : VALUE_MOST - 1), given);
	const char *found = NULL;
	unsigned best = 99;
	if (str_starts(word, "--"))
		for (const struct option *o = c->options; o->name; o++)
			if (is_near(word + 2, o->name, &best))
				found = o->name;
	err_set(why, "unknown option '%s' for 'raddle %s'", word, c->name);
	why->code = 2;
	return found ? err_hint(why, "did you mean '--%s'?", found) : err_hint(why, "'raddle %s -h' lists its options", c->name);
}

static int set_choice(const struct option *o, const char *text, uint64_t *into, struct err *why)
{
	const char *at = o->choices;
	char found[VALUE_MOST] = "", word[VALUE_MOST];
	unsigned best = 99;
	for (uint64_t i = 0; *at; i++) {
		size_t n = strcspn(at, "|");
		snprintf(word, sizeof word, "%.*s", (int)n, at);
		if (!strcmp(word, text)) {
			*into = i;
			return 0;
		}
		if (is_near(text, word, &best))
			strcpy(found, word);
		at += n + (at[n] == '|');
	}
	err_set(why, "'--%s=%s' is not one of %s", o->name, text, o->choices);
	why->code = 2;
	return found[0] ? err_hint(why, "did you mean '--%s=%s'?", o->name, found) : -1;
}

/* In the largest unit that has no rest. */
static void time_text(char *out, uint64_t seconds)
{
	uint64_t unit = seconds % 3600 == 0 ? 3600 : seconds % 60 == 0 ? 60 : 1;
	snprintf(out, STR_NUMBER, "%llu%c", (unsigned long long)(seconds / unit), unit == 3600 ? 'h' : unit == 60 ? 'm' : 's');
}

static int set_number(const struct option *o, const char *text, uint64_t *into, struct err *why)
{
	bool good = o->type == OPTION_SIZE ? str_size(text, into) : o->type == OPTION_TIME ? str_seconds(text, into) : str_number(text, into);
	static const char *const words[] = { [OPTION_NUMBER] = "number", [OPTION_SIZE] = "size", [OPTION_TIME] = "time" };
	char low[STR_NUMBER], high[STR_NUMBER];
	if (good && *into >= o->low && *into <= o->high)
		return 0;
	if (o->type == OPTION_SIZE) {
		str_bytes(low, o->low);
		str_bytes(high, o->high);
	} else if (o->type == OPTION_TIME) {
		time_text(low, o->low);
		time_text(high, o->high);
	} else {
		snprintf(low, sizeof low, "%llu", (unsigned long long)o->low);
		snprintf(high, sizeof high, "%llu", (unsigned long long)o->high);
	}
	err_set(why, "'--%s=%s' is not a %s from %s to %s", o->name, text, words[o->type], low, high);
	if (o->type == OPTION_SIZE && !good)
		err_hint(why, "a size is a number of bytes, or a number with K, M, G or T behind it: 64M");
	if (o->type == OPTION_TIME && !good)
		err_hint(why, "a time is a number of seconds, or a number with s, m or h behind it: 30, 30s, 10m, 1h");
	why->code = 2;
	return -1;
}

static int set_value(const struct option *o, const char *text, char *into, struct err *why)
{
	uint64_t limit;
	void *field = o->offset == SIZE_MAX ? (void *)&limit : into + o->offset;
	if (!*text) {
		err_set(why, "'--%s' has an empty value", o->name);
		why->code = 2;
		return -1;
	}
	if (o->type == OPTION_CHOICE)
		return set_choice(o, text, field, why);
	if (o->type == OPTION_NUMBER || o->type == OPTION_SIZE || o->type == OPTION_TIME) {
		int got = set_number(o, text, field, why);
		if (got == 0 && o->offset == SIZE_MAX)          /* --max-memory, of every command that has it */
			unpack_set_limit(limit);
		return got;
	}
	check(o->type == OPTION_TEXT || o->type == OPTION_MAYBE);
	*(const char **)field = text;
	return 0;
}

static int needs_value(const struct option *o, struct err *why)
{
	err_set(why, "'--%s' needs a value: --%s=<%s>", o->name, o->name, o->value);
	why->code = 2;
	return -1;
}

/* One argument that starts with "--"; takes argv[1] too when the value stands there.  Arguments eaten, 0 help, -1. */
static int take_long(const struct command *c, char **argv, char *into, struct err *why)
{
	const char *name = argv[0] + 2;
	size_t length = strcspn(name, "=");
	const struct option *o = option_named(c, name, length);
	if (!o)
		return unknown_option(c, argv[0], length + 2, why);
	if (o->type == OPTION_FLAG) {
		if (name[length] == '=') {
			err_set(why, "'--%s' takes no value", o->name);
			why->code = 2;
			return -1;
		}
		if (o->offset == SIZE_MAX)
			return 0;
		*(bool *)(into + o->offset) = true;
		return 1;
	}
	if (o->type == OPTION_MAYBE && name[length] != '=') {
		*(const char **)(into + o->offset) = "";
		return 1;
	}
	const char *value = name[length] == '=' ? name + length + 1 : argv[1];
	if (!value || (value == argv[1] && !strcmp(value, "--")))
		return needs_value(o, why);
	return set_value(o, value, into, why) < 0 ? -1 : value == argv[1] ? 2 : 1;
}

/* One argument of letters behind a single dash. */
static int take_letters(const struct command *c, char **argv, char *into, struct err *why)
{
	for (const char *at = argv[0] + 1; *at; at++) {
		const struct option *o = option_lettered(c, *at);
		if (!o) {
			char word[3] = { '-', *at, 0 };
			return unknown_option(c, word, 2, why);
		}
		if (o->type != OPTION_FLAG) {
			const char *value = at[1] ? at + 1 : argv[1];
			if (!value || (value == argv[1] && !strcmp(value, "--")))
				return needs_value(o, why);
			return set_value(o, value, into, why) < 0 ? -1 : value == argv[1] ? 2 : 1;
		}
		if (o->offset == SIZE_MAX)
			return 0;
		*(bool *)(into + o->offset) = true;
	}
	return 1;
}

static int count_operands(const struct command *c, char **operands, struct err *why)
{
	int count = 0;
	while (operands[count])
		count++;
	if (count >= c->least && (c->most < 0 || count <= c->most))
		return 1;
	if (count < c->least)
		err_set(why, "'raddle %s' needs %s", c->name, c->operands);
	else
		err_set(why, "unexpected argument '%s' for 'raddle %s'", operands[c->most], c->name);
	err_hint(why, "'raddle %s -h' says how it is called", c->name);
	why->code = 2;
	return -1;
}

int options_parse(const struct command *c, char **argv, void *into, char ***operands, struct err *why)
{
	char **at = argv, **kept = argv;
	memcpy(into, c->defaults, c->size);
	while (*at) {
		int eaten;
		if (!strcmp(*at, "--")) {
			at++;
			break;
		}
		if ((*at)[0] != '-' || !(*at)[1]) {
			if (c->style == STYLE_PROGRAM)
				break;
			*kept++ = *at++;
			continue;
		}
		eaten = (*at)[1] == '-' ? take_long(c, at, into, why) : take_letters(c, at, into, why);
		if (eaten == 0)
			options_help(c);
		if (eaten <= 0)
			return eaten;
		at += eaten;
	}
	while (*at)
		*kept++ = *at++;
	*kept = NULL;
	*operands = argv;
	return count_operands(c, argv, why);
}

static void help_option(const struct option *o)
{
	char left[VALUE_MOST];
	int n = snprintf(left, sizeof left, o->letter ? "  -%c, --%s" : " %c    --%s", o->letter ? o->letter : ' ', o->name);
	if (o->type == OPTION_CHOICE)
		snprintf(left + n, sizeof left - (size_t)n, "=%s", o->choices);
	else if (o->type != OPTION_FLAG)
		snprintf(left + n, sizeof left - (size_t)n, o->type == OPTION_MAYBE ? "[=<%s>]" : "=<%s>", o->value);
	printf("%-32s  %s\n", left, o->help);
}

void options_help(const struct command *c)
{
	char usage[128];
	snprintf(usage, sizeof usage, "usage: raddle %s%s%s%s", c->name, c->options[0].name ? " [<options>]" : "",
		c->operands[0] ? " " : "", c->operands);
	printf("%-50s  %s\n", usage, c->summary);
	for (const struct option *o = c->options; o->name; o++)
		help_option(o);
	if (c->notes)
		printf("%s\n", c->notes);
}
