/* report/coverage_html.c -- what faults came to as one page that needs nothing else: bars with intervals by program and type, a map over source lines
 * (coverage_heat.c), how some faults went on (picture_svg.c), all of them as a table that can be filtered (coverage_table.c).
 * Names of the program are escaped wherever they stand.  Without scripts all but the table can be read. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/interval.h"
#include "base/str.h"
#include "report/coverage_inside.h"
#include "report/escape.h"
#include "report/html_inside.h"
#include "report/picture_page.h"

uint32_t coverage_text(struct coverage *c, const char *text)
{
	return names_put(&c->texts, text, strlen(text));
}

void coverage_release(struct coverage *c)
{
	for (size_t i = 0; i < c->programs.count; i++) {
		struct coverage_program *p = &c->programs.at[i];
		for (size_t k = 0; k < p->shown.count; k++)
			picture_release(&p->shown.at[k].picture);
		vec_release(&p->faults);
		vec_release(&p->shown);
	}
	vec_release(&c->programs);
	names_release(&c->texts);
}

/* ---- counting ---- */

static void count_in(struct coverage_count *n, const struct coverage_fault *f)
{
	n->all++;
	n->by[f->outcome]++;
}

static uint64_t deviating(const struct coverage_count *n)
{
	uint64_t sum = 0;
	for (unsigned o = COVERAGE_DEVIATES; o < COVERAGE_OUTCOMES; o++)
		sum += n->by[o];
	return sum;
}

/* Types in the order in which they first come. */
struct by_type { uint32_t type; struct coverage_count count; };
struct types { struct by_type *at; size_t count, room; };       /* a VEC */

static void count_types(struct types *t, const struct coverage_program *p)
{
	for (size_t i = 0; i < p->faults.count; i++) {
		size_t k = 0;
		while (k < t->count && t->at[k].type != p->faults.at[i].type)
			k++;
		if (k == t->count)
			vec_push(t, ((struct by_type){ .type = p->faults.at[i].type }));
		count_in(&t->at[k].count, &p->faults.at[i]);
	}
}

/* ---- bars ---- */

void coverage_stack(FILE *to, const struct coverage *c, const struct coverage_count *n)
{
	char number[STR_NUMBER];
	for (unsigned o = COVERAGE_OUTCOMES; o-- > 0;)
		if (n->by[o])
			fprintf(to, "<i class=o%u style=\"width:%.3f%%\" title=\"%s: %s\"></i>", o, 100.0 * (double)n->by[o] / (double)n->all, c->outcomes[o],
				str_grouped(number, n->by[o]));
}

static void one_bar(FILE *to, const struct coverage *c, const struct by_type *t)
{
	char number[STR_NUMBER];
	struct interval v = wilson(deviating(&t->count), t->count.all);
	fputs("<tr><th scope=row>", to);
	escape_xml(to, names_text(&c->texts, t->type));
	fputs("</th><td class=barcell><div class=stack>", to);
	coverage_stack(to, c, &t->count);
	fprintf(to, "<b class=ci style=\"left:%.3f%%;width:%.3f%%\" title=\"95 %% interval of the share that deviates: %.1f to %.1f %%\"></b></div></td>", 100 * v.low,
		100 * (v.high - v.low), 100 * v.low, 100 * v.high);
	fprintf(to, "<td class=num>%.1f %% <span class=sub>[%.1f, %.1f]</span></td><td class=num>%s</td></tr>\n", 100 * v.share, 100 * v.low, 100 * v.high,
		str_grouped(number, t->count.all));
}

static void one_share(FILE *to, unsigned outcome, const struct coverage_count *n)
{
	struct interval v = wilson(n->by[outcome], n->all);
	if (!n->by[outcome]) {
		fprintf(to, "<td class=\"num none\">0 <span class=sub>[0, %.1f]</span></td>", 100 * v.high);
		return;
	}
	fprintf(to, "<td class=num>%.1f %% <span class=sub>[%.1f, %.1f]</span><div class=span><b class=o%u style=\"left:%.2f%%;width:%.2f%%\"></b>"
		"<i style=\"left:%.2f%%\"></i></div></td>", 100 * v.share, 100 * v.low, 100 * v.high, outcome, 100 * v.low, 100 * (v.high - v.low), 100 * v.share);
}

static void shares(FILE *to, const struct coverage *c, const struct types *t)
{
	fputs("<details class=more><summary>each outcome, with its interval</summary><div class=scroll tabindex=0><table class=shares><thead><tr><th></th>", to);
	for (unsigned o = 0; o < COVERAGE_OUTCOMES; o++)
		fprintf(to, "<th scope=col><i class=\"dot o%u\"></i>%s</th>", o, c->outcomes[o]);
	fputs("</tr></thead><tbody>\n", to);
	for (size_t i = 0; i < t->count; i++) {
		fputs("<tr><th scope=row>", to);
		escape_xml(to, names_text(&c->texts, t->at[i].type));
		fputs("</th>", to);
		for (unsigned o = 0; o < COVERAGE_OUTCOMES; o++)
			one_share(to, o, &t->at[i].count);
		fputs("</tr>\n", to);
	}
	fputs("</tbody></table></div></details>\n", to);
}

/* How late it was found out: the middle one and the latest. */
static int compare_signed(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

typedef VEC(int64_t) measures;

static void latency(FILE *to, const struct coverage_program *p)
{
	measures events = { 0 }, time = { 0 };
	char a[STR_NUMBER], b[STR_NUMBER];
	for (size_t i = 0; i < p->faults.count; i++) {
		if (p->faults.at[i].latency >= 0)
			vec_push(&events, p->faults.at[i].latency);
		if (p->faults.at[i].latency_us >= 0)
			vec_push(&time, p->faults.at[i].latency_us);
	}
	if (events.count) {
		qsort(events.at, events.count, sizeof *events.at, compare_signed);
		fprintf(to, "<p class=sub>Detected after %s instructions of all threads (median), %s at most", str_grouped(a, (uint64_t)events.at[events.count / 2]),
			str_grouped(b, (uint64_t)events.at[events.count - 1]));
	}
	if (events.count && time.count) {
		qsort(time.at, time.count, sizeof *time.at, compare_signed);
		fprintf(to, "; after %.3f ms of the recorded run, %.3f at most", (double)time.at[time.count / 2] / 1000, (double)time.at[time.count - 1] / 1000);
	}
	fputs(events.count ? ".</p>\n" : "", to);
	vec_release(&events);
	vec_release(&time);
}

static void one_program(FILE *to, const struct coverage *c, const struct coverage_program *p)
{
	struct types t = { 0 };
	char n[STR_NUMBER], m[STR_NUMBER];
	count_types(&t, p);
	fputs("<section class=program><h3>", to);
	escape_xml(to, p->name);
	fputs("</h3><p class=sub>", to);
	escape_xml(to, p->about);
	fputs("</p>\n", to);
	if (p->cut_off)
		fprintf(to, "<p class=gave><b>Not complete</b>: %s of %s faults have an outcome; all shares are of these.</p>\n",
			str_grouped(n, p->faults.count + p->failed), str_grouped(m, p->drawn));
	else if (p->faults.count < p->drawn)
		fprintf(to, "<p class=gave>%s of the list have no outcome.</p>\n", str_grouped(n, p->drawn - p->faults.count));
	if (p->early)
		fprintf(to, "<p class=gave>%s deviated before the fault: the program is not the same each time.</p>\n", str_grouped(n, p->early));
	if (p->failed)
		fprintf(to, "<p class=gave>%s could not be tried; <code>--csv</code> says why.</p>\n", str_grouped(n, p->failed));
	fputs("<table class=bars><thead><tr><th></th><th class=barcell><div class=axis><span>0 %</span><span>50</span><span>100 %</span></div></th><th class=num>deviates</th>"
		"<th class=num>faults</th></tr></thead><tbody>\n", to);
	for (size_t i = 0; i < t.count; i++)
		one_bar(to, c, &t.at[i]);
	fputs("</tbody></table>\n", to);
	if (*p->masked) {
		fputs("<p class=sub>Why nothing came of those masked: ", to);
		escape_xml(to, p->masked);
		fputs(".</p>\n", to);
	}
	shares(to, c, &t);
	latency(to, p);
	fputs("</section>\n", to);
	vec_release(&t);
}

static void legend(FILE *to, const struct coverage *c)
{
	fputs("<p class=legend>", to);
	for (unsigned o = COVERAGE_OUTCOMES; o-- > 0;)
		fprintf(to, "<span class=key><i class=\"dot o%u\"></i>%s</span>", o, c->outcomes[o]);
	fputs("<span class=key><b class=\"ci sample\"></b>95 % interval (Wilson) of the share in which something deviated</span></p>\n", to);
}

/* ---- pictures ---- */

static const struct coverage_fault *fault_of(const struct coverage_program *p, uint64_t id)
{
	for (size_t i = 0; i < p->faults.count; i++)
		if (p->faults.at[i].id == id)
			return &p->faults.at[i];
	return NULL;
}

static void one_picture(FILE *to, const struct coverage *c, size_t program, const struct coverage_shown *s, bool open)
{
	const struct coverage_program *p = &c->programs.at[program];
	const struct coverage_fault *f = fault_of(p, s->id);
	char n[STR_NUMBER];
	if (!f)
		return;
	fprintf(to, "<details class=\"finding shown\" id=\"p%zu-%" PRIu64 "\"%s><summary><span class=\"badge b%u\">%s</span><span class=where>", program, s->id, open ? " open" : "",
		f->outcome, c->outcomes[f->outcome]);
	escape_xml(to, names_text(&c->texts, f->file));
	fprintf(to, ":%" PRIu32 "</span><span class=msg>", f->line);
	escape_xml(to, names_text(&c->texts, f->fault));
	fputs(" at ", to);
	escape_xml(to, names_text(&c->texts, f->site));
	fputs(" in ", to);
	escape_xml(to, p->name);
	fprintf(to, ", fault %" PRIu64 "</span></summary><div class=body>\n<div class=\"scroll paper\" tabindex=0>", s->id);
	if (s->picture.nodes.count)
		picture_svg(&s->picture, to);
	else
		fputs("<p class=none>No variable was wrong: the runs differ in calls, ways or how they end. The table says where first.</p>", to);
	fputs("</div>\n", to);
	if (s->picture.nodes.count < s->picture.all_nodes)
		fprintf(to, "<p class=sub>The first %zu of %s; <code>raddle diff --json</code> has all.</p>\n", s->picture.nodes.count, str_grouped(n, s->picture.all_nodes));
	fputs("<pre class=cmd>", to);
	escape_xml(to, p->again);
	fprintf(to, "%" PRIu64, s->id);
	escape_xml(to, p->again_end);
	fputs("</pre></div></details>\n", to);
}

static void pictures(FILE *to, const struct coverage *c)
{
	bool any = false;
	for (size_t i = 0; i < c->programs.count; i++)
		any |= c->programs.at[i].shown.count > 0;
	if (!any)
		return;
	fputs("<h2>How it went on</h2>\n", to);
	picture_legend(to);
	picture_marks(to);
	bool first = true;
	for (size_t i = 0; i < c->programs.count; i++)
		for (size_t k = 0; k < c->programs.at[i].shown.count; k++, first = false)
			one_picture(to, c, i, &c->programs.at[i].shown.at[k], first);
}

/* ---- around them ---- */

static void tiles(FILE *to, const struct coverage *c)
{
	struct coverage_count n = { 0 };
	char number[STR_NUMBER];
	for (size_t i = 0; i < c->programs.count; i++)
		for (size_t k = 0; k < c->programs.at[i].faults.count; k++)
			count_in(&n, &c->programs.at[i].faults.at[k]);
	fprintf(to, "<ul class=tiles><li><b>%s</b><span>fault%s</span></li>", str_grouped(number, n.all), n.all == 1 ? "" : "s");
	for (unsigned o = COVERAGE_OUTCOMES; o-- > 0;)
		if (n.by[o])
			fprintf(to, "<li><b>%s</b><span><i class=\"dot o%u\"></i>%s</span></li>", str_grouped(number, n.by[o]), o, c->outcomes[o]);
	fputs("</ul>\n", to);
}

static void names(FILE *to, const struct coverage *c)
{
	for (size_t i = 0; i < c->programs.count && i < 8; i++) {
		fputs(i ? ", " : "", to);
		escape_xml(to, c->programs.at[i].name);
	}
	if (c->programs.count > 8)
		fputs(", ...", to);
}

void coverage_html(const struct coverage *c, FILE *to)
{
	fputs("<!doctype html>\n<html lang=en><head><meta charset=utf-8>\n"
		"<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
		"<meta name=viewport content=\"width=device-width,initial-scale=1\">\n<title>raddle campaign: ", to);
	names(to, c);
	fprintf(to, "</title>\n<style>%s%s</style></head>\n<body class=faults><header><h1>raddle campaign: <code>", html_style, coverage_style);
	names(to, c);
	fprintf(to, "</code></h1>\n<p class=sub>raddle %s</p>\n", c->version);
	tiles(to, c);
	fputs("</header><main>\n<h2>Coverage</h2>\n", to);
	legend(to, c);
	for (size_t i = 0; i < c->programs.count; i++)
		one_program(to, c, &c->programs.at[i]);
	coverage_heat(to, c);
	pictures(to, c);
	coverage_table(to, c);
	fprintf(to, "</main>\n<script>%s</script></body></html>\n", coverage_script);
}
