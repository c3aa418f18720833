/* drive/schedule_words.c -- a line of a schedule as tokens: blanks separate, "..." keeps them, # ends the line.  They lie in a buffer of their own, each
 * with its zero.  Every number has a limit, and a message repeats of a bad token what can be shown. */
#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/str.h"
#include "drive/schedule_inside.h"
#include "trace/reader.h"

#define SHOWN 64                                /* bytes of a bad token that a message repeats */

/* ---------------------------------------------------------------- tokens */

bool schedule_bad(struct parser *p, const char *format, ...)
{
	char text[400];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	err_set(p->why, "schedule '%.200s' line %" PRIu32 ": %s", p->name, p->line, text);
	p->why->code = 3;
	return false;
}

const char *word_shown(const struct token *t)
{
	static char text[SHOWN + 4];
	size_t n = 0;
	for (; n < SHOWN && n < t->length; n++)
		text[n] = (unsigned char)t->text[n] < 32 || t->text[n] == 127 ? '?' : t->text[n];
	strcpy(text + n, n < t->length ? "..." : "");
	return text;
}

static int hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* One escaped byte at `at` (behind the backslash): bytes eaten, 0 when it is none. */
static size_t unescape(const char *at, const char *end, char *out)
{
	if (at < end && (*at == '"' || *at == '\\')) {
		*out = *at;
		return 1;
	}
	if (end - at < 3 || *at != 'x' || hex_digit(at[1]) < 0 || hex_digit(at[2]) < 0)
		return 0;
	*out = (char)(hex_digit(at[1]) << 4 | hex_digit(at[2]));
	return *out ? 3 : 0;
}

/* One token from `at` into the room at *used; where the line goes on, or NULL after schedule_bad(). */
static const char *take_token(struct parser *p, const char *at, const char *end, size_t *used)
{
	bool inside = false;
	struct token *t = &p->token[p->count];
	t->text = p->room + *used;
	t->quoted = false;
	size_t start = *used;
	for (; at < end && (inside || (*at != ' ' && *at != '\t')); at++) {
		size_t eaten;
		if (*at == '"') {
			inside = !inside;
			t->quoted = true;
		} else if (*at == '\\') {
			if (!inside || !(eaten = unescape(at + 1, end, &p->room[*used])))
				return schedule_bad(p, "a backslash that stands for nothing"), NULL;
			at += eaten;
			++*used;
		} else if ((unsigned char)*at < 32 || *at == 127) {
			return schedule_bad(p, "control byte 0x%02x", (unsigned char)*at), NULL;
		} else {
			p->room[(*used)++] = *at;
		}
	}
	if (inside)
		return schedule_bad(p, "a quotation without its end"), NULL;
	p->room[*used] = 0;
	t->length = (*used)++ - start;
	p->count++;
	return at;
}

bool words_split(struct parser *p, const char *at, const char *end)
{
	size_t used = 0;
	if (p->room_bytes < (size_t)(end - at) + TOKENS_MAX + 2) {
		p->room_bytes = (size_t)(end - at) + TOKENS_MAX + 2;
		p->room = mem_resize(p->room, p->room_bytes);
	}
	p->count = p->at = 0;
	for (;;) {
		while (at < end && (*at == ' ' || *at == '\t'))
			at++;
		if (at == end || *at == '#')
			break;
		if (p->count == TOKENS_MAX)
			return schedule_bad(p, "more words than any line has");
		at = take_token(p, at, end, &used);
		if (!at)
			return false;
	}
	for (unsigned i = p->count; i <= TOKENS_MAX; i++)
		p->token[i] = (struct token){ "", 0, false };
	return true;
}

bool word_is(const struct token *t, const char *word)
{
	return !t->quoted && strcmp(t->text, word) == 0;
}

/* ---------------------------------------------------------------- numbers and words */

bool next_number(struct parser *p, const char *what, uint64_t low, uint64_t high, uint64_t *out)
{
	if (!more(p))
		return schedule_bad(p, "%s is missing", what);
	const struct token *t = next(p);
	if (t->quoted || !isdigit((unsigned char)t->text[0]) || !str_number(t->text, out) || *out < low || *out > high)
		return schedule_bad(p, "%s '%s' is not a number from %" PRIu64 " to %" PRIu64, what, word_shown(t), low, high);
	return true;
}

bool next_among(struct parser *p, const char *what, const char *const *list, uint32_t *out)
{
	const struct token *t = next(p);
	for (uint32_t i = 0; list[i]; i++)
		if (word_is(t, list[i])) {
			*out = i;
			return true;
		}
	return schedule_bad(p, "unknown %s '%s'", what, word_shown(t));
}

bool next_text(struct parser *p, const char *what, const char **out)
{
	if (!more(p))
		return schedule_bad(p, "%s is missing", what);
	const struct token *t = next(p);
	*out = schedule_text(p->s, t->text, t->length);
	return true;
}

bool next_kind(struct parser *p, uint8_t *out)
{
	const struct token *t = next(p);
	int kind = t->quoted ? -1 : event_kind_of(t->text);
	if (kind < 0)
		return schedule_bad(p, "unknown kind of event '%s'", word_shown(t));
	*out = (uint8_t)kind;
	return true;
}

bool next_thread(struct parser *p, uint32_t *out)
{
	const struct token *t = next(p);
	if (t->quoted || !schedule_is_path(t->text))
		return schedule_bad(p, "'%s' is no thread", word_shown(t));
	*out = schedule_thread(p->s, t->text);
	return *out != NO_PART || schedule_bad(p, "thread '%s' is not in the list of threads", word_shown(t));
}
