/* report/picture_page.c -- see picture_page.h. */
#include "report/picture_page.h"

#include <inttypes.h>
#include <string.h>

#include "base/str.h"
#include "report/coverage_inside.h"
#include "report/escape.h"
#include "report/html_inside.h"

static char *copied(const char *text)
{
	size_t bytes = strlen(text) + 1;
	return memcpy(mem_take(bytes), text, bytes);
}

void picture_page_thread(struct picture_page *p, const char *where, const char *path, const char *kind, const char *golden, const char *other)
{
	vec_push(&p->rows, ((struct picture_thread){ copied(where), copied(path), copied(kind), copied(golden), copied(other) }));
}

void picture_page_release(struct picture_page *p)
{
	for (size_t i = 0; i < p->rows.count; i++) {
		struct picture_thread *t = &p->rows.at[i];
		char *texts[] = { t->where, t->path, t->kind, t->golden, t->other };
		for (size_t k = 0; k < 5; k++)
			mem_free(texts[k]);
	}
	vec_release(&p->rows);
}

void picture_legend(FILE *to)
{
	fputs("<p class=sub>A box is a variable of a thread that was not what it is in the golden run; an arrow what carried it there.</p>\n"
		"<p class=legend><span class=key><i class=\"mark k-data\"></i>another value</span><span class=key><i class=\"mark k-address\"></i>another address</span>"
		"<span class=key><i class=\"mark k-control\"></i>another way</span><span class=key><i class=\"mark k-end\"></i>the end of a run or thread</span>"
		"<span class=key><i class=\"mark healed\"></i>right again later</span><span class=key><i class=\"line\"></i>through memory</span>"
		"<span class=key><i class=\"line inside\"></i>in the thread</span><span class=key><i class=\"line crosses\"></i>from thread to thread</span></p>\n", to);
}

static void rows(const struct picture_page *p, FILE *to)
{
	fputs("<h2>First deviations</h2>\n<div class=scroll tabindex=0><table class=rows><thead><tr><th>thread<th>where<th>kind<th>golden<th>other</tr></thead><tbody>\n", to);
	for (size_t i = 0; i < p->rows.count; i++) {
		const struct picture_thread *t = &p->rows.at[i];
		const char *texts[] = { t->path, t->where, t->kind, t->golden, t->other };
		fputs("<tr>", to);
		for (size_t k = 0; k < 5; k++) {
			fputs(k >= 3 ? "<td class=wrap><code>" : "<td>", to);
			escape_xml(to, texts[k]);
			fputs(k >= 3 ? "</code>" : "", to);
		}
		fputs("</tr>\n", to);
	}
	fputs("</tbody></table></div>\n", to);
}

void picture_page_html(const struct picture_page *p, FILE *to)
{
	char n[STR_NUMBER];
	fputs("<!doctype html>\n<html lang=en><head><meta charset=utf-8>\n"
		"<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
		"<meta name=viewport content=\"width=device-width,initial-scale=1\">\n<title>raddle diff: ", to);
	escape_xml(to, p->other);
	fprintf(to, "</title>\n<style>%s%s</style></head>\n<body class=faults><header><h1>raddle diff: <code>", html_style, coverage_style);
	escape_xml(to, p->golden);
	fputs("</code> and <code>", to);
	escape_xml(to, p->other);
	fprintf(to, "</code></h1>\n<p class=sub>raddle %s</p>\n<ul class=tiles><li><b>%" PRIu32 "</b><span>of %" PRIu32 " threads deviate</span></li>", p->version, p->deviating, p->threads);
	if (*p->end) {
		fputs("<li><b>", to);
		escape_xml(to, p->end);
		fputs("</b><span>ended the other run</span></li>", to);
	}
	fputs("</ul></header><main>\n", to);
	if (p->rows.count)
		rows(p, to);
	else
		fputs("<p class=none>No deviation.</p>\n", to);
	if (p->picture->nodes.count) {
		fputs("<h2>How it went on</h2>\n", to);
		picture_legend(to);
		picture_marks(to);
		fputs("<div class=\"scroll paper\" tabindex=0>", to);
		picture_svg(p->picture, to);
		fputs("</div>\n", to);
	}
	if (p->picture->nodes.count < p->picture->all_nodes)
		fprintf(to, "<p class=sub>The first %zu of %s; <code>--json</code> and <code>--dot</code> have all.</p>\n", p->picture->nodes.count, str_grouped(n, p->picture->all_nodes));
	fputs("</main></body></html>\n", to);
}
