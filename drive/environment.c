/* drive/environment.c -- see environment.h. */
#include "drive/environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "drive/input.h"

typedef VEC(char *) strings;

static char *joined(const char *name, const char *between, const char *value)
{
	size_t room = strlen(name) + strlen(between) + strlen(value) + 1;
	char *text = mem_take(room);
	snprintf(text, room, "%s%s%s", name, between, value);
	return text;
}

static bool is_named(const char *string, const char *name)
{
	size_t length = strlen(name);
	return strncmp(string, name, length) == 0 && string[length] == '=';
}

static int by_name(const void *a, const void *b)
{
	const char *x = *(char *const *)a, *y = *(char *const *)b;
	size_t n = strcspn(x, "="), m = strcspn(y, "=");
	int order = memcmp(x, y, n < m ? n : m);
	return order ? order : n < m ? -1 : n > m;
}

/* Ours, in order; the strings are not copies. */
static void ours(strings *list)
{
	for (char **at = environ; at && *at; at++)
		if (strchr(*at, '=') && !is_named(*at, "_") && !is_named(*at, RING_ENV) && !is_named(*at, STEER_ENV))
			vec_push(list, *at);
	if (list->count)
		qsort(list->at, list->count, sizeof *list->at, by_name);
}

/* ---------------------------------------------------------------- given to a program */

/* So many strings and bytes that mean nothing; fewer strings, if they cannot be so short.  None is empty if that can be: gdb has a line to
 * say about each that is. */
static void fill(strings *list, uint64_t count, uint64_t bytes, unsigned *number)
{
	for (uint64_t i = 0; i < count; i++) {
		char name[32];
		uint64_t least = (uint64_t)snprintf(name, sizeof name, "_%u=", ++*number) + 1;
		bool roomy = bytes / (least + 2) >= count - i;
		uint64_t length = i + 1 < count ? least + roomy : bytes;
		if (length < least || bytes < length)
			return;
		char *text = mem_take(length);
		memset(text, 'x', length - 1);
		memcpy(text, name, least - 1);
		vec_push(list, text);
		bytes -= length;
	}
}

static void put(strings *list, const char *name, const char *value)
{
	for (size_t i = 0; i < list->count; i++)
		if (is_named(list->at[i], name)) {
			mem_free(list->at[i]);
			memmove(list->at + i, list->at + i + 1, (--list->count - i) * sizeof *list->at);
			break;
		}
	vec_push(list, joined(name, "=", value));
}

/* Does the program get what the schedule says?  (environment.h, 3) */
static bool is_given(const struct schedule_setting *e)
{
	const char *own = getenv(e->name);
	return (own && strcmp(own, e->value) == 0) || environment_harmless(e->name, e->value) ||
		(e->asked && !environment_acted_on(e->name));
}

/* Ours in its place; if we have none, something of its size that means nothing. */
static void put_instead(strings *list, const struct schedule_setting *e, unsigned *number)
{
	const char *own = getenv(e->name);
	if (own)
		put(list, e->name, own);
	else
		fill(list, 1, strlen(e->name) + strlen(e->value) + 2, number);
}

char **environment_make(const struct schedule *s, const struct environment_setting *more)
{
	strings list = { 0 };
	unsigned number = 0;
	if (!s || !s->whole_environment) {
		ours(&list);
		for (size_t i = 0; i < list.count; i++)
			list.at[i] = joined(list.at[i], "", "");
	}
	for (size_t i = 0; s && i < s->environment.count; i++) {
		const struct schedule_setting *e = &s->environment.at[i];
		fill(&list, e->strings, e->bytes, &number);
		if (is_given(e))
			put(&list, e->name, e->value);
		else if (s->whole_environment)
			put_instead(&list, e, &number);
	}
	if (s)
		fill(&list, s->other_strings, s->other_bytes, &number);
	for (; more && more->name; more++)
		put(&list, more->name, more->value);
	vec_push(&list, NULL);
	return list.at;
}

void environment_free(char **all)
{
	for (char **at = all; at && *at; at++)
		mem_free(*at);
	mem_free(all);
}

/* ---------------------------------------------------------------- kept in a schedule */

struct noting { strings list; bool *named; };

static void looked_at(void *to, const char *name, size_t length)
{
	struct noting *n = to;
	for (size_t i = 0; i < n->list.count; i++)
		if (strncmp(n->list.at[i], name, length) == 0 && n->list.at[i][length] == '=')
			n->named[i] = true;
}

void environment_note(struct schedule *s, int input_fd)
{
	struct noting n = { 0 };
	uint64_t count = 0, bytes = 0;
	ours(&n.list);
	n.named = mem_take(n.list.count + 1);
	if (input_fd >= 0)
		input_each_variable(input_fd, looked_at, &n);
	for (size_t i = 0; i < n.list.count; i++) {
		const char *text = n.list.at[i], *value = strchr(text, '=') + 1;
		if (!n.named[i] && !environment_of_libraries(text)) {
			count++;
			bytes += strlen(text) + 1;
			continue;
		}
		struct schedule_setting e = { schedule_text(s, text, (size_t)(value - text) - 1), schedule_text(s, value, strlen(value)),
			count, bytes, true };
		vec_push(&s->environment, e);
		count = bytes = 0;
	}
	s->whole_environment = true;
	s->other_strings = count;
	s->other_bytes = bytes;
	mem_free(n.named);
	vec_release(&n.list);
}

static unsigned add_name(char *into, size_t room, const char *name, size_t length, unsigned count)
{
	size_t used = strlen(into);
	if (used + length + 5 < room)
		snprintf(into + used, room - used, "%s'%.*s'", count ? ", " : "", (int)length, name);
	return count + 1;
}

unsigned environment_differs(const struct schedule *s, bool given, char *into, size_t room)
{
	unsigned count = 0;
	strings list = { 0 };
	*into = 0;
	for (size_t i = 0; i < s->environment.count; i++) {
		const struct schedule_setting *e = &s->environment.at[i];
		const char *value = getenv(e->name);
		if ((!value || strcmp(value, e->value) != 0) && is_given(e) == given)
			count = add_name(into, room, e->name, strlen(e->name), count);
	}
	ours(&list);
	for (size_t i = 0; given && s->whole_environment && i < list.count; i++) {
		bool known = !environment_of_libraries(list.at[i]);
		for (size_t k = 0; k < s->environment.count && !known; k++)
			known = is_named(list.at[i], s->environment.at[k].name);
		if (!known)
			count = add_name(into, room, list.at[i], strcspn(list.at[i], "="), count);
	}
	vec_release(&list);
	return count;
}

static void was_asked(void *to, const char *name, size_t length)
{
	struct schedule *s = to;
	for (size_t i = 0; i < s->environment.count; i++)
		if (strlen(s->environment.at[i].name) == length && !memcmp(s->environment.at[i].name, name, length))
			s->environment.at[i].asked = true;
}

void environment_asked(struct schedule *s, int input_fd)
{
	input_each_variable(input_fd, was_asked, s);
}
