/* cli/diff.c -- raddle diff: where two runs of one program part.  The question is analyses/epa's. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analyses/epa/picture.h"
#include "base/file.h"
#include "base/json.h"
#include "base/str.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/say.h"
#include "report/picture_page.h"
#include "wire/version.h"

#define NAME_ROOM 600
#define EDGES_SAID 40

struct options { bool json, salvage; const char *dot, *html; };

struct side { struct trace *trace; struct canon canon; };

/* ---- are they comparable? ---- */

static int refuse(const struct trace *a, const struct trace *b, const char *what, const char *hint, struct err *why)
{
	err_set(why, "'%.200s' and '%.200s' cannot be compared: %s", trace_path(a), trace_path(b), what);
	err_hint(why, "%s", hint);
	why->code = 3;
	return -1;
}

static int check_pair(const struct trace *a, const struct trace *b, struct err *why)
{
	const struct trace_module *x = trace_program(a), *y = trace_program(b);
	if (x && y && strcmp(x->build_id, y->build_id))
		return refuse(a, b, "they are of two programs", "a golden run is made by the very same build; record it again", why);
	if (trace_order(a) != trace_order(b))
		return refuse(a, b, "one is of a steered run", "make both with 'raddle record', or both with 'raddle run --save-trace'", why);
	if (trace_level(a) != trace_level(b))
		return refuse(a, b, "they were recorded at two levels", "record both with the same '--level'", why);
	if ((trace_flags(a) | trace_flags(b)) & TRACE_LAST)
		return refuse(a, b, "of one the beginning is missing", "record it without '--last'", why);
	return 0;
}

/* ---- words ---- */

static const char *value_of(const struct canon *c, const struct canon_lane *lane, size_t at, char *into, size_t room)
{
	if (at >= lane->count)
		return "(ended)";
	return canon_say(c, lane, at, into, room);
}

/* Its number in the thread, from 1. */
static uint64_t number_of(const struct canon_lane *lane, size_t at)
{
	return canon_count(lane, 0, at) + 1;
}

static const struct canon_event *event_of(const struct thread_diff *t)
{
	const struct canon_lane *lane = t->other && t->at_other < t->other->count ? t->other : t->golden;
	size_t at = lane == t->other ? t->at_other : t->at_golden;
	return lane && at < lane->count ? canon_at(lane, at) : NULL;
}

static bool is_at_end(const struct canon_lane *lane, size_t at)
{
	return !lane || at >= lane->count;
}

/* What a thread no longer does, or that it is not there, in what is left of a damaged trace is no deviation of the run. */
static const char *kind_of(const struct diff *d, const struct thread_diff *t)
{
	bool cut = (trace_salvaged(d->other->trace) && is_at_end(t->other, t->at_other)) || (trace_salvaged(d->golden->trace) && is_at_end(t->golden, t->at_golden));
	return cut ? "cut" : deviation_words[t->first];
}

static uint32_t count_cut(const struct diff *d)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < d->thread_count; i++)
		count += d->threads[i].first && !strcmp(kind_of(d, &d->threads[i]), "cut");
	return count;
}

static void say_where(const struct diff *d, const struct thread_diff *t)
{
	char where[256] = "";
	const struct canon_event *e = event_of(t);
	if (e)
		book_where(d->other->book, e->place, where, sizeof where);
	printf("%s%s%s: %s", where, *where ? ": " : "", t->path, kind_of(d, t));
}

static void say_thread(const struct diff *d, const struct thread_diff *t)
{
	char a[2 * NAME_ROOM], b[2 * NAME_ROOM], x[STR_NUMBER], y[STR_NUMBER];
	say_where(d, t);
	if (!strcmp(kind_of(d, t), "cut")) {
		const struct canon_lane *left = is_at_end(t->other, t->at_other) ? t->other : t->golden;
		uint64_t count = left ? canon_count(left, 0, left->count) : 0;
		printf(": %s event%s of this thread %s left of the trace that was cut\n", str_grouped(x, count), count == 1 ? "" : "s", count == 1 ? "is" : "are");
		return;
	}
	if (!t->golden || !t->other) {
		uint64_t count = t->deviating;
		printf(": only the %s run has this thread, with %s event%s\n", t->golden ? "golden" : "other", str_grouped(x, count),
			count == 1 ? "" : "s");
		return;
	}
	printf("\n  golden: %s\n  other:  %s\n", value_of(d->golden, t->golden, t->at_golden, a, sizeof a),
		value_of(d->other, t->other, t->at_other, b, sizeof b));
	printf("  event %s of this thread; %s deviate%s", str_grouped(x, number_of(t->other, t->at_other)), str_grouped(y, t->deviating),
		t->deviating == 1 ? "s" : "");
	if (t->parted)
		printf(", their ways part %s", t->parted == 1 ? "once" : str_grouped(x, t->parted));
	if (t->parted > 1)
		printf(" times");
	putchar('\n');
}

static void say_node(const struct spread *s, uint32_t node)
{
	char name[NAME_ROOM], where[256], n[STR_NUMBER];
	const struct spread_node *x = &s->nodes.at[node];
	book_where(s->diff->other->book, x->place, where, sizeof where);
	printf("  %s%s%s%s: %s, ", where, *where ? ": " : "", spread_name(s, node, name, sizeof name), x->origin ? " begins" : "",
		deviation_words[x->kind]);
	if (x->times == 1)
		printf("once");
	else
		printf("%s times", str_grouped(n, x->times));
	printf("%s\n", x->converged ? ", right again later" : "");
}

static void say_edge(const struct spread *s, const struct spread_edge *e)
{
	char name[NAME_ROOM], n[STR_NUMBER];
	printf("    -> %s, %s%s, %s event%s later\n", spread_name(s, e->to, name, sizeof name), e->by == BY_MEMORY ? "through memory" : "in the thread",
		e->crosses ? " from thread to thread" : "", str_grouped(n, e->after), e->after == 1 ? "" : "s");
}

/* Each node with what it led to, as far as that fits a screen or two. */
static void say_spread(const struct spread *s)
{
	size_t said = 0;
	char n[STR_NUMBER];
	if (s->nodes.count)
		printf("how it went on:\n");
	for (uint32_t i = 0; i < s->nodes.count && said < EDGES_SAID; i++) {
		say_node(s, i);
		for (size_t k = 0; k < s->edges.count && said < EDGES_SAID; k++)
			if (s->edges.at[k].from == i) {
				say_edge(s, &s->edges.at[k]);
				said++;
			}
	}
	if (said < s->edges.count)
		printf("  ... %s more; '--json' and '--dot' have all\n", str_grouped(n, s->edges.count - said));
}

/* Memory that was read wrong though nobody wrote it wrong: the first such, if there is one. */
static const struct spread_node *unwritten(const struct spread *s)
{
	for (size_t i = 0; i < s->nodes.count; i++) {
		const struct spread_node *n = &s->nodes.at[i];
		enum named_kind what = s->diff->other->book->thing.at[n->thing].kind;
		bool read = n->event == EV_READ || n->event == EV_ALOAD || n->event == EV_RMW || n->event == EV_CAS || n->event == EV_LIBREAD;
		if (n->origin && n->kind == DEV_DATA && read && (what == NAMED_GLOBAL || what == NAMED_HEAP || what == NAMED_MAP || what == NAMED_STACK))
			return n;
	}
	return NULL;
}

/* A deviation that no fault need have made. */
static void say_doubt(const struct spread *s)
{
	char name[NAME_ROOM];
	const struct spread_node *n = unwritten(s);
	if (n)
		printf("note: nobody wrote wrong what '%s' read: threads came in another order ('raddle determinism' tells), it was not initialised, or the fault is there\n",
			spread_name(s, (uint32_t)(n - s->nodes.at), name, sizeof name));
}

static void say_cut(const struct trace *t)
{
	if (trace_salvaged(t))
		printf("note: '%s' was cut: %s\n", trace_path(t), trace_salvaged(t));
}

static void say_all(const struct diff *d, const struct thread_diff **sorted, const struct spread *spread)
{
	char n[STR_NUMBER];
	uint32_t cut = count_cut(d), deviating = d->deviating - cut;
	for (uint32_t i = 0; i < d->deviating; i++)
		say_thread(d, sorted[i]);
	say_spread(spread);
	say_doubt(spread);
	if (d->end)
		printf(d->end == DEV_LEFT_SCHEDULE ? "the other run left its schedule\n" : "the other run ended in a %s\n", deviation_words[d->end]);
	say_cut(d->golden->trace);
	say_cut(d->other->trace);
	if (!d->deviating)
		printf("no deviation in %s events of %" PRIu32 " threads\n", str_grouped(n, d->other->events), d->thread_count);
	else
		printf("%" PRIu32 " of %" PRIu32 " threads deviate%s", deviating, d->thread_count, deviating == 1 ? "s" : "");
	if (cut)
		printf(", %" PRIu32 " %s cut: behind that nothing is known", cut, cut == 1 ? "was" : "were");
	if (d->deviating)
		putchar('\n');
}

/* ---- JSON ---- */

static void json_event(struct json *j, const char *key, const struct canon *c, const struct canon_lane *lane, size_t at)
{
	char words[2 * NAME_ROOM], name[NAME_ROOM];
	json_key(j, key);
	if (!lane || at >= lane->count) {
		json_text(j, NULL);
		return;
	}
	const struct canon_event *e = canon_at(lane, at);
	json_object(j);
	json_put_number(j, "event", number_of(lane, at));
	json_put_text(j, "kind", canon_word(e));
	json_put_text(j, "object", book_name(c->book, e->thing, e->offset, 0, name, sizeof name));
	json_put_text(j, "value", e->flags & CANON_HAS_VALUE ? book_name(c->book, e->points_to, e->value, e->size, name, sizeof name) : NULL);
	json_put_text(j, "text", canon_say(c, lane, at, words, sizeof words));
	json_end(j, '}');
}

static void json_thread(struct json *j, const struct diff *d, const struct thread_diff *t)
{
	const struct canon_event *e = event_of(t);
	const struct named_place *p = &d->other->book->place.at[e ? e->place : 0];
	json_object(j);
	json_put_text(j, "type", "deviation");
	json_put_text(j, "thread", t->path);
	json_put_text(j, "kind", kind_of(d, t));
	json_put_text(j, "file", book_say(d->other->book, p->file));
	json_put_number(j, "line", p->line);
	json_put_text(j, "function", book_say(d->other->book, p->function));
	json_put_text(j, "variable", book_say(d->other->book, p->variable));
	json_event(j, "golden", d->golden, t->golden, t->at_golden);
	json_event(j, "other", d->other, t->other, t->at_other);
	json_put_number(j, "deviating", t->deviating);
	json_put_number(j, "parted", t->parted);
	json_end(j, '}');
	json_line(j);
}

static void json_node(struct json *j, const struct spread *s, uint32_t node)
{
	char name[NAME_ROOM];
	const struct spread_node *x = &s->nodes.at[node];
	const struct names_book *b = s->diff->other->book;
	json_object(j);
	json_put_text(j, "type", "node");
	json_put_number(j, "node", node);
	json_put_text(j, "thread", s->diff->threads[x->thread].path);
	json_put_text(j, "name", spread_name(s, node, name, sizeof name));
	json_put_text(j, "kind", deviation_words[x->kind]);
	json_put_text(j, "file", book_say(b, b->place.at[x->place].file));
	json_put_number(j, "line", b->place.at[x->place].line);
	json_put_number(j, "times", x->times);
	json_put_number(j, "converged", x->converged);
	json_put_bool(j, "origin", x->origin);
	json_end(j, '}');
	json_line(j);
}

static void json_edge(struct json *j, const struct spread_edge *e)
{
	json_object(j);
	json_put_text(j, "type", "edge");
	json_put_number(j, "from", e->from);
	json_put_number(j, "to", e->to);
	json_put_text(j, "by", e->by == BY_MEMORY ? "memory" : "thread");
	json_put_bool(j, "crosses", e->crosses);
	json_put_number(j, "after", e->after);
	json_put_number(j, "times", e->times);
	json_end(j, '}');
	json_line(j);
}

static void json_all(const struct diff *d, const struct thread_diff **sorted, const struct spread *spread)
{
	struct json j;
	json_init(&j, stdout);
	for (uint32_t i = 0; i < d->deviating; i++)
		json_thread(&j, d, sorted[i]);
	for (uint32_t i = 0; i < spread->nodes.count; i++)
		json_node(&j, spread, i);
	for (size_t i = 0; i < spread->edges.count; i++)
		json_edge(&j, &spread->edges.at[i]);
	json_summary(&j, stdout);
	json_put_text(&j, "command", "diff");
	json_put_text(&j, "golden", trace_path(d->golden->trace));
	json_put_text(&j, "other", trace_path(d->other->trace));
	json_put_number(&j, "threads", d->thread_count);
	json_put_number(&j, "deviating", d->deviating - count_cut(d));
	json_put_number(&j, "cut", count_cut(d));
	json_put_text(&j, "end", d->end ? deviation_words[d->end] : NULL);
	json_summary_end(&j);
}

/* ---- the command ---- */

static int write_dot(const struct spread *s, const char *path, struct err *why)
{
	struct output out;
	if (output_open(&out, path, FILE_REPORT, why) < 0)
		return -1;
	spread_dot(s, out.file);
	return output_close(&out, true, false, why);
}

static int write_html(const struct spread *s, const char *path, struct err *why)
{
	struct output out;
	struct picture p;
	const struct diff *d = s->diff;
	if (output_open(&out, path, FILE_REPORT, why) < 0)
		return -1;
	spread_picture(s, &p);
	struct picture_page page = { .golden = trace_path(d->golden->trace), .other = trace_path(d->other->trace), .threads = d->thread_count, .deviating = d->deviating,
		.end = d->end ? deviation_words[d->end] : "", .version = RADDLE_VERSION, .picture = &p };
	const struct thread_diff **sorted = diff_sorted(d);
	for (uint32_t i = 0; i < d->deviating; i++) {
		char a[2 * NAME_ROOM] = "", b[2 * NAME_ROOM] = "", where[256] = "";
		const struct thread_diff *t = sorted[i];
		const struct canon_event *e = event_of(t);
		if (e)
			book_where(d->other->book, e->place, where, sizeof where);
		picture_page_thread(&page, where, t->path, kind_of(d, t), t->golden ? value_of(d->golden, t->golden, t->at_golden, a, sizeof a) : "(no such thread)",
			t->other ? value_of(d->other, t->other, t->at_other, b, sizeof b) : "(no such thread)");
	}
	picture_page_html(&page, out.file);
	picture_page_release(&page);
	mem_free(sorted);
	picture_release(&p);
	return output_close(&out, true, false, why);
}

static int compare(struct side *golden, struct side *other, struct names_book *book, const struct options *o, struct err *why)
{
	struct diff d;
	if (canon_make_both(&golden->canon, golden->trace, &other->canon, other->trace, book, why) < 0)
		return -1;
	diff_make(&d, &golden->canon, &other->canon);
	const struct thread_diff **sorted = diff_sorted(&d);
	struct spread spread;
	spread_make(&spread, &d);
	(o->json ? json_all : say_all)(&d, sorted, &spread);
	uint32_t cut = count_cut(&d);
	int found = d.deviating > cut ? 1 : cut ? 4 : 0, written = say_flush(why);
	if (written == 0 && o->dot)
		written = write_dot(&spread, o->dot, why);
	if (written == 0 && o->html)
		written = write_html(&spread, o->html, why);
	spread_release(&spread);
	mem_free(sorted);
	diff_release(&d);
	return written < 0 ? written : found;
}

/* Of two traces, what is missing may be either. */
static int open_one(struct trace **out, const char *path, const struct trace_options *options, struct err *why)
{
	if (trace_open(out, path, options, why) == 0)
		return 0;
	if (access(path, F_OK) < 0)
		err_hint(why, "'raddle record -o <golden>' makes the trace without a fault, 'raddle inject' (or 'campaign --repeat') the one with it");
	return -1;
}

static int run(const void *given, char **operands, struct err *why)
{
	const struct options *o = given;
	const struct trace_options options = { .salvage = o->salvage };
	struct side golden = { 0 }, other = { 0 };
	struct names_book book;
	if ((o->dot && file_writable(o->dot, why) < 0) || (o->html && file_writable(o->html, why) < 0)) {
		why->code = 2;
		return -1;
	}
	book_open(&book);
	int got = open_one(&golden.trace, operands[0], &options, why);
	if (got == 0)
		got = open_one(&other.trace, operands[1], &options, why);
	if (got == 0)
		got = check_pair(golden.trace, other.trace, why);
	if (got == 0)
		got = compare(&golden, &other, &book, o, why);
	canon_release(&golden.canon);
	canon_release(&other.canon);
	trace_close(golden.trace);
	trace_close(other.trace);
	book_close(&book);
	return got;
}

#define AT(field) offsetof(struct options, field)
static const struct option list[] = {
	{ 0, "json", OPTION_FLAG, AT(json), NULL, "one object per line, see raddle-json(5)", NULL, 0, 0 },
	{ 0, "dot", OPTION_TEXT, AT(dot), "file", "write how it went on as a graph, for Graphviz", NULL, 0, 0 },
	{ 0, "html", OPTION_TEXT, AT(html), "file", "write the same as a page with a picture", NULL, 0, 0 },
	{ 0, "salvage", OPTION_FLAG, AT(salvage), NULL, "use the sound part of a damaged trace", NULL, 0, 0 },
	OPTION_MEMORY, OPTION_HELP, OPTION_LAST
};
static const struct options defaults;

const struct command command_diff = { "faults", "diff", "<golden> <other>", "Say where two runs of one program part, thread by thread.",
	STYLE_PLAIN, list, &defaults, sizeof defaults, 2, 2,
	"<golden> and <other> are traces of the same build.    Example: raddle diff golden.trace faulty.trace\n"
	"Threads are compared by the path they were created on, memory by who made it where; addresses and schedules do not count.\n"
	"Exit: 0 no deviation, 1 they deviate, 2 bad command line, 3 bad input, 4 interrupted, or a trace was cut and what is left does not deviate.", run, false };
