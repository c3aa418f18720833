/* trace/text_token.c -- tokens of a text twin: numbers, words, threads, objects, places.
 *   (1) a thread, a name without address and a place are looked up by their letters and made once. */
#include "trace/text_parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- complaints ---- */

int text_bad(struct text *x, const char *format, ...)
{
	char what[384];
	va_list args;
	va_start(args, format);
	vsnprintf(what, sizeof what, format, args);
	va_end(args);
	err_set(x->why, "'%.90s' line %llu: %s", x->path, (unsigned long long)x->line, what);
	x->why->code = 3;
	return -1;
}

/* A token as it may stand in a message. */
const char *token_shown(struct token t, char into[64])
{
	size_t n = 0;
	for (; n < t.length && n < 60; n++)
		into[n] = (unsigned char)t.at[n] < ' ' || t.at[n] == 0x7f ? '?' : t.at[n];
	into[n] = 0;
	return into;
}

/* ---- tokens ---- */

bool is_blank(char c)
{
	return (unsigned char)c <= ' ';         /* no control byte is part of a token */
}

bool token_next(struct text *x, struct token *t)
{
	while (x->at < x->end && is_blank(*x->at))
		x->at++;
	t->at = x->at;
	while (x->at < x->end && !is_blank(*x->at))
		x->at++;
	t->length = (size_t)(x->at - t->at);
	return t->length > 0;
}

bool token_is(struct token t, const char *word)
{
	return strlen(word) == t.length && !memcmp(word, t.at, t.length);
}

int hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The token with its escapes undone, into `into`; a bad escape stands for itself. */
static struct token unescape_into(struct token t, char **into, size_t *room)
{
	if (!memchr(t.at, '\\', t.length))
		return t;
	if (*room < t.length + 1) {
		*room = t.length * 2 + 64;
		*into = mem_resize(*into, *room);
	}
	size_t n = 0;
	for (size_t i = 0; i < t.length; i++) {
		bool escape = t.at[i] == '\\' && t.length - i >= 4 && t.at[i + 1] == 'x'
			&& hex_digit(t.at[i + 2]) >= 0 && hex_digit(t.at[i + 3]) >= 0;
		int c = escape ? hex_digit(t.at[i + 2]) << 4 | hex_digit(t.at[i + 3]) : t.at[i];
		i += escape ? 3 : 0;
		(*into)[n++] = (char)(c ? c : '?');
	}
	return (struct token){ *into, n };
}

static struct token unescape(struct text *x, struct token t)
{
	return unescape_into(t, &x->plain.at, &x->plain.room);
}

const char *text_kept(struct text *x, struct token t)
{
	t = unescape(x, t);
	return builder_string(x->builder, t.at, t.length);
}

bool token_number(struct token t, uint64_t *out)
{
	uint64_t n = 0;
	size_t i = 0;
	if (t.length > 2 && t.at[0] == '0' && (t.at[1] | 32) == 'x') {
		if (t.length > 18)
			return false;
		for (i = 2; i < t.length; i++) {
			int d = hex_digit(t.at[i]);
			if (d < 0)
				return false;
			n = n << 4 | (uint64_t)d;
		}
		*out = n;
		return true;
	}
	for (; i < t.length; i++) {
		unsigned d = (unsigned)(t.at[i] - '0');
		if (d > 9 || __builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, d, &n))
			return false;
	}
	*out = n;
	return t.length > 0;
}

int take_number(struct text *x, struct token key, struct token t, uint64_t most, uint64_t *out)
{
	char a[64], b[64];
	if (!token_number(t, out))
		return text_bad(x, "'%s=%s' is not a number", token_shown(key, a), token_shown(t, b));
	if (*out > most)
		return text_bad(x, "'%s=%s' is more than %llu", token_shown(key, a), token_shown(t, b), (unsigned long long)most);
	return 0;
}

int take_signed(struct text *x, struct token key, struct token t, int32_t *out)
{
	bool minus = t.length && t.at[0] == '-';
	struct token digits = { t.at + minus, t.length - minus };
	uint64_t n;
	if (take_number(x, key, digits, INT32_MAX + (uint64_t)minus, &n) < 0)
		return -1;
	*out = (int32_t)(minus ? -(int64_t)n : (int64_t)n);
	return 0;
}

static int word_among(struct token t, const char *const *words)
{
	for (int i = 0; words[i]; i++)
		if (token_is(t, words[i]))
			return i;
	return -1;
}

int take_word(struct text *x, struct token key, struct token t, const char *const *words, uint8_t *out)
{
	char a[64], b[64];
	int i = word_among(t, words);
	if (i < 0)
		return text_bad(x, "'%s=%s' is not a word known here", token_shown(key, a), token_shown(t, b));
	*out = (uint8_t)i;
	return 0;
}

/* key=value of one token; false if it has no '='. */
bool token_split(struct token t, struct token *key, struct token *value)
{
	const char *equals = memchr(t.at, '=', t.length);
	if (!equals)
		return false;
	*key = (struct token){ t.at, (size_t)(equals - t.at) };
	*value = (struct token){ equals + 1, t.length - key->length - 1 };
	return true;
}

/* ---- threads and objects ---- */

uint32_t text_thread(struct text *x, struct token t, uint32_t parent, bool declares)
{
	if (!declares && t.length == x->last_thread.length && !memcmp(t.at, x->last_thread.at, t.length))
		return x->last_id;
	uint32_t before = (uint32_t)x->threads.count;
	uint32_t id = names_put(&x->threads, t.at, t.length);
	if (id == before) {
		struct trace_thread like = { .path = text_kept(x, t), .name = "", .uid = id + 1, .parent = { parent } };
		struct thread_id given = builder_thread(x->builder, &like);
		check(given.i == id);
		vec_push(&x->declared, declares);
	} else if (parent != NO_THREAD.i && parent != id && !x->declared.at[id]) {
		struct trace_thread *have = builder_thread_edit(x->builder, (struct thread_id){ id });
		if (have->parent.i == NO_THREAD.i)
			have->parent.i = parent;
	}
	return id;
}

/* Remembers that `name` covers [address, address + bytes) at least. */
static void note_symbol(struct text *x, struct token name, uint64_t address, uint64_t bytes)
{
	uint64_t *slot = map_put(&x->starts, address, NULL);
	if (!*slot) {
		vec_push(&x->symbols, ((struct named_range){ text_kept(x, name), address, address + bytes }));
		*slot = x->symbols.count;
	}
	struct named_range *s = &x->symbols.at[*slot - 1];
	if (s->end < address + bytes)
		s->end = address + bytes;
}

/* NAME[+BYTES] without an address: an address of its own. */
static int fake_address(struct text *x, struct token t, struct token name, uint64_t offset, uint64_t *out)
{
	char a[64];
	if (offset >= FAKE_STEP)
		return text_bad(x, "'%s' is more than %llu bytes into an object that has no address", token_shown(t, a), FAKE_STEP - 1);
	uint32_t before = (uint32_t)x->fakes.count;
	uint32_t id = names_put(&x->fakes, name.at, name.length);
	if (id >= (FAKE_END - FAKE_BASE) / FAKE_STEP)
		return text_bad(x, "too many objects that have no address");
	*out = FAKE_BASE + id * FAKE_STEP + offset;
	if (id == before)
		note_symbol(x, name, FAKE_BASE + id * FAKE_STEP, FAKE_STEP);
	return 0;
}

int take_object(struct text *x, struct token t, uint64_t *out)
{
	char a[64];
	struct token name = t, number = t;
	uint64_t offset = 0, address = 0;
	if (t.at[0] >= '0' && t.at[0] <= '9')
		return token_number(t, out) ? 0 : text_bad(x, "'%s' is neither an address nor a name", token_shown(t, a));
	const char *at = memchr(t.at, '@', t.length);
	if (at) {
		name.length = (size_t)(at - t.at);
		number = (struct token){ at + 1, t.length - name.length - 1 };
		if (!token_number(number, &address))
			return text_bad(x, "'%s' has no address behind its '@'", token_shown(t, a));
	}
	const char *plus = memchr(name.at, '+', name.length);
	if (plus) {
		number = (struct token){ plus + 1, name.length - (size_t)(plus - name.at) - 1 };
		name.length = (size_t)(plus - name.at);
		if (!token_number(number, &offset))
			return text_bad(x, "'%s' has no number behind its '+'", token_shown(t, a));
	}
	if (!name.length)
		return text_bad(x, "'%s' has no name", token_shown(t, a));
	if (!at)
		return fake_address(x, t, name, offset, out);
	if (offset > address)
		return text_bad(x, "'%s' begins before address 0", token_shown(t, a));
	note_symbol(x, name, address - offset, offset + 1);
	*out = address;
	return 0;
}

/* ---- places ---- */

const struct place *build_position(struct text *x, struct token position, struct token function)
{
	struct place like = { .ordinal = UINT32_MAX };
	uint64_t numbers[2] = { 0, 0 };
	int count = 0;
	for (; count < 2; count++) {
		const char *colon = position.length ? memrchr(position.at, ':', position.length) : NULL;
		if (!colon)
			break;
		struct token digits = { colon + 1, position.length - (size_t)(colon - position.at) - 1 };
		if (!token_number(digits, &numbers[count]) || numbers[count] > UINT32_MAX)
			break;
		position.length = (size_t)(colon - position.at);
	}
	like.line = (uint32_t)(count == 2 ? numbers[1] : count == 1 ? numbers[0] : 0);
	like.column = (uint32_t)(count == 2 ? numbers[0] : 0);
	like.file = text_kept(x, position);
	like.function = text_kept(x, function);
	return builder_place(x->builder, &like);
}

static const struct place *position_of(struct text *x, struct token position, struct token function)
{
	struct token both = position;
	if (function.length) {
		vec_clear(&x->plain2);
		if (x->plain2.room < position.length + function.length + 1) {
			x->plain2.room = (position.length + function.length) * 2 + 64;
			x->plain2.at = mem_resize(x->plain2.at, x->plain2.room);
		}
		if (position.length)
			memcpy(x->plain2.at, position.at, position.length);
		x->plain2.at[position.length] = ' ';
		memcpy(x->plain2.at + position.length + 1, function.at, function.length);
		both = (struct token){ x->plain2.at, position.length + 1 + function.length };
	}
	uint32_t before = (uint32_t)x->positions.count;
	uint32_t id = names_put(&x->positions, both.at, both.length);
	if (id == before)
		vec_push(&x->written, build_position(x, position, function));
	return x->written.at[id];
}

/* at= and in= of an event. */
int take_place(struct text *x, struct token position, struct token function, const struct place **out)
{
	const char *hash = position.length ? memrchr(position.at, '#', position.length) : NULL;
	if (!hash) {
		*out = position.length || function.length ? position_of(x, position, function) : NULL;
		return 0;
	}
	char a[64];
	uint64_t n;
	struct token digits = { hash + 1, position.length - (size_t)(hash - position.at) - 1 };
	if (!token_number(digits, &n) || n >= x->numbered.count || !x->numbered.at[n])
		return text_bad(x, "place '%s' was not declared by a place: line", token_shown(digits, a));
	*out = x->numbered.at[n];
	return 0;
}

