/* report/coverage_heat.c -- the source with what faults in each line led to: how many, a bar of their outcomes, and the share of the harmful ones as heat.
 * Lines of files that are not here are listed without their text. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "report/coverage_inside.h"
#include "report/escape.h"
#include "report/source.h"

#define AROUND       2u         /* lines before and behind one that has faults */
#define LINES_MOST   4000u      /* with faults, of one file */
#define LINE_LONGEST 300u       /* bytes */

struct heat_line { uint32_t file, line; struct coverage_count count; };        /* file: in texts */
struct heat { struct heat_line *at; size_t count, room; };      /* a VEC */

static void gather(struct heat *h, const struct coverage *c)
{
	struct map index = { 0 };
	bool fresh;
	for (size_t i = 0; i < c->programs.count; i++)
		for (size_t k = 0; k < c->programs.at[i].faults.count; k++) {
			const struct coverage_fault *f = &c->programs.at[i].faults.at[k];
			uint64_t *at = map_put(&index, (uint64_t)f->file << 32 | f->line, &fresh);
			if (fresh) {
				*at = h->count;
				vec_push(h, ((struct heat_line){ .file = f->file, .line = f->line }));
			}
			h->at[*at].count.all++;
			h->at[*at].count.by[f->outcome]++;
		}
	map_release(&index);
}

static int compare_lines(const void *left, const void *right)
{
	const struct heat_line *a = left, *b = right;
	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	return (a->line > b->line) - (a->line < b->line);
}

/* Silent corruption, crash, hang and deadlock: what nobody noticed or nobody survived. */
static double harm(const struct coverage_count *n)
{
	return (double)(n->by[3] + n->by[5] + n->by[6] + n->by[7]) / (double)n->all;
}

static void source_text(FILE *to, const char *line)
{
	char shown[LINE_LONGEST + 4];
	fputs("<span class=code>", to);
	if (line && strlen(line) > LINE_LONGEST) {
		memcpy(shown, line, LINE_LONGEST);
		memcpy(shown + LINE_LONGEST, "...", 4);
		line = shown;
	}
	escape_xml(to, line ? line : "");
	fputs("</span></div>", to);
}

static void plain_line(FILE *to, uint32_t line, const char *text)
{
	fprintf(to, "<div><span class=no>%" PRIu32 "</span><span class=cnt></span><span class=\"stack mini empty\"></span>", line);
	source_text(to, text);
}

static void hot_line(FILE *to, const struct coverage *c, const struct heat_line *l, const char *text)
{
	char n[STR_NUMBER];
	fprintf(to, "<div class=heat tabindex=0 data-file=\"%" PRIu32 "\" data-line=\"%" PRIu32 "\" data-n=\"", l->file, l->line);
	for (unsigned o = 0; o < COVERAGE_OUTCOMES; o++)
		fprintf(to, "%s%" PRIu64, o ? "," : "", l->count.by[o]);
	fprintf(to, "\" style=\"--h:%.3f\"><span class=no>%" PRIu32 "</span><span class=cnt>%s</span><span class=\"stack mini\">", harm(&l->count), l->line,
		str_grouped(n, l->count.all));
	coverage_stack(to, c, &l->count);
	fputs("</span>", to);
	source_text(to, text);
}

static void one_file(FILE *to, const struct coverage *c, struct sources *s, const struct heat_line *first, const struct heat_line *end)
{
	const char *path = names_text(&c->texts, first->file);
	uint32_t file = source_file(s, path), next = 1;
	bool here = source_line(s, file, 1) != NULL;
	fputs("<div class=file>", to);
	escape_xml(to, *path ? path : "(unknown file)");
	fputs(here ? "</div>" : " <span class=sub>(not here)</span></div>", to);
	for (const struct heat_line *l = first; l < end && l < first + LINES_MOST; l++) {
		if (!l->line) {                         /* what the compiler made has none */
			hot_line(to, c, l, "(no line)");
			continue;
		}
		uint32_t from = l->line > AROUND ? l->line - AROUND : 1, last = l->line < UINT32_MAX - AROUND ? l->line + AROUND : l->line;
		if (here && from > next && next > 1)
			fputs("<div class=gap>...</div>", to);
		for (uint32_t line = from > next ? from : next; here && line < l->line && source_line(s, file, line); line++)
			plain_line(to, line, source_line(s, file, line));
		hot_line(to, c, l, here ? source_line(s, file, l->line) : NULL);
		uint32_t until = l + 1 < end && l[1].line - 1 < last ? l[1].line - 1 : last;
		for (next = l->line + 1; here && next <= until && source_line(s, file, next); next++)
			plain_line(to, next, source_line(s, file, next));
	}
}

void coverage_heat(FILE *to, const struct coverage *c)
{
	struct heat h = { 0 };
	struct sources s = { 0 };
	gather(&h, c);
	if (h.count) {
		qsort(h.at, h.count, sizeof *h.at, compare_lines);
		fputs("<h2>Source lines</h2>\n<p class=sub>How many faults were made in a line, and what came of them; the redder, the larger the share of "
			"<select id=heat aria-label=heat disabled><option value=harm>silent corruption, crash, hang and deadlock</option><option value=all>all that deviates</option>", to);
		for (unsigned o = 0; o < COVERAGE_OUTCOMES; o++)
			fprintf(to, "<option value=%u>%s</option>", o, c->outcomes[o]);
		fputs("</select>. A click shows the faults of a line.</p>\n<div class=\"scroll tall\" tabindex=0><div class=\"src lines\">", to);
	}
	for (size_t i = 0, end; i < h.count; i = end) {
		for (end = i; end < h.count && h.at[end].file == h.at[i].file; end++)
			;
		one_file(to, c, &s, &h.at[i], &h.at[end]);
	}
	if (h.count)
		fputs("</div></div>\n", to);
	vec_release(&h);
	sources_release(&s);
}
