/* verify/twin.c -- see twin.h. */
#include "verify/twin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t line_number, twin_events, twin_hash;
LIST(, char *, words)
LIST(, struct event, events)
LIST(, struct thread, threads)

void *list_grown(void *list, uint32_t count, uint32_t *room, size_t size)
{
	if (count < *room)
		return list;
	if (count >= 1u << 28)
		line_bad("too much of it");
	*room = count * 2 + 64;
	return (list = realloc(list, *room * size)) ? list : (abort(), NULL);
}

/* ---- lines and words ---- */

bool line_next(char **at, struct line *line)
{
	for (char *text, *w; (text = strsep(at, "\n"));) {
		*line = (struct line){ words_count, 0 };
		line_number++;
		while ((w = strsep(&text, " \t\r")))
			if (*w)
				LIST_ADD(words) = w;
		line->count = words_count - line->first;
		if (line->count && words[line->first][0] != '#')
			return true;
	}
	return false;
}

bool word_number(const char *w, uint64_t *n)
{
	char *end;
	*n = strtoull(w, &end, w[0] == '0' && w[1] == 'x' ? 16 : 10);
	return *w >= '0' && *w <= '9' && !*end;
}

bool word_among(const char *w, const char *list)
{
	size_t length = strlen(w);
	for (const char *at = list; length && (at = strstr(at, w)); at += length)
		if (at > list && at[-1] == ' ' && at[length] == ' ')
			return true;
	return false;
}

static uint64_t mixed(uint64_t n, const char *w)
{
	for (; *w; w++)
		n = (n ^ (unsigned char)*w) * 0x100000001b3ull;
	return n;
}

uint64_t word_object(const char *w)
{
	const char *address = strchr(w, '@') ? strchr(w, '@') + 1 : w, *plus = strrchr(w, '+');
	uint64_t n, offset = 0;
	if (word_number(address, &n) || strchr(w, '='))
		return strchr(w, '=') ? 0 : n;
	if (!plus || !word_number(plus + 1, &offset))
		return mixed(0, w);
	char *name = strndup(w, (size_t)(plus - w));
	n = mixed(0, name) + offset;
	free(name);
	return n;
}

/* ---- events ---- */

const char *word_of(uint32_t e, uint32_t i)
{
	return i < events[e].line.count ? words[events[e].line.first + i] : "";
}

const char *field_of(uint32_t e, const char *key)
{
	size_t length = strlen(key);
	for (uint32_t i = 2; i < events[e].line.count; i++)
		if (!strncmp(word_of(e, i), key, length) && word_of(e, i)[length] == '=')
			return word_of(e, i) + length + 1;
	return "";
}

bool event_is(uint32_t e, const char *kind) { return !strcmp(word_of(e, 1), kind); }

bool event_among(uint32_t e, const char *kinds) { return word_among(word_of(e, 1), kinds); }
bool event_failed(uint32_t e) { return *field_of(e, "res") || (event_is(e, "cas") && strstr(field_of(e, "is"), "failed")); }

bool event_empties(uint32_t e)
{
	if (event_among(e, " astore fence "))
		return !*field_of(e, "order") || !strcmp(field_of(e, "order"), "seq_cst") || !strcmp(field_of(e, "size"), "16");
	return events[e].at && !event_among(e, " r w aload copy libread flush begin block alloc free realloc stack tls enter leave call branch "
		"landed result argument keyframe time module lost label ignore frames choice release acquire ");
}

uint32_t thread_named(const char *path)
{
	for (uint32_t i = 0; i < threads_count; i++)
		if (!strcmp(threads[i].path, path))
			return i;
	LIST_ADD(threads) = (struct thread){ .path = path };
	return threads_count - 1;
}

static void event_add(uint32_t thread, struct line line)
{
	struct thread *t = &threads[thread];
	uint32_t before = t->event_count ? events[t->event[t->event_count - 1]].emptied : 0, e = events_count;
	LIST_ADD(events) = (struct event){ .line = line, .thread = thread, .at = t->event_count };
	events[e].object = word_object(word_of(e, 2));
	events[e].emptied = before + event_empties(e);
	LIST_ADD(t->event) = e;
}

void twin_read(char *twin)
{
	struct line line;
	for (uint32_t i = 0; i < threads_count; i++)
		free(threads[i].event);
	words_count = events_count = threads_count = 0;
	line_number = twin_events = 0;
	twin_hash = 0xcbf29ce484222325ull;
	while (line_next(&twin, &line)) {
		const char *path = words[line.first], *kind = line.count > 1 ? words[line.first + 1] : "";
		bool head = path[strlen(path) - 1] == ':';
		if (head && strcmp(path, "thread:"))
			continue;
		if (!*kind)
			line_bad("an event of what kind?");
		uint32_t thread = thread_named(head ? kind : path);
		if (head)
			continue;
		if (!strcmp(kind, "fork") || !strcmp(kind, "join"))
			thread_named(line.count > 2 ? words[line.first + 2] : "");
		if (!threads[thread].event_count)
			event_add(thread, (struct line){ 0 });
		event_add(thread, line);
		twin_events++;
		twin_hash = mixed(mixed(twin_hash, path) * 31, kind);
	}
	for (uint32_t t = 0; t < threads_count; t++)
		if (threads[t].event_count)
			event_add(t, (struct line){ 0 });
}

/* ---- what an event touches ---- */

#define CELLS " r w aload astore rmw cas "      /* accesses that say a size and a value, not a length and bytes */

uint64_t event_extent(uint32_t e, bool written, uint64_t *address)
{
	uint64_t size = 0, source = 0;
	bool cell = event_among(e, CELLS);
	*address = events[e].object;
	if (!event_among(e, written ? " w astore rmw cas libwrite copy input alloc " : " r aload rmw cas libread copy output ") ||
		(written && event_is(e, "cas") && event_failed(e)))
		return 0;
	if (event_is(e, "copy") && !written)            /* where from: the first 8 bytes of what it says */
		*address = sscanf(field_of(e, "bytes"), "%16lx", &source) == 1 ? __builtin_bswap64(source) : 0;
	return word_number(field_of(e, cell ? "size" : "len"), &size) ? size : cell ? 4 : 0;
}

int event_byte(uint32_t e, bool written, uint64_t address)
{
	uint64_t start, size = event_extent(e, written, &start), at = address - start;
	const char *value = field_of(e, written && event_among(e, " rmw cas ") ? "new" : "value"), *bytes = field_of(e, "bytes");
	unsigned byte = 0;
	if (at >= size)
		return -2;
	if (event_among(e, " libwrite input ") && size <= 16 && strlen(bytes) >= 2 * size)
		return sscanf(bytes + 2 * at, "%2x", &byte) == 1 ? (int)byte : -1;
	if (!event_among(e, CELLS) || !*value || at >= 16)
		return -1;
	if (value[0] != '0' || value[1] != 'x')
		return at < 8 ? (int)(strtoull(value, NULL, 10) >> 8 * at & 255) : -1;
	char pair[3] = "00";                            /* its digits, from the right */
	for (size_t i = 0, digits = strlen(value) - 2; i < 2 && 2 * at + i < digits; i++)
		pair[1 - i] = value[strlen(value) - 1 - 2 * at - i];
	return sscanf(pair, "%2x", &byte) == 1 ? (int)byte : -1;
}
