/* cc/driver_args.c -- the arguments of one invocation, response files looked into.
 *
 * A response file is split as clang splits it: blanks separate; ' and " quote; a backslash takes the next character as it
 * is, inside quotes too.  It is handed on as the one argument it was unless something had to be taken out of it.
 * Memory is never given back: the process becomes clang. */
#include "cc/driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_DEPTH 16

static void *must(void *memory)
{
	if (!memory) {
		fputs("raddle-cc: out of memory\n", stderr);
		exit(1);
	}
	return memory;
}

static void *grown(void *at, size_t count, size_t *room, size_t each)
{
	if (count < *room)
		return at;
	*room = *room ? *room * 2 : 64;
	return must(realloc(at, *room * each));
}

void list_add(struct list *l, const char *text)
{
	l->at = grown(l->at, l->count, &l->room, sizeof *l->at);
	l->at[l->count++] = text;
}

char *text_keep(const char *from)
{
	return must(strdup(from));
}

char *text_join(const char *a, const char *b, const char *c)
{
	char *all = must(malloc(strlen(a) + strlen(b) + strlen(c) + 1));

	strcpy(all, a);
	strcat(all, b);
	return strcat(all, c);
}

bool text_starts(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool text_ends(const char *text, const char *suffix)
{
	size_t lt = strlen(text), ls = strlen(suffix);

	return lt >= ls && strcmp(text + lt - ls, suffix) == 0;
}

static void args_add(struct args *a, const char *text, size_t origin, bool from_file)
{
	a->at = grown(a->at, a->count, &a->room, sizeof *a->at);
	a->at[a->count++] = (struct arg){ .text = text, .origin = origin, .from_file = from_file };
}

/* The whole file, zero-terminated, or NULL. */
static char *file_text(const char *path)
{
	FILE *f = fopen(path, "re");
	char *text = NULL;
	size_t room = 0;
	ssize_t got;

	if (!f)
		return NULL;
	got = getdelim(&text, &room, 0, f);
	if (got < 0)
		text = ferror(f) ? NULL : text_keep("");
	fclose(f);
	return text;
}

/* Takes one word off *at into `word`, which has room enough.  False at the end. */
static bool next_word(const char **at, char *word)
{
	const char *s = *at;
	char quote = 0;

	s += strspn(s, " \t\r\n\v\f");
	if (!*s)
		return false;
	for (; *s && (quote || !strchr(" \t\r\n\v\f", *s)); s++) {
		if (*s == '\\' && s[1])
			*word++ = *++s;
		else if (quote ? *s == quote : *s == '\'' || *s == '"')
			quote = quote ? 0 : *s;
		else
			*word++ = *s;
	}
	*word = 0;
	*at = s;
	return true;
}

static void read_one(struct args *a, const char *text, size_t origin, int depth)
{
	const char *at = text[0] == '@' && depth < FILE_DEPTH ? file_text(text + 1) : NULL;
	char *word;

	if (!at) {
		args_add(a, text, origin, depth > 0);
		return;
	}
	word = text_keep(at);
	while (next_word(&at, word))
		read_one(a, text_keep(word), origin, depth + 1);
}

void args_read(struct args *a, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		read_one(a, argv[i], (size_t)i, 0);
}

/* Was anything taken out of the response file arg i came from? */
static bool file_changed(const struct args *a, size_t i)
{
	size_t origin = a->at[i].origin;

	while (i > 0 && a->at[i - 1].origin == origin)
		i--;
	for (; i < a->count && a->at[i].origin == origin; i++)
		if (a->at[i].dropped || a->at[i].instead)
			return true;
	return false;
}

void args_write(const struct args *a, char **argv, const struct list *last, struct list *out)
{
	size_t i = 0;

	while (i <= a->count) {
		const struct arg *one = &a->at[i];

		if (i == a->end)
			for (size_t k = 0; k < last->count; k++)
				list_add(out, last->at[k]);
		if (i == a->count)
			return;
		if (one->from_file && !file_changed(a, i)) {
			list_add(out, argv[one->origin]);
			for (size_t origin = one->origin; i < a->count && a->at[i].origin == origin; )
				i++;
			continue;
		}
		if (!one->dropped)
			list_add(out, one->instead ? one->instead : one->text);
		i++;
	}
}
