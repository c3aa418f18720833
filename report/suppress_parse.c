/* report/suppress_parse.c -- files of suppressions, line by line.  They are hostile: any bytes of any length. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "report/suppress_inside.h"

#define FILE_MOST (16u << 20)

static const char *const condition_words[] = { "function", "file", "variable", "stack" };

struct line { struct suppressions *to; const char *file; uint32_t number; struct err *why; };

static struct rule_text trimmed(const char *at, size_t length)
{
	while (length && (at[0] == ' ' || at[0] == '\t'))
		at++, length--;
	while (length && (at[length - 1] == ' ' || at[length - 1] == '\t' || at[length - 1] == '\r'))
		length--;
	return (struct rule_text){ at, length };
}

static bool is(struct rule_text t, const char *word)
{
	return t.length == strlen(word) && !memcmp(t.at, word, t.length);
}

static int wrong(const struct line *l, const char *what, struct rule_text subject, const char *hint)
{
	char shown[80];
	size_t length = subject.length < sizeof shown - 1 ? subject.length : sizeof shown - 1;
	for (size_t i = 0; i < length; i++)
		shown[i] = (unsigned char)subject.at[i] < 32 || subject.at[i] == 127 ? '?' : subject.at[i];
	shown[length] = 0;
	err_set(l->why, "suppressions '%s' line %" PRIu32 ": %s '%s'", l->file, l->number, what, shown);
	l->why->code = 3;
	return err_hint(l->why, "%s", hint);
}

/* ---------------------------------------------------------------- in front of the colon */

#define BIT(kind) (1u << FINDING_##kind)
static const struct { const char *word; uint32_t kinds; enum rule_where where; bool foreign; } theirs[] = {
	{ "race", BIT(RACE) | BIT(WEAK_MEMORY) | BIT(USE_AFTER_FREE) | BIT(USE_AFTER_RETURN), WHERE_ANY, false },
	{ "race_top", BIT(RACE) | BIT(WEAK_MEMORY) | BIT(USE_AFTER_FREE) | BIT(USE_AFTER_RETURN), WHERE_TOP, false },
	{ "deadlock", BIT(DEADLOCK), WHERE_ANY, false },
	{ "called_from_lib", BIT(RACE) | BIT(WEAK_MEMORY) | BIT(USE_AFTER_FREE) | BIT(USE_AFTER_RETURN), WHERE_CALLERS, false },
	{ "thread", 0, WHERE_ANY, true }, { "mutex", 0, WHERE_ANY, true }, { "signal", 0, WHERE_ANY, true },
};

/* The kinds a word of raddle's means; 0: none. */
static uint32_t kinds_of(struct rule_text word)
{
	if (is(word, "any"))
		return (1u << FINDING_KIND_COUNT) - 1;
	for (int k = 0; k < FINDING_KIND_COUNT; k++)
		if (is(word, finding_kind_word((enum finding_kind)k)))
			return 1u << k;
	return 0;
}

static bool their_kind(struct rule *r, struct rule_text word)
{
	for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++)
		if (is(word, theirs[i].word)) {
			r->kinds = theirs[i].kinds;
			r->where = theirs[i].where;
			r->told.foreign = theirs[i].foreign;
			return true;
		}
	return false;
}

/* ---------------------------------------------------------------- behind it */

/* Is this piece "function=...", and so on?  The number of the condition, and what stands behind '='; or -1. */
static int condition_of(struct rule_text piece, struct rule_text *value)
{
	for (int c = 0; c < 4; c++) {
		size_t length = strlen(condition_words[c]);
		if (piece.length > length && !memcmp(piece.at, condition_words[c], length) && piece.at[length] == '=') {
			*value = trimmed(piece.at + length + 1, piece.length - length - 1);
			return c;
		}
	}
	return -1;
}

static int stack_parts(const struct line *l, struct condition *c, struct rule_text value)
{
	while (1) {
		const char *arrow = memmem(value.at, value.length, "<-", 2);
		struct rule_text part = trimmed(value.at, arrow ? (size_t)(arrow - value.at) : value.length);
		if (!part.length)
			return wrong(l, "a frame is missing in", value, "write stack=innermost <- its caller <- ...");
		vec_push(&c->parts, part);
		if (!arrow)
			return 0;
		value.length -= (size_t)(arrow + 2 - value.at);
		value.at = arrow + 2;
	}
}

static int conditions(const struct line *l, struct rule *r, struct rule_text rest)
{
	while (rest.length) {
		const char *end = memchr(rest.at, ';', rest.length);
		struct rule_text value, piece = trimmed(rest.at, end ? (size_t)(end - rest.at) : rest.length);
		int of = condition_of(piece, &value);
		if (of < 0)
			return wrong(l, "not a condition:", piece, "function=, file=, variable= and stack= are conditions, with ';' between them");
		if (!value.length)
			return wrong(l, "nothing stands behind", piece, "'*' stands for anything");
		struct condition *c = vec_add(&r->conditions);
		c->of = (enum condition_of)of;
		if (of == OF_STACK) {
			if (stack_parts(l, c, value) < 0)
				return -1;
		} else {
			vec_push(&c->parts, value);
		}
		rest.length -= (size_t)(piece.at + piece.length - rest.at);
		rest.at = piece.at + piece.length;
		rest = trimmed(rest.at, rest.length);
		if (rest.length)
			rest = trimmed(rest.at + 1, rest.length - 1);           /* the ';' */
	}
	return 0;
}

static int read_rule(const struct line *l, struct rule *r, struct rule_text text)
{
	struct rule_text first;
	const char *colon = memchr(text.at, ':', text.length);
	if (!colon)
		return wrong(l, "no ':' in", text, "a rule is kind:pattern, as in race:function=pay; variable=balance");
	struct rule_text word = trimmed(text.at, (size_t)(colon - text.at));
	struct rule_text rest = trimmed(colon + 1, text.length - (size_t)(colon + 1 - text.at));
	if (!rest.length)
		return wrong(l, "nothing stands behind the ':' of", text, "'*' stands for anything");
	if (condition_of(rest, &first) >= 0 && (r->kinds = kinds_of(word)))
		return conditions(l, r, rest);
	r->pattern = rest;
	if (their_kind(r, word))
		return 0;
	if ((r->kinds = kinds_of(word)))
		return 0;                               /* of raddle's other kinds, in ThreadSanitizer's way */
	return wrong(l, "no kind of finding:", word,
		"race, deadlock, lost-wakeup, atomicity, order, use-after-free, double-free, use-after-return, null-dereference, crash, weak-memory or any");
}

static void rule_release(struct rule *r)
{
	for (size_t i = 0; i < r->conditions.count; i++)
		vec_release(&r->conditions.at[i].parts);
	vec_release(&r->conditions);
}

static int read_line(const struct line *l, const char *at, size_t length)
{
	struct rule_text text = trimmed(at, length);
	if (!text.length || *text.at == '#')
		return 0;
	if (memchr(text.at, 0, text.length))
		return wrong(l, "a zero byte in", text, "is this a file of suppressions?");
	text.at = arena_text(&l->to->texts, text.at, text.length);
	struct rule *r = vec_add(&l->to->rules);
	r->told = (struct suppression){ .file = l->file, .text = text.at, .line = l->number };
	if (read_rule(l, r, text) == 0)
		return 0;
	rule_release(r);
	l->to->rules.count--;
	return -1;
}

int suppressions_parse(struct suppressions *s, const char *name, const char *bytes, size_t count, struct err *why)
{
	struct line l = { s, arena_text(&s->texts, name, strlen(name)), 0, why };
	const char *end = bytes + count;
	while (bytes < end) {
		const char *stop = memchr(bytes, '\n', (size_t)(end - bytes));
		l.number++;
		if (read_line(&l, bytes, (size_t)((stop ? stop : end) - bytes)) < 0)
			return -1;
		bytes = stop ? stop + 1 : end;
	}
	return 0;
}

int suppressions_read(struct suppressions *s, const char *path, struct err *why)
{
	char *bytes;
	size_t count;
	if (file_read(path, FILE_MOST, &bytes, &count, why) < 0)
		return -1;
	int got = suppressions_parse(s, path, bytes, count, why);
	mem_free(bytes);
	return got;
}

struct suppressions *suppressions_new(void)
{
	return mem_take(sizeof(struct suppressions));
}

size_t suppressions_count(const struct suppressions *s)
{
	return s->rules.count;
}

const struct suppression *suppressions_at(const struct suppressions *s, size_t i)
{
	check(i < s->rules.count);
	return &s->rules.at[i].told;
}

void suppressions_free(struct suppressions *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->rules.count; i++)
		rule_release(&s->rules.at[i]);
	vec_release(&s->rules);
	arena_release(&s->texts);
	mem_free(s);
}
