/* cli/show.c -- raddle show: the events of a trace, in one order that contradicts nothing recorded. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyses/epa/canon.h"
#include "cli/command.h"
#include "cli/filter.h"
#include "cli/reading.h"
#include "cli/say.h"
#include "trace/event_words.h"
#include "trace/json.h"
#include "trace/text.h"

struct options {
	struct filter_options filter;
	bool text, json, canonical, salvage;
};

struct shower {
	const struct options *options;
	struct trace *trace;
	struct objects *objects;
	struct filter *filter;
	struct text_printer *printer;
	struct json json;
	uint64_t shown;
	int thread_width;
};

static int thread_width(const struct trace *t)
{
	size_t width = 6;
	for (uint32_t i = 0; i < trace_thread_count(t); i++) {
		size_t n = strlen(trace_thread(t, (struct thread_id){ i })->path);
		if (n > width)
			width = n;
	}
	return (int)(width < 24 ? width : 24);
}

static void show_line(struct shower *s, const struct event *ev, uint64_t number)
{
	char words[WORDS_ROOM], where[160];
	const char *function = place_function(s->trace, ev->place);
	bool placed = *place_own(ev->place)->file;
	place_short(ev->place, where, sizeof where);
	event_words(words, s->trace, s->objects, ev);
	printf("%s%8" PRIu64 "%s  %s%-*s%s  ", colour(COLOUR_DIM), number, colour(COLOUR_OFF), colour(COLOUR_CYAN), s->thread_width,
		trace_thread(s->trace, ev->thread)->path, colour(COLOUR_OFF));
	printf("%s%-*s%s", ev->kind == EV_FAILURE ? colour(COLOUR_RED) : "", placed || *function ? 44 : 0, words,
		ev->kind == EV_FAILURE ? colour(COLOUR_OFF) : "");
	if (placed)
		printf("  %s", where);
	if (*function && ev->kind != EV_ENTER && ev->kind != EV_LEAVE)         /* those name it already */
		printf("  %sin %s%s", colour(COLOUR_DIM), function, colour(COLOUR_OFF));
	putchar('\n');
}

static bool show_event(void *who, const struct event *ev, uint64_t number)
{
	struct shower *s = who;
	if (filter_done(s->filter, number) || ferror(stdout))
		return false;
	if (!filter_wants(s->filter, s->objects, ev, number))
		return true;
	s->shown++;
	if (s->options->text)
		text_print(s->printer, ev);
	else if (s->options->json)
		event_json(&s->json, s->trace, s->objects, ev, number);
	else
		show_line(s, ev, number);
	return true;
}

static void show_summary(struct shower *s)
{
	struct json *j = &s->json;
	json_object(j);
	json_put_number(j, "schema", 1);
	json_key(j, "summary");
	json_object(j);
	json_put_text(j, "command", "show");
	json_put_text(j, "trace", trace_path(s->trace));
	json_put_text(j, "order", trace_order(s->trace) == ORDER_TOTAL ? "total" : "per-object");
	json_put_number(j, "shown", s->shown);
	json_end(j, '}');
	json_end(j, '}');
	json_line(j);
}

static int show(struct shower *s, struct err *why)
{
	static char buffer[1 << 18];
	setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
	if (!s->options->text && !s->options->json)
		pager_begin();
	s->thread_width = thread_width(s->trace);
	json_init(&s->json, stdout);
	if (s->options->text)
		s->printer = text_printer_open(s->trace, stdout);
	int got = read_events(s->trace, s->objects, show_event, s, why);
	text_printer_close(s->printer, got == 0);
	if (got == 0 && s->options->json)
		show_summary(s);
	bool named = s->options->filter.place || s->options->filter.object;     /* what may have been mistyped */
	if (got == 0 && !s->shown && named && !s->options->json)
		say_note("no event of '%s' is what was asked for", trace_path(s->trace));
	return got > 0 ? 4 : got;
}

/* ---- --canonical ---- */

/* Thread by thread: between threads there is no order that two runs have in common. */
static void show_canon(const struct canon *c)
{
	char words[2048], where[256];
	for (uint32_t i = 0; i < c->lane_count; i++) {
		const struct canon_lane *lane = &c->lanes[i];
		for (size_t k = 0; k < lane->count && !ferror(stdout); k += canon_span(lane, k)) {
			book_where(c->book, canon_at(lane, k)->place, where, sizeof where);
			printf("%s  %s%s%s\n", lane->path, canon_say(c, lane, k, words, sizeof words), *where ? "  " : "", where);
		}
	}
}

static int show_canonical(struct trace *t, struct err *why)
{
	static char buffer[1 << 18];
	struct names_book book;
	struct canon canon;
	setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
	book_open(&book);
	int got = canon_make(&canon, t, &book, NULL, why);
	if (got == 0) {
		pager_begin();
		show_canon(&canon);
		canon_release(&canon);
		got = say_flush(why);
	}
	book_close(&book);
	return got;
}

static bool narrows(const struct filter_options *f)
{
	return f->thread || f->kind || f->place || f->range || f->object;
}

static int excluded(const char *one, const char *other, struct err *why)
{
	err_set(why, "'%s' and '%s' exclude each other", one, other);
	why->code = 2;
	return -1;
}

static int run(const void *given, char **operands, struct err *why)
{
	struct shower s = { .options = given };
	if (s.options->canonical && (s.options->text || s.options->json))
		return excluded("--canonical", s.options->text ? "--text" : "--json", why);
	if (s.options->canonical && narrows(&s.options->filter)) {
		err_set(why, "'--canonical' shows all events: '--thread', '--kind', '--place', '--range' and '--object' do not go with it");
		why->code = 2;
		return -1;
	}
	if (s.options->text && s.options->json)
		return excluded("--text", "--json", why);
	if (filter_check(&s.options->filter, why) < 0 || open_trace(&s.trace, operands, s.options->salvage, why) < 0)
		return -1;
	if (s.options->canonical) {
		int shown = show_canonical(s.trace, why);
		trace_close(s.trace);
		return shown;
	}
	s.objects = objects_new(s.trace);
	int got = filter_new(&s.filter, &s.options->filter, s.trace, why);
	if (got == 0)
		got = show(&s, why);
	fflush(stdout);
	filter_free(s.filter);
	objects_free(s.objects);
	trace_close(s.trace);
	return got;
}

#define AT(field) offsetof(struct options, field)
static const struct option list[] = {
	{ 0, "thread", OPTION_TEXT, AT(filter.thread), "list", "only threads of these paths or names", NULL, 0, 0 },
	{ 0, "kind", OPTION_TEXT, AT(filter.kind), "list",
		"only these kinds (r, w, lock, ...) or classes (memory, lock, ...)", NULL, 0, 0 },
	{ 0, "place", OPTION_TEXT, AT(filter.place), "file[:line]", "only what the code there did", NULL, 0, 0 },
	{ 0, "range", OPTION_TEXT, AT(filter.range), "first:last", "only events of these numbers", NULL, 0, 0 },
	{ 0, "object", OPTION_TEXT, AT(filter.object), "name|0x...", "only what touches this variable, lock or address", NULL, 0, 0 },
	{ 0, "text", OPTION_FLAG, AT(text), NULL, "print the text twin, which every reader accepts", NULL, 0, 0 },
	{ 0, "json", OPTION_FLAG, AT(json), NULL, "one object per line, see raddle-json(5)", NULL, 0, 0 },
	{ 0, "canonical", OPTION_FLAG, AT(canonical), NULL, "by names every run has, thread by thread: deterministic runs print the same", NULL, 0, 0 },
	{ 0, "salvage", OPTION_FLAG, AT(salvage), NULL, "use the sound part of a damaged trace", NULL, 0, 0 },
	OPTION_MEMORY, OPTION_HELP, OPTION_LAST
};
static const struct options defaults;

const struct command command_show = { "record", "show", "[<trace>]", "Print the events of a trace, one a line.",
	STYLE_PLAIN, list, &defaults, sizeof defaults, 0, 1,
	"<trace> defaults to ./run.trace, as written by 'raddle record'.    Example: raddle show --kind=lock --thread=T_0_1\n"
	"In a native run the order across threads is one that fits what was recorded, not more.\n"
	"Exit: 0 shown, 2 bad command line, 3 bad input, 4 interrupted or could not write.", run, false };
