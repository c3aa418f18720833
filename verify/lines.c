/* verify/lines.c -- see lines.h.  Shares nothing with the rest of raddle; what it reads is hostile. */
#include "verify/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t line_number;
uint32_t line_words;
static char *text, **words;
static uint32_t room;
static const char *kind = "";

void *line_grown(void *list, uint32_t count, uint32_t *space, size_t size)
{
	if (count < *space)
		return list;
	if (count >= 1u << 28)
		line_bad("too much of it");
	*space = count * 2 + 64;
	return (list = realloc(list, *space * size)) ? list : (abort(), NULL);
}

/* ---- words ---- */

char *line_first(const char *bytes, size_t length)
{
	free(text);
	line_number = 0;
	return text = memcpy(calloc(length + 1, 1), bytes, length);
}

bool line_next(char **at)
{
	char *line = strsep(at, "\n"), *w;
	for (line_words = 0; (w = strsep(&line, " \t\r"));)
		if (*w) {
			words = line_grown(words, line_words, &room, sizeof *words);
			words[line_words++] = w;
		}
	line_number++;
	return *at || line_words;
}

char *line_word(uint32_t i) { return i < line_words ? words[i] : (char *)""; }
const char *line_kind(uint32_t i) { return kind = line_word(i); }
bool line_is(const char *is) { return !strcmp(kind, is); }

bool line_among(const char *kinds)
{
	char padded[32];
	snprintf(padded, sizeof padded, " %s ", kind);
	return strstr(kinds, padded);
}

const char *line_field(const char *key)
{
	for (uint32_t i = 2; i < line_words; i++)
		if (!strncmp(words[i], key, strlen(key)) && words[i][strlen(key)] == '=')
			return words[i] + strlen(key) + 1;
	return "";
}

/* ---- one word ---- */

bool word_number(const char *w, uint64_t *n)
{
	char *end;
	*n = strtoull(w, &end, w[0] == '0' && w[1] == 'x' ? 16 : 10);
	return *w >= '0' && *w <= '9' && !*end;
}

uint64_t word_mixed(uint64_t n, const char *w)
{
	for (; *w; w++)
		n = (n ^ (unsigned char)*w) * 0x100000001b3ull;
	return n;
}

uint64_t word_object(const char *w)
{
	uint64_t n, offset = 0;
	char name[256];
	if (word_number(strchr(w, '@') ? strchr(w, '@') + 1 : w, &n))
		return n;
	snprintf(name, sizeof name, "%s", w);
	if (strchr(w, '+') && strlen(w) < sizeof name && word_number(strchr(w, '+') + 1, &offset))
		*strchr(name, '+') = 0;
	return word_mixed(0, *name && offset ? name : w) + offset;
}

void word_bytes(const char *w, uint8_t *into)
{
	for (uint32_t i = 0; i < 16 && w[2 * i] && w[2 * i + 1]; i++)
		if (sscanf(w + 2 * i, "%2hhx", &into[i]) != 1)
			line_bad("no bytes");
}

/* ---- accesses ---- */

/* A number of up to 16 bytes, as it lies in memory. */
static void value_of(const char *w, uint8_t *into)
{
	uint64_t low = strtoull(w, NULL, 10);                   /* -1 is all ones */
	bool hex = w[0] == '0' && w[1] == 'x';
	if (!hex)
		memcpy(into, &low, 8);
	for (size_t i = strlen(w), at = 0; hex && i-- > 2 && at < 32; at++)
		into[at / 2] |= (uint8_t)((unsigned)(w[i] <= '9' ? w[i] - '0' : (w[i] | 32) - 'a' + 10) << at % 2 * 4);
}

static struct access access_of(uint64_t address, uint64_t size, bool writes, const char *value, const char *bytes)
{
	struct access a = { .address = address, .size = size, .writes = writes, .known = *value };
	value_of(value, a.value);
	if (size && size <= 16 && strlen(bytes) / 2 >= size) {
		word_bytes(bytes, a.value);
		a.known = true;
	}
	return a;
}

uint32_t line_accesses(struct access *two)
{
	bool one = line_among(" r w aload astore rmw cas "), both = line_among(" rmw cas ");
	bool failed = line_is("cas") && strstr(line_field("is"), "failed");
	uint64_t size = 0, object = strchr(line_word(2), '=') ? 0 : word_object(line_word(2)), source = object;
	uint32_t count = 0;
	if (!word_number(line_field(one ? "size" : "len"), &size) && one)
		size = 4;
	if (line_is("copy"))                            /* where from: the first 8 bytes of what it says */
		source = sscanf(line_field("bytes"), "%16lx", &source) == 1 ? __builtin_bswap64(source) : 0;
	if (line_among(" r aload rmw cas libread copy output "))
		two[count++] = access_of(source, size, false, one ? line_field("value") : "", "");
	if (line_among(" w astore rmw cas libwrite copy input alloc ") && !failed)
		two[count++] = access_of(object, size, true, line_field(both ? "new" : "value"), line_among(" libwrite input ") ? line_field("bytes") : "");
	return count;
}
