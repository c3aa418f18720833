/* cli/info_verify.c -- raddle info --verify: what trace/verify.c found, as text and as JSON.
 * Problems first, then who wrote unseen, the one line that counts last. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "cli/info.h"
#include "cli/say.h"
#include "trace/json.h"
#include "trace/verify.h"

static const char *grouped(uint64_t n)
{
	static char ring[8][STR_NUMBER];
	static unsigned next;
	return str_grouped(ring[next++ % 8], n);
}

static const char *where(const struct place *at)
{
	static char ring[4][192];
	static unsigned next;
	char *into = ring[next++ % 4];
	place_short(at, into, sizeof ring[0]);
	return *into ? into : "somewhere";
}

static const char *path(const struct trace *t, struct thread_id id)
{
	return id.i < trace_thread_count(t) ? trace_thread(t, id)->path : "?";
}

static double share(const struct verify *v, uint64_t part)
{
	return v->reads ? 100.0 * (double)part / (double)v->reads : 0;
}

static uint64_t explained(const struct verify *v)
{
	uint64_t n = 0;
	for (int i = 0; i < CAUSE_COUNT; i++)
		n += i == BY_UNSEEN ? 0 : v->causes[i];
	return n;
}

/* ---- text ---- */

static void print_value_problem(const struct trace *t, const struct verify_problem *p)
{
	char name[300];
	if (p->name)
		snprintf(name, sizeof name, "'%s'", p->name);
	else
		snprintf(name, sizeof name, "%u bytes at 0x%" PRIx64, p->size, p->object);
	printf("%s: value: %s reads %" PRIu64 " from %s, expected %" PRIu64, where(p->place), path(t, p->thread), p->value, name,
		p->expected);
	if (p->writer_place)
		printf(", which %s wrote at %s", path(t, p->writer), where(p->writer_place));
	else if (p->writer.i != NO_THREAD.i)
		printf(", which %s found there before", path(t, p->writer));
	printf("\n");
}

static void print_problems(const struct trace *t, const struct verify *v)
{
	for (size_t i = 0; i < v->problems.count; i++) {
		const struct verify_problem *p = &v->problems.at[i];
		fputs(colour(COLOUR_RED), stdout);
		if (p->rule == RULE_VALUE)
			print_value_problem(t, p);
		else
			printf("%s: %s: %s\n", where(p->place), verify_rule_words[p->rule], p->text);
		fputs(colour(COLOUR_OFF), stdout);
	}
	if (v->problem_count > v->problems.count)
		printf("and %s more\n", grouped(v->problem_count - v->problems.count));
}

static void print_unseen(const struct trace *t, const struct verify *v, uint64_t top)
{
	if (!v->unseen.count)
		return;
	printf("unseen writers of\n");
	for (size_t i = 0; i < v->unseen.count && i < top; i++) {
		const struct verify_site *s = &v->unseen.at[i];
		printf("  %12s  %s at %s, first by %s: %" PRIu64, grouped(s->reads), s->name, where(s->place), path(t, s->thread),
			s->value);
		if (s->known)
			printf(" instead of %" PRIu64, s->expected);
		printf("\n");
	}
	if (v->unseen.count > top)
		printf("  and %s more places\n", grouped(v->unseen.count - top));
	for (size_t i = 0; i < v->outside.count && i < top; i++)
		printf("%s  %12s  %s\n", i ? "" : "calls that may have written anything\n", grouped(v->outside.at[i].calls),
			*v->outside.at[i].name ? v->outside.at[i].name : "(through a pointer)");
}

static void print_last_line(const struct verify *v)
{
	printf("%s: %s reads explained (%.1f %%), %s by library writes, %s unseen writers (%.2f %%)",
		v->problem_count ? "contradicted" : v->undecided ? "undecided" : "verified", grouped(explained(v)),
		v->reads ? share(v, explained(v)) : 100.0, grouped(v->causes[BY_LIBRARY]), grouped(v->causes[BY_UNSEEN]),
		share(v, v->causes[BY_UNSEEN]));
	if (v->problem_count)
		printf("; %s problem%s", grouped(v->problem_count), v->problem_count == 1 ? "" : "s");
	if (v->undecided)
		printf("; %s", v->undecided);
	printf("\n");
}

/* ---- JSON ---- */

static void put_problem(struct json *j, const struct trace *t, const struct verify_problem *p)
{
	json_object(j);
	json_put_text(j, "type", "problem");
	json_put_text(j, "rule", verify_rule_words[p->rule]);
	json_put_text(j, "thread", path(t, p->thread));
	json_put_number(j, "index", p->index);
	place_json(j, "at", p->place);
	json_put_hex(j, "object", p->object);
	json_put_text(j, "name", p->name);
	if (p->rule != RULE_VALUE) {
		json_put_text(j, "text", p->text);
	} else {
		json_put_number(j, "size", p->size);
		json_put_hex(j, "value", p->value);
		json_put_hex(j, "expected", p->expected);
		json_put_text(j, "writer", p->writer.i == NO_THREAD.i ? NULL : path(t, p->writer));
		if (p->writer_place)
			place_json(j, "written_at", p->writer_place);
	}
	json_end(j, '}');
	json_line(j);
}

static void put_unseen(struct json *j, const struct trace *t, const struct verify_site *s)
{
	json_object(j);
	json_put_text(j, "type", "unseen");
	place_json(j, "at", s->place);
	json_put_text(j, "name", s->name);
	json_put_number(j, "reads", s->reads);
	json_put_text(j, "thread", path(t, s->thread));
	json_put_hex(j, "value", s->value);
	if (s->known)
		json_put_hex(j, "expected", s->expected);
	json_end(j, '}');
	json_line(j);
}

static void put_summary(struct json *j, const struct trace *t, const struct verify *v)
{
	json_object(j);
	json_put_number(j, "schema", 1);
	json_key(j, "summary");
	json_object(j);
	json_put_text(j, "command", "info --verify");
	json_put_text(j, "trace", trace_path(t));
	json_put_text(j, "verdict", v->problem_count ? "contradicted" : v->undecided ? "undecided" : "verified");
	json_put_text(j, "undecided", v->undecided);
	json_put_number(j, "events", v->events);
	json_put_number(j, "problems", v->problem_count);
	json_put_number(j, "reads", v->reads);
	json_put_number(j, "explained", explained(v));
	json_key(j, "unseen_percent");
	json_real(j, share(v, v->causes[BY_UNSEEN]));
	json_put_number(j, "without_value", v->valueless);
	json_put_number(j, "unknown_calls", v->unknown_calls);
	json_key(j, "causes");
	json_object(j);
	for (int i = 0; i < CAUSE_COUNT; i++)
		json_put_number(j, verify_cause_words[i], v->causes[i]);
	json_end(j, '}');
	json_end(j, '}');
	json_end(j, '}');
	json_line(j);
}

static void verify_json(const struct trace *t, const struct verify *v, uint64_t top)
{
	struct json j;
	json_init(&j, stdout);
	for (size_t i = 0; i < v->problems.count; i++)
		put_problem(&j, t, &v->problems.at[i]);
	for (size_t i = 0; i < v->unseen.count && i < top; i++)
		put_unseen(&j, t, &v->unseen.at[i]);
	put_summary(&j, t, v);
}

int info_verify(struct trace *t, bool json, uint64_t top, struct err *why)
{
	struct verify *v;
	int code = verify_take(&v, t, why);
	if (code == 0) {
		if (json) {
			verify_json(t, v, top);
		} else {
			print_problems(t, v);
			print_unseen(t, v, top);
			print_last_line(v);
		}
		code = v->problem_count ? 1 : v->undecided ? 4 : 0;
	}
	verify_free(v);
	return code;
}
