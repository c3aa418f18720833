/* cli/filter.c -- see filter.h.  Lists are separated by commas; every list given must be met. */
#include "cli/filter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/vec.h"
#include "cli/command.h"

static const char *const class_words[] = { "thread", "memory", "atomic", "lock", "cond", "barrier", "sem", "once", "object", "flow",
	"signal", "outside", "book" };

struct filter {
	struct trace *trace;
	VEC(bool) threads;                      /* empty: all */
	bool kinds[EV_COUNT], some_kinds;
	char *file;                             /* or NULL */
	size_t file_length;
	uint64_t line, first, last;             /* line 0: any */
	const char *object;                     /* or NULL */
	uint64_t address;
	bool by_address;
};

static int refuse(struct err *why, const char *what, const char *word, const char *hint)
{
	err_set(why, "%s '%s'", what, word);
	if (hint)
		err_hint(why, "%s", hint);
	why->code = 2;
	return -1;
}

/* The next word of a list into `word`; false at its end. */
static bool next_word(const char **list, char *word, size_t room)
{
	size_t n = strcspn(*list, ",");
	if (!**list)
		return false;
	snprintf(word, room, "%.*s", (int)n, *list);
	*list += n + ((*list)[n] == ',');
	return true;
}

static int read_kinds(const char *list, bool kinds[EV_COUNT], struct err *why)
{
	char word[64];
	while (next_word(&list, word, sizeof word)) {
		int kind = event_kind_of(word);
		bool known = kind > 0;
		if (known)
			kinds[kind] = true;
		for (size_t c = 0; c < sizeof class_words / sizeof *class_words; c++)
			for (int k = 1; k < EV_COUNT && !strcmp(word, class_words[c]); k++)
				if (event_word((enum event_kind)k) && event_class((enum event_kind)k) == (enum event_class)c)
					known = kinds[k] = true;
		if (known)
			continue;
		unsigned best = 99;
		char hint[128] = "";
		for (int k = 1; k < EV_COUNT; k++)
			if (event_word((enum event_kind)k) && is_near(word, event_word((enum event_kind)k), &best))
				snprintf(hint, sizeof hint, "did you mean '%s'?", event_word((enum event_kind)k));
		return refuse(why, "unknown kind of event", word, hint[0] ? hint : "kinds are words like r, w, lock, fork, or classes: "
			"thread memory atomic lock cond barrier sem once object flow signal outside book");
	}
	return 0;
}

static int read_range(const char *text, uint64_t *first, uint64_t *last, struct err *why)
{
	char left[32], right[32];
	const char *colon = strchr(text, ':');
	size_t n = colon ? (size_t)(colon - text) : 0;
	*first = 0;
	*last = UINT64_MAX;
	if (colon && n < sizeof left && strlen(colon) < sizeof right) {
		snprintf(left, sizeof left, "%.*s", (int)n, text);
		snprintf(right, sizeof right, "%s", colon + 1);
		if ((!*left || str_number(left, first)) && (!*right || str_number(right, last)) && *first <= *last)
			return 0;
	}
	return refuse(why, "not a range of event numbers:", text, "a range is FIRST:LAST, either may be left out: 100:200, :50");
}

static void read_place(struct filter *f, const char *text)
{
	const char *colon = strrchr(text, ':');
	f->file = strdup(text);
	if (colon && str_number(colon + 1, &f->line))
		f->file[colon - text] = 0;
	f->file_length = strlen(f->file);
}

static int read_threads(struct filter *f, const char *list, struct err *why)
{
	char word[128];
	uint32_t count = trace_thread_count(f->trace);
	for (uint32_t i = 0; i < count; i++)
		vec_push(&f->threads, false);
	while (next_word(&list, word, sizeof word)) {
		bool found = false;
		for (uint32_t i = 0; i < count; i++) {
			const struct trace_thread *t = trace_thread(f->trace, (struct thread_id){ i });
			if (!strcmp(t->path, word) || (*t->name && !strcmp(t->name, word)))
				found = f->threads.at[i] = true;
		}
		if (!found)
			return refuse(why, "no thread of this trace is called", word, "'raddle info' lists the threads");
	}
	return 0;
}

int filter_check(const struct filter_options *o, struct err *why)
{
	bool kinds[EV_COUNT] = { false };
	uint64_t first, last;
	if (o->kind && read_kinds(o->kind, kinds, why) < 0)
		return -1;
	return o->range ? read_range(o->range, &first, &last, why) : 0;
}

int filter_new(struct filter **out, const struct filter_options *o, struct trace *t, struct err *why)
{
	struct filter *f = mem_take(sizeof *f);
	int got = 0;
	f->trace = t;
	f->last = UINT64_MAX;
	f->object = o->object;
	f->by_address = o->object && str_starts(o->object, "0x") && str_number(o->object, &f->address);
	f->some_kinds = o->kind != NULL;
	if (o->kind)
		got = read_kinds(o->kind, f->kinds, why);
	if (got == 0 && o->range)
		got = read_range(o->range, &f->first, &f->last, why);
	if (got == 0 && o->thread)
		got = read_threads(f, o->thread, why);
	if (got == 0 && o->place)
		read_place(f, o->place);
	if (got < 0) {
		filter_free(f);
		return -1;
	}
	*out = f;
	return 0;
}

void filter_free(struct filter *f)
{
	if (!f)
		return;
	vec_release(&f->threads);
	free(f->file);
	mem_free(f);
}

/* Is `file` what was asked for: the same, or ends in it behind a slash? */
static bool same_file(const struct filter *f, const char *file)
{
	size_t n = strlen(file);
	if (n < f->file_length || strcmp(file + n - f->file_length, f->file))
		return false;
	return n == f->file_length || file[n - f->file_length - 1] == '/';
}

static bool at_place(const struct filter *f, const struct place *at)
{
	for (; at; at = at->inlined_at)
		if (same_file(f, at->file) && (!f->line || at->line == f->line))
			return true;
	return false;
}

static bool is_object(const struct filter *f, const struct objects *o, const struct event *ev)
{
	char name[256];
	if (f->by_address) {
		bool sized = event_class(ev->kind) == CLASS_MEMORY || event_class(ev->kind) == CLASS_OBJECT;
		uint64_t bytes = ev->size ? ev->size : sized && ev->arg ? ev->arg : 1;
		return f->address >= ev->object && f->address - ev->object < bytes;
	}
	if (ev->name && !strcmp(ev->name, f->object))
		return true;
	objects_name(o, ev->object, name, sizeof name);
	size_t n = strlen(f->object);
	return !strncmp(name, f->object, n) && (!name[n] || name[n] == '+');
}

bool filter_wants(const struct filter *f, const struct objects *o, const struct event *ev, uint64_t number)
{
	if (number < f->first || number > f->last || (f->some_kinds && !f->kinds[ev->kind]))
		return false;
	if (f->threads.count && (ev->thread.i >= f->threads.count || !f->threads.at[ev->thread.i]))
		return false;
	if (f->file && !at_place(f, ev->place))
		return false;
	return !f->object || is_object(f, o, ev);
}

bool filter_done(const struct filter *f, uint64_t number)
{
	return number > f->last;
}
