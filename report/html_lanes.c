/* report/html_lanes.c -- swim lanes: a column for each thread, a row for each step of the order that shows the bug, a bar in the column
 * for each lock the thread holds.  A finding without an order has its places for steps. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/html_inside.h"
#include "report/words.h"

#define LOCK_COLOURS 6
#define BARS_MOST 6

/* T_0_9 comes before T_0_10. */
static int compare_paths(const void *left, const void *right)
{
	const char *a = *(const char *const *)left, *b = *(const char *const *)right;
	return strverscmp(a, b);
}

static void lane_add(struct lanes *l, const char *thread)
{
	for (size_t i = 0; i < l->threads.count; i++)
		if (!strcmp(l->threads.at[i], thread))
			return;
	vec_push(&l->threads, thread);
}

void lanes_of(struct lanes *l, const struct finding *f)
{
	for (size_t i = 0; i < f->places.count; i++)
		lane_add(l, f->places.at[i].thread);
	for (size_t i = 0; i < f->steps.count; i++)
		lane_add(l, f->steps.at[i].thread);
	if (l->threads.count)
		qsort(l->threads.at, l->threads.count, sizeof *l->threads.at, compare_paths);
}

unsigned lane_of(const struct lanes *l, const char *thread)
{
	for (size_t i = 0; i < l->threads.count; i++)
		if (!strcmp(l->threads.at[i], thread))
			return (unsigned)i;
	return 0;
}

void lanes_release(struct lanes *l)
{
	vec_release(&l->threads);
}

/* ---------------------------------------------------------------- rows */

struct row { const char *thread, *text; const struct finding_spot *at; const struct finding_locks *locks; int place; };

static size_t row_count(const struct finding *f)
{
	return f->steps.count ? f->steps.count : f->places.count;
}

static struct row row_of(const struct finding *f, size_t i)
{
	if (f->steps.count) {
		const struct finding_step *s = &f->steps.at[i];
		return (struct row){ s->thread, s->text, &s->at, &s->locks, s->place };
	}
	const struct finding_place *p = &f->places.at[i];
	return (struct row){ p->thread, finding_place_does(f, p), &p->at, &p->locks, (int)i };
}

static uint32_t lock_number(struct names *locks, const char *name)
{
	return names_put(locks, *name ? name : "?", *name ? strlen(name) : 1);
}

static void bars(struct page *p, struct names *locks, const struct finding_locks *held)
{
	for (size_t i = 0; i < held->count && i < BARS_MOST; i++)
		fprintf(p->to, "<i class=held style=\"--i:%zu;--k:var(--k%u)\"></i>", i,
			lock_number(locks, held->at[held->count - 1 - i].name) % LOCK_COLOURS);
}

static void cell(struct page *p, const struct finding *f, const struct row *r)
{
	char at[FINDING_PLACE_ROOM];
	uint32_t file = source_file(&p->sources, r->at->file);
	bool linked = source_line(&p->sources, file, r->at->line);
	if (linked)
		fprintf(p->to, "<a class=step href=\"#" HTML_LINE_ID "\">", p->number, file, r->at->line);
	else
		fputs("<span class=step>", p->to);
	html_text(p, r->text);
	if (!f->steps.count && r->place >= 0) {
		fputs(" ", p->to);
		html_text(p, finding_place_object(f, &f->places.at[r->place]));
	}
	fputs(" <span class=at>", p->to);
	html_text(p, *r->at->file || *r->at->function ? finding_where(r->at, at) : "");
	fputs(linked ? "</span></a>" : "</span></span>", p->to);
}

static void one_row(struct page *p, const struct finding *f, const struct lanes *l, struct names *locks, const struct finding_locks **held, size_t i)
{
	struct row r = row_of(f, i);
	unsigned mine = lane_of(l, r.thread);
	held[mine] = r.locks;
	fprintf(p->to, "<tr%s><td class=n>%" PRIu64 "</td>", r.place >= 0 ? " class=bug" : "", f->steps_before + i + 1);
	for (unsigned k = 0; k < l->threads.count; k++) {
		fprintf(p->to, "<td%s style=\"--c:var(--l%u)", k == mine ? " class=on" : "", k % HTML_COLOURS);
		if (held[k] && held[k]->count > 1)
			fprintf(p->to, ";padding-left:%.2frem", 1.7 + 0.32 * (double)((held[k]->count < BARS_MOST ? held[k]->count : BARS_MOST) - 1));
		fputs("\">", p->to);
		if (held[k])
			bars(p, locks, held[k]);
		if (k == mine)
			cell(p, f, &r);
		fputs("</td>", p->to);
	}
	fputs("</tr>\n", p->to);
}

static void head(struct page *p, const struct lanes *l)
{
	fputs("<table class=lanes><thead><tr><th class=n scope=col>step</th>", p->to);
	for (unsigned k = 0; k < l->threads.count; k++) {
		fprintf(p->to, "<th scope=col style=\"--c:var(--l%u)\">", k % HTML_COLOURS);
		html_text(p, l->threads.at[k]);
		fputs("</th>", p->to);
	}
	fputs("</tr></thead><tbody>\n", p->to);
}

static void legend(struct page *p, const struct names *locks)
{
	if (!locks->count)
		return;
	fputs("<p class=legend>locks held: ", p->to);
	for (uint32_t i = 0; i < locks->count; i++) {
		fprintf(p->to, "<span class=lock style=\"--k:var(--k%u)\">", i % LOCK_COLOURS);
		html_text(p, names_text(locks, i));
		fputs("</span>", p->to);
	}
	fputs("</p>\n", p->to);
}

void html_lanes(struct page *p, const struct finding *f, const struct lanes *l)
{
	size_t count = row_count(f), first = count > HTML_STEPS ? count - HTML_STEPS : 0;
	if (!count)
		return;
	struct names locks = { 0 };
	const struct finding_locks **held = mem_take(l->threads.count * sizeof *held);
	fprintf(p->to, "<h2>%s</h2>\n", f->steps.count ? "The order that shows it" : "Who does what");
	if (first + f->steps_before)
		fprintf(p->to, "<p class=sub>%" PRIu64 " earlier steps are not shown</p>\n", (uint64_t)first + f->steps_before);
	fputs("<div class=scroll tabindex=0>", p->to);
	head(p, l);
	for (size_t i = first; i < count; i++)
		one_row(p, f, l, &locks, held, i);
	fputs("</tbody></table></div>\n", p->to);
	legend(p, &locks);
	mem_free(held);
	names_release(&locks);
}
