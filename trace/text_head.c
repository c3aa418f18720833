/* trace/text_head.c -- lines of a text twin that are no events: threads, modules, places, facts. */
#include "trace/text_parse.h"

#include <string.h>

static int place_field(struct text *x, struct place *like, struct token key, struct token value)
{
	char a[64];
	uint64_t n = 0;
	if (token_is(key, "in"))
		like->function = text_kept(x, value);
	else if (token_is(key, "link"))
		like->linkage = text_kept(x, value);
	else if (token_is(key, "unit"))
		like->unit = text_kept(x, value);
	else if (token_is(key, "module"))
		like->module = text_kept(x, value);
	else if (token_is(key, "site"))
		return take_number(x, key, value, UINT64_MAX, &like->site);
	else if (token_is(key, "ord")) {
		if (take_number(x, key, value, UINT32_MAX, &n) < 0)
			return -1;
		like->ordinal = (uint32_t)n;
	} else if (token_is(key, "inlined")) {
		if (take_number(x, key, value, UINT32_MAX, &n) < 0)
			return -1;
		if (n >= x->numbered.count || !x->numbered.at[n])
			return text_bad(x, "place '%s' was not declared by a place: line", token_shown(value, a));
		like->inlined_at = x->numbered.at[n];
	} else
		return text_bad(x, "unknown field '%s=' of a place", token_shown(key, a));
	return 0;
}

#define PLACES_MOST (1u << 26)

static int read_place(struct text *x)
{
	char a[64];
	struct token t, key, value;
	uint64_t number;
	if (!token_next(x, &t) || !token_number(t, &number) || number > x->numbered.count + 1 || number > PLACES_MOST)
		return text_bad(x, "a place: line begins with its number, one more than the last");
	struct place like = { .ordinal = UINT32_MAX };
	bool more = token_next(x, &t);
	if (more && !memchr(t.at, '=', t.length)) {
		const struct place *position = build_position(x, t, (struct token){ "", 0 });
		like.file = position->file;
		like.line = position->line;
		like.column = position->column;
		more = token_next(x, &t);
	}
	for (; more; more = token_next(x, &t)) {
		if (!token_split(t, &key, &value))
			return text_bad(x, "'%s' is not a field", token_shown(t, a));
		if (place_field(x, &like, key, value) < 0)
			return -1;
	}
	while (x->numbered.count <= number)
		vec_add(&x->numbered);
	x->numbered.at[number] = builder_place(x->builder, &like);
	return 0;
}

/* ---- head lines ---- */

static int thread_field(struct text *x, uint32_t id, struct token key, struct token value)
{
	char a[64];
	uint64_t n = 0;
	struct trace_thread *t = builder_thread_edit(x->builder, (struct thread_id){ id });
	if (token_is(key, "uid")) {
		if (take_number(x, key, value, UINT32_MAX, &n) < 0)
			return -1;
		t->uid = (uint32_t)n;
	} else if (token_is(key, "parent")) {
		vec_push(&x->parents, ((struct parent){ id, builder_string(x->builder, value.at, value.length) }));
	} else if (token_is(key, "tid")) {
		return take_signed(x, key, value, &t->tid);
	} else if (token_is(key, "name")) {
		t->name = text_kept(x, value);
	} else if (token_is(key, "lost")) {
		return take_number(x, key, value, UINT64_MAX, &t->lost);
	} else if (token_is(key, "waits")) {
		token_shown(value, a);
		int kind = event_kind_of(a);
		if (kind < 0)
			return text_bad(x, "unknown event '%s'", a);
		t->waits_kind = (uint32_t)kind;
	} else if (token_is(key, "for") && value.length) {
		return take_object(x, value, &t->waits_for);
	} else if (token_is(key, "until") && token_is(value, "deadline")) {
		t->waits_until = true;
	} else if (token_is(key, "is") && token_is(value, "alive")) {
		t->alive_at_end = true;
	} else {
		return text_bad(x, "unknown field '%s=' of a thread", token_shown(key, a));
	}
	return 0;
}

static int read_thread(struct text *x)
{
	char a[64];
	struct token t, key, value;
	if (!token_next(x, &t))
		return text_bad(x, "a thread: line has no thread");
	if (names_get(&x->threads, t.at, t.length) != NO_NAME)
		return text_bad(x, "thread '%s' was named before", token_shown(t, a));
	uint32_t id = text_thread(x, t, NO_THREAD.i, true);
	while (token_next(x, &t)) {
		if (!token_split(t, &key, &value))
			return text_bad(x, "'%s' is not a field", token_shown(t, a));
		if (thread_field(x, id, key, value) < 0)
			return -1;
	}
	return 0;
}

static int read_module(struct text *x)
{
	char a[64];
	struct token t, key, value;
	struct trace_module m = { 0 };
	if (!token_next(x, &t))
		return text_bad(x, "a module: line has no path");
	m.path = text_kept(x, t);
	while (token_next(x, &t)) {
		if (!token_split(t, &key, &value))
			return text_bad(x, "'%s' is not a field", token_shown(t, a));
		uint64_t *number = token_is(key, "base") ? &m.base : token_is(key, "low") ? &m.low : token_is(key, "high") ? &m.high : NULL;
		if (number) {
			if (take_number(x, key, value, UINT64_MAX, number) < 0)
				return -1;
		} else if (token_is(key, "id") && value.length < sizeof m.build_id) {
			memcpy(m.build_id, value.at, value.length);
			m.build_id[value.length] = 0;
		} else if (token_is(key, "is") && token_is(value, "instrumented")) {
			m.instrumented = true;
		} else {
			return text_bad(x, "unknown field '%s' of a module", token_shown(t, a));
		}
	}
	builder_module(x->builder, &m);
	return 0;
}

static int read_flags(struct text *x)
{
	char a[64];
	struct token t;
	while (token_next(x, &t))
		while (t.length) {
			const char *comma = memchr(t.at, ',', t.length);
			struct token word = { t.at, comma ? (size_t)(comma - t.at) : t.length };
			if (token_is(word, "last"))
				x->flags |= TRACE_LAST;
			else if (token_is(word, "no-values"))
				x->flags |= TRACE_NO_VALUES;
			else if (token_is(word, "no-tries"))
				x->flags &= ~TRACE_TRIES;
			else
				return text_bad(x, "unknown flag '%s'", token_shown(word, a));
			size_t gone = word.length + (comma != NULL);
			t = (struct token){ t.at + gone, t.length - gone };
		}
	return 0;
}

static void read_fact(struct text *x, struct token key)
{
	while (x->at < x->end && is_blank(*x->at))
		x->at++;
	while (x->end > x->at && is_blank(x->end[-1]))
		x->end--;
	const char *name = text_kept(x, key);
	builder_fact(x->builder, name, text_kept(x, (struct token){ x->at, (size_t)(x->end - x->at) }));
	x->at = x->end;
}

int text_head(struct text *x, struct token word)
{
	char a[64];
	struct token t, key = word;
	uint64_t n;
	x->known |= head_word(word.at, word.length) != HEAD_NONE;
	switch (head_word(word.at, word.length)) {
	case HEAD_THREAD:
		return read_thread(x);
	case HEAD_PLACE:
		return read_place(x);
	case HEAD_MODULE:
		return read_module(x);
	case HEAD_FLAGS:
		return read_flags(x);
	case HEAD_FACT:
		if (token_next(x, &t))
			read_fact(x, t);
		return 0;
	case HEAD_NONE:
		read_fact(x, word);
		return 0;
	case HEAD_ORDER:
		if (!token_next(x, &t) || (!token_is(t, "total") && !token_is(t, "per-object")))
			return text_bad(x, "order is neither 'total' nor 'per-object'");
		return x->events ? text_bad(x, "order is said after the first event") : 0;
	case HEAD_COMPLETE:
		x->incomplete = token_next(x, &t) && token_is(t, "no");
		return 0;
	case HEAD_TWIN:
		x->promised = true;
		return 0;
	case HEAD_END:
		if (!token_next(x, &t) || !token_number(t, &n))
			return text_bad(x, "'end:' needs a number");
		if (n != x->event_count)
			return text_bad(x, "it has %llu events, its end says %llu", (unsigned long long)x->event_count, (unsigned long long)n);
		x->ended = true;
		return 0;
	case HEAD_LEVEL:
	case HEAD_TICKS:
		if (!token_next(x, &t) || !token_number(t, &n))
			return text_bad(x, "'%s:' needs a number", token_shown(key, a));
		if (token_is(word, "ticks"))
			x->ticks = n;
		else
			x->level = (uint32_t)n;
		return 0;
	}
	return 0;
}
