/* report/html.c -- findings as one page that needs nothing else: no network, no other file; light and dark.
 * A head that sums up, a bar to filter by, and each finding as <details>: the order as swim lanes (html_lanes.c), the source beside
 * them (html_source.c), each thread's part, how to replay it.  Names of the program are escaped wherever they stand. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "report/escape.h"
#include "report/html_inside.h"
#include "report/words.h"

void html_text(struct page *p, const char *text)
{
	escape_xml(p->to, text);
}

static void put_words(struct page *p)
{
	if (p->words.count)
		html_text(p, (const char *)p->words.at);
	p->words.count = 0;
}

/* ---------------------------------------------------------------- one finding */

static void summary(struct page *p, const struct finding *f)
{
	char at[FINDING_PLACE_ROOM];
	fprintf(p->to, "<summary><span class=\"badge %s\">%s</span>", finding_status_word(f->status), finding_status_word(f->status));
	if (f->known)
		fputs("<span class=\"badge known\">known</span>", p->to);
	fputs("<span class=where>", p->to);
	html_text(p, f->places.count ? finding_where(&f->places.at[0].at, at) : "");
	fputs("</span><span class=msg>", p->to);
	words_message(&p->words, f);
	put_words(p);
	fputs("</span></summary>\n", p->to);
}

static void one_place(struct page *p, const struct finding *f, const struct lanes *l, const struct finding_place *place)
{
	char at[FINDING_PLACE_ROOM];
	fprintf(p->to, "<div class=place style=\"--c:var(--l%u)\">", lane_of(l, place->thread) % HTML_COLOURS);
	words_place(&p->words, f, place);
	put_words(p);
	if (place->stack.count || *place->made_by)
		fputs("<ul>", p->to);
	for (size_t i = 0; i < place->stack.count; i++) {
		const struct finding_spot *s = &place->stack.at[i];
		buffer_print(&p->words, "from %s", *s->function ? s->function : "an unknown function");
		if (s->line)
			buffer_print(&p->words, " at %s", finding_where(s, at));
		fputs("<li>", p->to);
		put_words(p);
	}
	if (*place->made_by) {
		fputs("<li>", p->to);
		words_maker(&p->words, place);
		put_words(p);
	}
	fputs(place->stack.count || *place->made_by ? "</ul></div>\n" : "</div>\n", p->to);
}

static void facts(struct page *p, const struct finding *f)
{
	fputs("<p>", p->to);
	words_status(&p->words, f);
	put_words(p);
	if (*f->effect_text) {
		buffer_print(&p->words, ": %s", f->effect_text);
		put_words(p);
	}
	fputs("</p>\n", p->to);
	if (strchr(f->rule, '\n')) {
		fputs("<pre class=cmd>", p->to);
		html_text(p, f->rule);
		fputs("</pre>\n", p->to);
	}
	words_memory(&p->words, f);
	if (p->words.count) {
		fputs("<p>memory: ", p->to);
		put_words(p);
		fputs("</p>\n", p->to);
	}
}

static void replay(struct page *p, const struct finding *f)
{
	if (*f->schedule) {
		fputs("<h2>Replay</h2>\n<pre class=cmd>raddle replay ", p->to);
		html_text(p, f->schedule);
		fputs("\nraddle replay --gdb ", p->to);
		html_text(p, f->schedule);
		fputs("</pre>\n", p->to);
	}
	fprintf(p->to, "<p class=sub>fingerprint <code>%s</code></p>\n", f->fingerprint);
}

static void one_finding(struct page *p, const struct finding *f, bool open)
{
	struct lanes l = { 0 };
	p->number++;
	lanes_of(&l, f);
	fprintf(p->to, "<details class=finding id=\"%s\" data-kind=\"%s\" data-status=\"%s\" data-words=\"", f->fingerprint,
		finding_kind_word(f->kind), finding_status_word(f->status));
	for (size_t i = 0; i < f->places.count; i++) {
		buffer_print(&p->words, "%s %s ", f->places.at[i].at.function, f->places.at[i].at.file);
		put_words(p);
	}
	fprintf(p->to, "\"%s>\n", open ? " open" : "");
	summary(p, f);
	fputs("<div class=body>", p->to);
	facts(p, f);
	fputs("<div class=pair><div>", p->to);
	html_lanes(p, f, &l);
	fputs("</div><div>", p->to);
	html_source(p, f, &l);
	fputs("</div></div>\n<h2>Threads</h2>\n<div class=places>\n", p->to);
	for (size_t i = 0; i < f->places.count; i++)
		one_place(p, f, &l, &f->places.at[i]);
	fputs("</div>\n", p->to);
	replay(p, f);
	fputs("</div></details>\n", p->to);
	lanes_release(&l);
}

/* ---------------------------------------------------------------- around them */

static void tile(struct page *p, uint64_t n, const char *one, const char *many)
{
	char number[STR_NUMBER];
	fprintf(p->to, "<li><b>%s</b><span>%s</span></li>\n", str_grouped(number, n), n == 1 ? one : many);
}

static void tiles(struct page *p)
{
#define K(name, word, said, many, count, text) { said, many },
	static const char *const words[][2] = { FINDING_KINDS(K) };
#undef K
	struct report_counts c;
	report_count(p->report, &c);
	fputs("<ul class=tiles>\n", p->to);
	for (int k = 0; k < FINDING_KIND_COUNT; k++)
		if (c.kinds[k])
			tile(p, c.kinds[k], words[k][0], words[k][1]);
	tile(p, c.status[FINDING_CONFIRMED], "confirmed", "confirmed");
	tile(p, c.status[FINDING_NOT_REPRODUCED], "not reproduced", "not reproduced");
	if (c.status[FINDING_SPECULATIVE])
		tile(p, c.status[FINDING_SPECULATIVE], "speculative", "speculative");
	tile(p, c.status[FINDING_INFEASIBLE], "infeasible", "infeasible");
	if (c.status[FINDING_PREDICTED])
		tile(p, c.status[FINDING_PREDICTED], "predicted, not run", "predicted, not run");
	if (c.suppressed)
		tile(p, c.suppressed, "suppressed", "suppressed");
	if (p->report->baseline) {
		tile(p, c.fresh, "new", "new");
		tile(p, c.known, "known", "known");
		tile(p, p->report->gone, "gone", "gone");
	}
	tile(p, p->report->events, "event", "events");
	fputs("</ul>\n", p->to);
}

static void box(struct page *p, const char *name, const char *value, const char *said)
{
	fprintf(p->to, "<label><input type=checkbox name=%s value=\"%s\" checked>%s</label>", name, value, said);
}

/* Only what there is to choose from; without scripts there is no bar. */
static void bar(struct page *p)
{
	bool kinds[FINDING_KIND_COUNT] = { 0 }, statuses[FINDING_STATUS_COUNT] = { 0 };
	for (size_t i = 0; i < p->report->findings->all.count; i++) {
		const struct finding *f = p->report->findings->all.at[i];
		if (report_lists(p->report, f))
			kinds[f->kind] = statuses[f->status] = true;
	}
	fputs("<div class=bar hidden><input type=search id=q placeholder=\"filter: words of file, function, variable, thread\" aria-label=filter>"
		"<fieldset aria-label=kinds>", p->to);
	for (int k = 0; k < FINDING_KIND_COUNT; k++)
		if (kinds[k])
			box(p, "kind", finding_kind_word((enum finding_kind)k), finding_kind_said((enum finding_kind)k));
	fputs("</fieldset><fieldset aria-label=status>", p->to);
	for (int s = 0; s < FINDING_STATUS_COUNT; s++)
		if (statuses[s])
			box(p, "status", finding_status_word((enum finding_status)s), finding_status_word((enum finding_status)s));
	fputs("</fieldset><span id=shown class=sub></span><button type=button id=open>open all</button>"
		"<button type=button id=close>close all</button></div>\n", p->to);
}

static void head(struct page *p)
{
	const struct report *r = p->report;
	fputs("<!doctype html>\n<html lang=en><head><meta charset=utf-8>\n"
		"<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
		"<meta name=viewport content=\"width=device-width,initial-scale=1\">\n<title>raddle ", p->to);
	html_text(p, r->command);
	fputs(": ", p->to);
	html_text(p, r->subject);
	fprintf(p->to, "</title>\n<style>%s</style></head>\n<body><header><h1>raddle ", html_style);
	html_text(p, r->command);
	fputs(": <code>", p->to);
	html_text(p, r->subject);
	fprintf(p->to, "</code></h1>\n<p class=sub>raddle %s, %.1f s</p>\n", r->version, r->seconds);
	if (r->gave_up) {
		fputs("<p class=gave>not all was looked at: ", p->to);
		html_text(p, r->gave_up);
		fputs("</p>\n", p->to);
	}
	tiles(p);
	fputs("</header><main>\n", p->to);
}

void report_html(const struct report *r, FILE *to)
{
	struct page p = { .to = to, .report = r };
	const struct finding *open = NULL;      /* the first bug, or whatever comes first */
	size_t listed = 0;
	for (size_t i = 0; i < r->findings->all.count; i++) {
		const struct finding *f = r->findings->all.at[i];
		listed += report_lists(r, f);
		if (report_lists(r, f) && (!open || (finding_is_bug(r, f) && !finding_is_bug(r, open))))
			open = f;
	}
	head(&p);
	if (listed)
		bar(&p);
	else
		fputs("<p class=none>There is nothing to show.</p>\n", to);
	for (size_t i = 0; i < r->findings->all.count; i++)
		if (report_lists(r, r->findings->all.at[i]))
			one_finding(&p, r->findings->all.at[i], r->findings->all.at[i] == open);
	fprintf(to, "</main><footer>Each step that shows a bug is marked; a bar in a lane is a lock that thread holds.</footer>\n"
		"<script>%s</script></body></html>\n", html_script);
	buffer_release(&p.words);
	sources_release(&p.sources);
}
