/* base/json.c -- see json.h. */
#include "base/json.h"

#include "base/err.h"
#include "base/str.h"

void json_init(struct json *j, FILE *out)
{
	*j = (struct json){ .out = out };
}

/* What must stand between the last thing written and a value. */
static void before_value(struct json *j)
{
	if (j->keyed)
		j->keyed = false;
	else if (j->some[j->depth])
		putc_unlocked(',', j->out);
	j->some[j->depth] = true;
}

static void open_with(struct json *j, char bracket)
{
	before_value(j);
	check(j->depth + 1 < sizeof j->some);
	j->some[++j->depth] = false;
	putc_unlocked(bracket, j->out);
}

void json_object(struct json *j)
{
	open_with(j, '{');
}

void json_array(struct json *j)
{
	open_with(j, '[');
}

void json_end(struct json *j, char bracket)
{
	check(j->depth > 0 && !j->keyed);
	j->depth--;
	putc_unlocked(bracket, j->out);
}

void json_line(struct json *j)
{
	check(j->depth == 0);
	j->some[0] = false;
	putc_unlocked('\n', j->out);
}

/* How many characters from here on stand for themselves, one byte each. */
static size_t plain_length(const unsigned char *s)
{
	size_t n = 0;
	while (s[n] >= 0x20 && s[n] < 0x7f && s[n] != '"' && s[n] != '\\')
		n++;
	return n;
}

static void quoted(FILE *out, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	putc_unlocked('"', out);
	for (size_t n; *s; s += n ? n : 1) {
		if ((n = plain_length(s))) {
			fwrite_unlocked(s, 1, n, out);
			continue;
		}
		n = str_utf8((const char *)s);
		if (n == 0)
			fputs("\\ufffd", out);
		else if (*s == '"' || *s == '\\')
			fprintf(out, "\\%c", *s);
		else if (*s < 0x20 || *s == 0x7f)
			fprintf(out, "\\u%04x", *s);
		else if (!str_shown((const char *)s))
			fprintf(out, "\\u%04x", s[1]);              /* C1: 0xc2, and its own number */
		else
			fwrite_unlocked(s, 1, n, out);
	}
	putc_unlocked('"', out);
}

void json_key(struct json *j, const char *key)
{
	check(j->depth > 0 && !j->keyed);
	before_value(j);
	quoted(j->out, key);
	putc_unlocked(':', j->out);
	j->keyed = true;
}

void json_text(struct json *j, const char *text)
{
	before_value(j);
	if (text)
		quoted(j->out, text);
	else
		fputs("null", j->out);
}

void json_number(struct json *j, uint64_t n)
{
	before_value(j);
	fprintf(j->out, "%llu", (unsigned long long)n);
}

void json_signed(struct json *j, int64_t n)
{
	before_value(j);
	fprintf(j->out, "%lld", (long long)n);
}

void json_real(struct json *j, double n)
{
	before_value(j);
	fprintf(j->out, "%.3f", n);
}

void json_bool(struct json *j, bool b)
{
	before_value(j);
	fputs(b ? "true" : "false", j->out);
}

void json_hex(struct json *j, uint64_t n)
{
	before_value(j);
	fprintf(j->out, "\"0x%llx\"", (unsigned long long)n);
}

void json_put_text(struct json *j, const char *key, const char *text)
{
	json_key(j, key);
	json_text(j, text);
}

void json_put_number(struct json *j, const char *key, uint64_t n)
{
	json_key(j, key);
	json_number(j, n);
}

void json_put_bool(struct json *j, const char *key, bool b)
{
	json_key(j, key);
	json_bool(j, b);
}

void json_put_hex(struct json *j, const char *key, uint64_t n)
{
	json_key(j, key);
	json_hex(j, n);
}

void json_summary(struct json *j, FILE *out)
{
	json_init(j, out);
	json_object(j);
	json_put_number(j, "schema", 1);
	json_key(j, "summary");
	json_object(j);
}

void json_summary_end(struct json *j)
{
	json_end(j, '}');
	json_end(j, '}');
	json_line(j);
}
