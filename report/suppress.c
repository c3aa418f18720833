/* report/suppress.c -- see suppress.h: which findings a rule matches.  Reading them: suppress_parse.c. */
#include <string.h>

#include "report/suppress_inside.h"

/* ---------------------------------------------------------------- patterns */

/* All of `text` is `pattern`, in which '*' stands for anything. */
static bool is_like(const char *text, const char *pattern, size_t length)
{
	size_t p = 0, star = SIZE_MAX;
	const char *back = NULL;
	while (*text) {
		if (p < length && pattern[p] == '*') {
			star = p++;
			back = text;
		} else if (p < length && pattern[p] == *text) {
			p++;
			text++;
		} else if (star != SIZE_MAX) {
			p = star + 1;
			text = ++back;
		} else {
			return false;
		}
	}
	while (p < length && pattern[p] == '*')
		p++;
	return p == length;
}

static bool whole(const struct rule_text *pattern, const char *text)
{
	return is_like(text, pattern->at, pattern->length);
}

/* A path is meant by its name, by all of it, or by its end from some folder on. */
static bool whole_path(const struct rule_text *pattern, const char *path)
{
	bool found = whole(pattern, path);
	for (const char *slash = strchr(path, '/'); slash && !found; slash = strchr(slash + 1, '/'))
		found = whole(pattern, slash + 1);
	return found;
}

/* As ThreadSanitizer's: somewhere in it, unless its ends are marked. */
static bool somewhere(const struct rule_text *pattern, const char *text)
{
	const char *at = pattern->at;
	size_t length = pattern->length;
	bool start = length && at[0] == '^';
	at += start;
	length -= start;
	bool end = length && at[length - 1] == '$';
	length -= end;
	if (!*text && (length || start || end))
		return false;
	struct buffer like = { 0 };
	if (!start)
		buffer_add(&like, "*", 1);
	buffer_add(&like, at, length);
	if (!end)
		buffer_add(&like, "*", 1);
	bool found = is_like(text, (const char *)like.at, like.count);
	buffer_release(&like);
	return found;
}

/* ---------------------------------------------------------------- raddle's conditions */

/* The frames of a place, itself first. */
static const struct finding_spot *frame(const struct finding_place *p, size_t i)
{
	return i == 0 ? &p->at : &p->stack.at[i - 1];
}

/* The parts from `part` on match the frames from `at` on; what comes behind the last part does not matter. */
static bool sequence(const struct condition *c, size_t part, const struct finding_place *p, size_t at)
{
	size_t frames = p->stack.count + 1;
	size_t gap = SIZE_MAX, resume = 0;
	while (part < c->parts.count) {
		if (c->parts.at[part].length == 3 && !memcmp(c->parts.at[part].at, "...", 3)) {
			gap = ++part;
			resume = at;
		} else if (at < frames && whole(&c->parts.at[part], frame(p, at)->function)) {
			part++;
			at++;
		} else if (gap != SIZE_MAX && resume < frames) {
			part = gap;
			at = ++resume;
		} else {
			return false;
		}
	}
	return true;
}

static bool holds(const struct condition *c, const struct finding *f, const struct finding_place *p)
{
	switch (c->of) {
	case OF_FUNCTION: return whole(&c->parts.at[0], p->at.function);
	case OF_FILE:     return whole_path(&c->parts.at[0], p->at.file);
	case OF_VARIABLE: return whole(&c->parts.at[0], f->object.name) || (*f->object.field && whole(&c->parts.at[0], f->object.field)) || (*p->object && whole(&c->parts.at[0], p->object));
	default:          return sequence(c, 0, p, 0);
	}
}

static bool all_hold(const struct rule *r, const struct finding *f, const struct finding_place *p)
{
	for (size_t i = 0; i < r->conditions.count; i++)
		if (!holds(&r->conditions.at[i], f, p))
			return false;
	return true;
}

/* ---------------------------------------------------------------- ThreadSanitizer's */

static bool names_spot(const struct rule_text *pattern, const struct finding_spot *s)
{
	return somewhere(pattern, s->function) || somewhere(pattern, s->file) || somewhere(pattern, s->module);
}

static bool has_pattern(const struct rule *r, const struct finding *f, const struct finding_place *p)
{
	size_t first = r->where == WHERE_CALLERS ? 1 : 0;
	size_t behind = r->where == WHERE_TOP ? 1 : p->stack.count + 1;
	for (size_t i = first; i < behind; i++)
		if (r->where == WHERE_CALLERS ? somewhere(&r->pattern, frame(p, i)->module) : names_spot(&r->pattern, frame(p, i)))
			return true;
	return r->where == WHERE_ANY && (somewhere(&r->pattern, f->object.name) || somewhere(&r->pattern, p->object));
}

static bool matches(const struct rule *r, const struct finding *f)
{
	if (!(r->kinds & (1u << f->kind)))
		return false;
	for (size_t i = 0; i < f->places.count; i++)
		if (r->conditions.count ? all_hold(r, f, &f->places.at[i]) : has_pattern(r, f, &f->places.at[i]))
			return true;
	return false;
}

void suppressions_apply(struct suppressions *s, struct findings *l)
{
	for (size_t i = 0; i < l->all.count; i++) {
		struct finding *f = l->all.at[i];
		for (size_t k = 0; k < s->rules.count && !f->suppressed; k++)
			if (matches(&s->rules.at[k], f)) {
				f->suppressed = findings_text(l, s->rules.at[k].told.text);
				s->rules.at[k].told.times++;
			}
	}
}
