/* base/json_read.c -- see json_read.h.  RFC 8259, with \u0000 and lone surrogates taken as they are said (U+FFFD for the latter). */
#include "base/json_read.h"

#include <stdlib.h>
#include <string.h>

#define DEPTH_MOST 64u

struct reading { struct arena *arena; const char *at, *end; unsigned depth; };

static struct json_value *value(struct reading *r);

static void blanks(struct reading *r)
{
	while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r'))
		r->at++;
}

static bool take(struct reading *r, char c)
{
	if (r->at == r->end || *r->at != c)
		return false;
	r->at++;
	return true;
}

static struct json_value *made(struct reading *r, enum json_type type)
{
	struct json_value *v = arena_take(r->arena, sizeof *v);
	v->type = type;
	return v;
}

static struct json_value *word(struct reading *r, const char *text, enum json_type type)
{
	size_t length = strlen(text);
	if ((size_t)(r->end - r->at) < length || memcmp(r->at, text, length))
		return NULL;
	r->at += length;
	return made(r, type);
}

/* ---------------------------------------------------------------- numbers */

static bool digits(struct reading *r)
{
	const char *start = r->at;
	while (r->at < r->end && *r->at >= '0' && *r->at <= '9')
		r->at++;
	return r->at > start;
}

static struct json_value *number(struct reading *r)
{
	const char *start = r->at;
	take(r, '-');
	if (!take(r, '0') && !digits(r))
		return NULL;
	if (take(r, '.') && !digits(r))
		return NULL;
	if (take(r, 'e') || take(r, 'E')) {
		if (!take(r, '+'))
			take(r, '-');
		if (!digits(r))
			return NULL;
	}
	struct json_value *v = made(r, JSON_NUMBER);
	v->length = (size_t)(r->at - start);
	v->text = arena_text(r->arena, start, v->length);
	v->number = strtod(v->text, NULL);
	return v;
}

/* ---------------------------------------------------------------- texts */

static int hex4(struct reading *r)
{
	int n = 0;
	if (r->end - r->at < 4)
		return -1;
	for (int i = 0; i < 4; i++, r->at++) {
		const char *all = "0123456789abcdef";
		const char *digit = *r->at ? strchr(all, *r->at | 32) : NULL;
		if (!digit || !((*r->at >= '0' && *r->at <= '9') || (*r->at | 32) >= 'a'))
			return -1;
		n = n * 16 + (int)(digit - all);
	}
	return n;
}

static char *put_utf8(char *to, unsigned c)
{
	if (c < 0x80) {
		*to++ = (char)c;
	} else if (c < 0x800) {
		*to++ = (char)(0xc0 | c >> 6);
		*to++ = (char)(0x80 | (c & 63));
	} else if (c < 0x10000) {
		*to++ = (char)(0xe0 | c >> 12);
		*to++ = (char)(0x80 | (c >> 6 & 63));
		*to++ = (char)(0x80 | (c & 63));
	} else {
		*to++ = (char)(0xf0 | c >> 18);
		*to++ = (char)(0x80 | (c >> 12 & 63));
		*to++ = (char)(0x80 | (c >> 6 & 63));
		*to++ = (char)(0x80 | (c & 63));
	}
	return to;
}

/* Behind a \u: its character, with the second half of a pair if there is one; NULL: not four digits. */
static char *escaped_character(struct reading *r, char *to)
{
	int c = hex4(r);
	if (c < 0)
		return NULL;
	if (c >= 0xd800 && c < 0xdc00 && r->end - r->at >= 6 && r->at[0] == '\\' && r->at[1] == 'u') {
		const char *back = r->at;
		r->at += 2;
		int low = hex4(r);
		if (low >= 0xdc00 && low < 0xe000)
			return put_utf8(to, 0x10000u + ((unsigned)(c - 0xd800) << 10) + (unsigned)(low - 0xdc00));
		r->at = back;
	}
	return put_utf8(to, c >= 0xd800 && c < 0xe000 ? 0xfffd : (unsigned)c);
}

static char *escaped(struct reading *r, char *to)
{
	static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
	if (r->at == r->end)
		return NULL;
	char c = *r->at++;
	if (c == 'u')
		return escaped_character(r, to);
	const char *which = c ? strchr(from, c) : NULL;
	if (!which)
		return NULL;
	*to++ = into[which - from];
	return to;
}

/* A text never grows by being decoded: six bytes become at most three, twelve four. */
static struct json_value *text(struct reading *r)
{
	const char *close = r->at;
	while (close < r->end && *close != '"')
		close += *close == '\\' && close + 1 < r->end ? 2 : 1;
	if (close >= r->end)
		return NULL;
	struct json_value *v = made(r, JSON_TEXT);
	char *to = arena_take(r->arena, (size_t)(close - r->at) + 1);
	v->text = to;
	while (r->at < close) {
		if ((unsigned char)*r->at < 32)
			return NULL;
		if (*r->at != '\\') {
			*to++ = *r->at++;
			continue;
		}
		r->at++;
		if (!(to = escaped(r, to)))
			return NULL;
	}
	v->length = (size_t)(to - v->text);
	r->at = close + 1;
	return v;
}

/* ---------------------------------------------------------------- what holds others */

static bool member_key(struct reading *r, const char **key)
{
	blanks(r);
	if (!take(r, '"'))
		return false;
	struct json_value *name = text(r);
	if (!name)
		return false;
	*key = name->text;
	blanks(r);
	return take(r, ':');
}

static struct json_value *many(struct reading *r, enum json_type type, char close)
{
	struct json_value *v = made(r, type), **last = &v->first;
	blanks(r);
	if (take(r, close))
		return v;
	if (++r->depth > DEPTH_MOST)
		return NULL;
	for (;;) {
		const char *key = NULL;
		if (type == JSON_OBJECT && !member_key(r, &key))
			return NULL;
		struct json_value *one = value(r);
		if (!one)
			return NULL;
		one->key = key;
		*last = one;
		last = &one->next;
		v->count++;
		blanks(r);
		if (take(r, ','))
			continue;
		r->depth--;
		return take(r, close) ? v : NULL;
	}
}

static struct json_value *value(struct reading *r)
{
	blanks(r);
	if (r->at == r->end)
		return NULL;
	switch (*r->at) {
	case '{': r->at++; return many(r, JSON_OBJECT, '}');
	case '[': r->at++; return many(r, JSON_ARRAY, ']');
	case '"': r->at++; return text(r);
	case 'n': return word(r, "null", JSON_NULL);
	case 't': return word(r, "true", JSON_TRUE);
	case 'f': return word(r, "false", JSON_FALSE);
	default: return number(r);
	}
}

struct json_value *json_read(struct arena *a, const char *bytes, size_t count, size_t *where)
{
	struct reading r = { .arena = a, .at = bytes, .end = bytes + count };
	struct json_value *v = value(&r);
	blanks(&r);
	*where = (size_t)(r.at - bytes);
	return v && r.at == r.end ? v : NULL;
}

const struct json_value *json_member(const struct json_value *object, const char *key)
{
	if (!object || object->type != JSON_OBJECT)
		return NULL;
	for (const struct json_value *v = object->first; v; v = v->next)
		if (!strcmp(v->key, key))
			return v;
	return NULL;
}

const char *json_member_text(const struct json_value *object, const char *key)
{
	const struct json_value *v = json_member(object, key);
	return v && v->type == JSON_TEXT ? v->text : NULL;
}
