/* report/html_source.c -- the source beside the lanes: every line of the order and of the places, with what stands around it, and who
 * does what there. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/html_inside.h"

#define AROUND      4u          /* lines before and behind a line that is meant */
#define LINES_MOST  400u        /* shown of one finding */
#define LINE_LONGEST 400u       /* bytes */

struct mark { uint32_t file, line; int place; };
struct marks { struct mark *at; size_t count, room; };          /* a VEC */

static void mark_add(struct page *p, struct marks *m, const struct finding_spot *at, int place)
{
	if (!*at->file || !at->line)
		return;
	uint32_t file = source_file(&p->sources, at->file);
	if (source_line(&p->sources, file, at->line))
		vec_push(m, ((struct mark){ file, at->line, place }));
}

static int compare_marks(const void *left, const void *right)
{
	const struct mark *a = left, *b = right;
	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return (a->place < b->place) - (a->place > b->place);           /* those with a place first */
}

static void collect(struct page *p, const struct finding *f, struct marks *m)
{
	size_t first = f->steps.count > HTML_STEPS ? f->steps.count - HTML_STEPS : 0;
	for (size_t i = 0; i < f->places.count; i++) {
		const struct finding_place *place = &f->places.at[i];
		mark_add(p, m, &place->at, (int)i);
		for (size_t k = 0; k < place->locks.count; k++)
			mark_add(p, m, &place->locks.at[k].taken, -1);
	}
	for (size_t i = first; i < f->steps.count; i++)
		mark_add(p, m, &f->steps.at[i].at, -1);
	if (m->count)
		qsort(m->at, m->count, sizeof *m->at, compare_marks);
}

/* Who does what in this line: of all places that are there. */
static void who(struct page *p, const struct finding *f, const struct lanes *l, const struct mark *first, const struct mark *behind)
{
	if (first == behind || first->place < 0)
		return;
	fputs("<span class=whos>", p->to);
	for (const struct mark *m = first; m < behind && m->place >= 0; m++) {
		const struct finding_place *place = &f->places.at[m->place];
		fprintf(p->to, "<span class=who style=\"color:var(--l%u)\">", lane_of(l, place->thread) % HTML_COLOURS);
		html_text(p, place->thread);
		putc(' ', p->to);
		html_text(p, finding_place_waits(f, place) ? "waits" : finding_access_does(place->access));
		fputs("</span>", p->to);
	}
	fputs("</span>", p->to);
}

static void source_text(struct page *p, const char *line)
{
	char shown[LINE_LONGEST + 4];
	size_t length = strlen(line);
	if (length > LINE_LONGEST) {
		memcpy(shown, line, LINE_LONGEST);
		memcpy(shown + LINE_LONGEST, "...", 4);
		line = shown;
	}
	html_text(p, line);
}

/* The marks [first, behind) are of this line; none: it only stands around one. */
static void one_line(struct page *p, const struct finding *f, const struct lanes *l, uint32_t file, uint32_t line, const struct mark *first,
	const struct mark *behind)
{
	if (first < behind)
		fprintf(p->to, "<div class=%s id=\"" HTML_LINE_ID "\">", first->place >= 0 ? "bug" : "hit", p->number, file, line);
	else
		fputs("<div>", p->to);
	fprintf(p->to, "<span class=no>%" PRIu32 "</span><span>", line);
	source_text(p, source_line(&p->sources, file, line));
	fputs("</span>", p->to);
	who(p, f, l, first, behind);
	fputs("</div>", p->to);
}

/* All marks of one file.  Returns how many lines were written. */
static uint32_t one_file(struct page *p, const struct finding *f, const struct lanes *l, const struct mark *first, const struct mark *end,
	uint32_t most)
{
	uint32_t file = first->file, next = 1, written = 0;
	fputs("<div class=file>", p->to);
	html_text(p, names_text(&p->sources.names, file));
	fputs("</div>", p->to);
	while (first < end && written < most) {
		const struct mark *behind = first;
		while (behind < end && behind->line == first->line)
			behind++;
		uint32_t from = first->line > AROUND ? first->line - AROUND : 1;
		if (from > next && next > 1)
			fputs("<div class=gap>...</div>", p->to);
		for (uint32_t line = from > next ? from : next; line < first->line; line++, written++)
			one_line(p, f, l, file, line, first, first);
		one_line(p, f, l, file, first->line, first, behind);
		written++;
		uint32_t until = behind < end && behind->line - 1 < first->line + AROUND ? behind->line - 1 : first->line + AROUND;
		for (next = first->line + 1; next <= until && source_line(&p->sources, file, next); next++, written++)
			one_line(p, f, l, file, next, first, first);
		first = behind;
	}
	return written;
}

void html_source(struct page *p, const struct finding *f, const struct lanes *l)
{
	struct marks m = { 0 };
	uint32_t left = LINES_MOST;
	collect(p, f, &m);
	fputs("<h2>Source</h2>\n", p->to);
	if (!m.count) {
		fputs("<p class=none>The source files are not here, or the program was built without -g.</p>\n", p->to);
		return;
	}
	fputs("<div class=scroll tabindex=0><div class=src>", p->to);
	for (size_t i = 0, end; i < m.count && left; i = end) {
		for (end = i; end < m.count && m.at[end].file == m.at[i].file; end++)
			;
		uint32_t written = one_file(p, f, l, &m.at[i], &m.at[end], left);
		left = written < left ? left - written : 0;
	}
	fputs("</div></div>\n", p->to);
	vec_release(&m);
}
