/* base/str.c -- see str.h. */
#include "base/str.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool str_starts(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 99;
}

/* The number at the start of *text, which is moved behind it. */
static bool take_number(const char **text, uint64_t *out)
{
	const char *at = *text;
	unsigned base = at[0] == '0' && (at[1] == 'x' || at[1] == 'X') ? 16 : 10;
	at += base == 16 ? 2 : 0;
	const char *first = at;
	uint64_t n = 0;
	for (int d; (d = digit_of(*at)) < (int)base; at++)
		if (__builtin_mul_overflow(n, base, &n) || __builtin_add_overflow(n, (uint64_t)d, &n))
			return false;
	*text = at;
	*out = n;
	return at > first;
}

bool str_number(const char *text, uint64_t *out)
{
	return take_number(&text, out) && !*text;
}

bool str_size(const char *text, uint64_t *out)
{
	if (!take_number(&text, out))
		return false;
	if (!*text)
		return true;
	const char *units = "KMGT", *unit = strchr(units, *text >= 'a' ? *text - 32 : *text);
	if (!unit || !*unit)
		return false;
	text++;
	if (*text == 'B')
		text++;
	return !*text && !__builtin_mul_overflow(*out, 1ull << (10 * (unit - units + 1)), out);
}

bool str_seconds(const char *text, uint64_t *out)
{
	if (!take_number(&text, out))
		return false;
	uint64_t unit = *text == 'h' ? 3600 : *text == 'm' ? 60 : 1;
	text += unit > 1 || *text == 's';
	return !*text && !__builtin_mul_overflow(*out, unit, out);
}

unsigned str_distance(const char *a, const char *b)
{
	enum { MOST = 40 };
	size_t n = strlen(a), m = strlen(b);
	unsigned before[MOST + 1], row[MOST + 1], two_before[MOST + 1] = { 0 };
	if (n > MOST || m > MOST)
		return 99;
	for (size_t j = 0; j <= m; j++)
		before[j] = (unsigned)j;
	for (size_t i = 1; i <= n; i++) {
		row[0] = (unsigned)i;
		for (size_t j = 1; j <= m; j++) {
			unsigned best = before[j - 1] + (a[i - 1] != b[j - 1]);
			if (before[j] + 1 < best)
				best = before[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && two_before[j - 2] + 1 < best)
				best = two_before[j - 2] + 1;
			row[j] = best;
		}
		memcpy(two_before, before, sizeof before);
		memcpy(before, row, sizeof row);
	}
	return before[m];
}

const char *str_error(int number)
{
	static _Thread_local char text[128];
	snprintf(text, sizeof text, "%s", strerror(number));
	if (text[0] >= 'A' && text[0] <= 'Z' && text[1] >= 'a' && text[1] <= 'z')
		text[0] += 32;
	return text;
}

char *str_grouped(char *into, uint64_t n)
{
	char digits[24];
	int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n), out = 0;
	for (int i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			into[out++] = ',';
		into[out++] = digits[i];
	}
	into[out] = 0;
	return into;
}

char *str_bytes(char *into, uint64_t bytes)
{
	static const char *const units[] = { "bytes", "KB", "MB", "GB", "TB", "PB", "EB" };
	double n = (double)bytes;
	unsigned u = 0;
	for (; n >= 1024 && u < 6; u++)
		n /= 1024;
	snprintf(into, STR_NUMBER, u && n < 10 && n != (double)(int)n ? "%.1f %s" : "%.0f %s", n, units[u]);
	return into;
}

size_t str_utf8(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	if (s[0] < 0x80)
		return 1;
	if (s[0] >= 0xc2 && s[0] < 0xe0)
		return (s[1] & 0xc0) == 0x80 ? 2 : 0;
	if (s[0] >= 0xe0 && s[0] < 0xf0) {
		if ((s[1] & 0xc0) != 0x80 || (s[2] & 0xc0) != 0x80)
			return 0;
		return (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0) ? 0 : 3;
	}
	if (s[0] >= 0xf0 && s[0] < 0xf5) {
		if ((s[1] & 0xc0) != 0x80 || (s[2] & 0xc0) != 0x80 || (s[3] & 0xc0) != 0x80)
			return 0;
		return (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] >= 0x90) ? 0 : 4;
	}
	return 0;
}

/* C1 controls, U+0080 to U+009F: some terminals take them for commands. */
size_t str_shown(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t length = str_utf8(text);
	return s[0] < 32 || s[0] == 127 || (length == 2 && s[0] == 0xc2 && s[1] < 0xa0) ? 0 : length;
}

char *str_escape(char *into, size_t room, const char *text)
{
	struct sentence s = { into, room };
	into[0] = 0;
	for (size_t run = 0, n; text[run]; run = 0) {
		while (text[run] && (n = str_shown(text + run)))
			run += n;
		str_say(&s, "%.*s", (int)run, text);
		text += run;
		if (*text)
			str_say(&s, "\\x%02x", (unsigned char)*text++);
		else
			break;
	}
	return into;
}

/* A word with characters no terminal should get, as bash and zsh read it. */
static char *shell_escaped(char *into, size_t room, const char *text)
{
	struct sentence s = { into, room };
	into[0] = 0;
	str_say(&s, "$'");
	for (size_t n; *text; text += n ? n : 1) {
		n = str_shown(text);
		if (n)
			str_say(&s, "%s%.*s", *text == '\'' || *text == '\\' ? "\\" : "", (int)n, text);
		else
			str_say(&s, "\\%03o", (unsigned char)*text);
	}
	str_say(&s, "'");
	return into;
}

char *str_shell(char *into, size_t room, const char *text)
{
	struct sentence s = { into, room };
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,+@%^";
	bool quoted = !*text || text[strspn(text, plain)];
	for (size_t at = 0, n; text[at]; at += n)
		if (!(n = text[at] == '\n' ? 1 : str_shown(text + at)))
			return shell_escaped(into, room, text);
	into[0] = 0;
	str_say(&s, "%s", quoted ? "'" : "");
	for (; *text; text++)
		str_say(&s, *text == '\'' ? "'\\''" : "%c", *text);
	str_say(&s, "%s", quoted ? "'" : "");
	return into;
}

void str_say(struct sentence *s, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = vsnprintf(s->at, s->room, format, args);
	va_end(args);
	size_t used = n < 0 ? 0 : (size_t)n < s->room ? (size_t)n : s->room - 1;
	s->at += used;
	s->room -= used;
}
