/* report/text.c -- findings for people: the first line greppable, then each thread's part, whose memory, the order, how to replay. */
#include <inttypes.h>
#include <string.h>

#include "base/str.h"
#include "report/escape.h"
#include "report/report.h"
#include "report/words.h"

#define FRAMES_SHOWN 12
#define STEPS_SHOWN  24

/* What the buffer holds, behind `indent`, as a line; the buffer is empty then.  An empty one is no line. */
static void line(struct buffer *b, const char *indent, FILE *to)
{
	if (b->count) {
		fputs(indent, to);
		escape_text(to, (const char *)b->at);
		putc('\n', to);
	}
	b->count = 0;
}

static void print_place(const struct finding *f, const struct finding_place *p, struct buffer *b, FILE *to)
{
	char at[FINDING_PLACE_ROOM];
	words_place(b, f, p);
	line(b, "  ", to);
	for (size_t i = 0; i < p->stack.count && i < FRAMES_SHOWN; i++) {
		const struct finding_spot *frame = &p->stack.at[i];
		buffer_print(b, "from %s", *frame->function ? frame->function : "an unknown function");
		if (frame->line)
			buffer_print(b, " at %s", finding_where(frame, at));
		line(b, "    ", to);
	}
	if (p->stack.count > FRAMES_SHOWN) {
		buffer_print(b, "... %zu more", p->stack.count - FRAMES_SHOWN);
		line(b, "    ", to);
	}
}

static void print_makers(const struct finding *f, struct buffer *b, FILE *to)
{
	for (size_t i = 0; i < f->places.count; i++) {
		bool said = false;
		for (size_t k = 0; k < i; k++)
			said |= !strcmp(f->places.at[k].thread, f->places.at[i].thread);
		if (said)
			continue;
		words_maker(b, &f->places.at[i]);
		line(b, "  ", to);
	}
}

static void print_step(const struct finding_step *s, int width, struct buffer *b, FILE *to)
{
	char at[FINDING_PLACE_ROOM];
	buffer_print(b, "%-*s  %s", width, s->thread, s->text);
	if (*s->at.file || *s->at.function)
		buffer_print(b, "  %s", finding_where(&s->at, at));
	line(b, "    ", to);
}

/* Of long orders the end, which is where it shows, and before it an access of the finding that came earlier. */
static void print_order(const struct finding *f, struct buffer *b, FILE *to)
{
	size_t first = f->steps.count > STEPS_SHOWN ? f->steps.count - STEPS_SHOWN : 0, early = 0;
	int width = 0;
	if (!f->steps.count)
		return;
	while (early < first && f->steps.at[early].place < 0)
		early++;
	for (size_t i = early < first ? 0 : first; i < f->steps.count; i++) {
		int length = (int)strlen(f->steps.at[i].thread);
		width = length > width ? length : width;
	}
	fputs("  the order that shows it:\n", to);
	if (early < first)
		print_step(&f->steps.at[early], width, b, to);
	uint64_t more = (uint64_t)first + f->steps_before - (early < first);
	if (more) {
		buffer_print(b, "... %" PRIu64 " more", more);
		line(b, "    ", to);
	}
	for (size_t i = first; i < f->steps.count; i++)
		print_step(&f->steps.at[i], width, b, to);
}

/* The lines of a long reason behind the first, which the headline has. */
static void print_rule(const struct finding *f, struct buffer *b, FILE *to)
{
	for (const char *at = strchr(f->rule, '\n'); at && at[1]; at = strchr(at + 1, '\n')) {
		buffer_print(b, "%.*s", (int)strcspn(at + 1, "\n"), at + 1);
		line(b, "  ", to);
	}
}

static void print_replay(const struct finding *f, struct buffer *b, FILE *to)
{
	if (*f->unwritten) {
		buffer_print(b, "no schedule of it was written: %s", f->unwritten);
		line(b, "  ", to);
	}
	if (!*f->schedule)
		return;
	buffer_print(b, "replay: raddle replay %s        under gdb: raddle replay --gdb %s", f->schedule, f->schedule);
	line(b, "  ", to);
}

void finding_text(const struct finding *f, FILE *to)
{
	char at[FINDING_PLACE_ROOM];
	struct buffer b = { 0 };
	if (f->places.count)
		buffer_print(&b, "%s: ", finding_where(words_spot(&f->places.at[0]), at));
	words_message(&b, f);
	buffer_print(&b, " (");
	words_status(&b, f);
	buffer_print(&b, ")");
	line(&b, "", to);
	for (size_t i = 0; i < f->places.count; i++)
		print_place(f, &f->places.at[i], &b, to);
	words_memory(&b, f);
	line(&b, b.count ? "  memory: " : "", to);
	print_makers(f, &b, to);
	if (*f->only_after) {
		buffer_print(&b, "order: %s", f->only_after);
		line(&b, "  ", to);
	}
	if (*f->effect_text) {
		buffer_print(&b, "effect: %s", f->effect_text);
		line(&b, "  ", to);
	}
	print_rule(f, &b, to);
	print_order(f, &b, to);
	print_replay(f, &b, to);
	buffer_release(&b);
}

/* ---------------------------------------------------------------- the line that sums up */

static void count_of(struct buffer *b, uint64_t n, const char *one, const char *many)
{
	char number[STR_NUMBER];
	if (n)
		buffer_print(b, "%s%s %s", b->count ? ", " : "", str_grouped(number, n), n == 1 ? one : many);
}

static void kinds_of(struct buffer *b, const struct report_counts *c)
{
#define K(name, word, said, many, count, text) { said, many },
	static const char *const words[][2] = { FINDING_KINDS(K) };
#undef K
	for (int k = 0; k < FINDING_KIND_COUNT; k++)
		count_of(b, c->kinds[k], words[k][0], words[k][1]);
}

static void sum_up(const struct report *r, FILE *to)
{
	char number[STR_NUMBER];
	struct report_counts c;
	struct buffer found = { 0 }, rest = { 0 };
	report_count(r, &c);
	kinds_of(&found, &c);
	if (!found.count)
		buffer_print(&found, r->gave_up || c.status[FINDING_NOT_REPRODUCED] || c.status[FINDING_SPECULATIVE] ? "nothing confirmed" : "nothing found");
	count_of(&rest, c.status[FINDING_CONFIRMED], "confirmed", "confirmed");
	count_of(&rest, c.status[FINDING_NOT_REPRODUCED], "not reproduced", "not reproduced");
	count_of(&rest, c.status[FINDING_SPECULATIVE], "speculative", "speculative");
	count_of(&rest, c.status[FINDING_INFEASIBLE], "infeasible", "infeasible");
	count_of(&rest, c.status[FINDING_PREDICTED], "predicted", "predicted");
	count_of(&rest, c.suppressed, "suppressed", "suppressed");
	if (r->baseline)
		buffer_print(&rest, "%s%" PRIu64 " new, %" PRIu64 " known, %" PRIu64 " gone", rest.count ? ", " : "", c.fresh, c.known, r->gone);
	fprintf(to, "%s%s%s (%s event%s, %.1f s)\n", (const char *)found.at, rest.count ? ": " : "", rest.count ? (const char *)rest.at : "",
		str_grouped(number, r->events), r->events == 1 ? "" : "s", r->seconds);
	if (r->gave_up) {
		fputs("not all was looked at: ", to);
		escape_text(to, r->gave_up);
		putc('\n', to);
	}
	if (r->unclaimed && !r->gave_up && !c.bugs) {
		fputs("not claimed complete: ", to);
		escape_text(to, r->unclaimed);
		putc('\n', to);
	}
	buffer_release(&found);
	buffer_release(&rest);
}

void report_text(const struct report *r, FILE *to)
{
	for (size_t i = 0; i < r->findings->all.count; i++)
		if (report_lists(r, r->findings->all.at[i]) && !r->findings->all.at[i]->known)
			finding_text(r->findings->all.at[i], to);
	sum_up(r, to);
}
