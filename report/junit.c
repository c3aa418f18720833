/* report/junit.c -- findings as JUnit XML: a failed test case for each bug that is new, a skipped one for each that is known or not
 * confirmed, and a passed one when there is nothing.  What gives up early is an error, so that nobody takes it for success. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/err.h"
#include "report/escape.h"
#include "report/report.h"
#include "report/words.h"

static void attribute(FILE *to, const char *name, const char *text)
{
	fprintf(to, " %s=\"", name);
	escape_xml(to, text);
	putc('"', to);
}

/* All of its text, as it would stand on a terminal. */
static void body(const struct finding *f, FILE *to)
{
	char *text = NULL;
	size_t count = 0;
	FILE *memory = open_memstream(&text, &count);
	check(memory);
	finding_text(f, memory);
	fclose(memory);
	escape_xml(to, text);
	free(text);
}

static void one_case(const struct report *r, const struct finding *f, FILE *to)
{
	char at[FINDING_PLACE_ROOM];
	struct buffer words = { 0 };
	bool failed = finding_is_bug(r, f) && !f->known;
	if (f->places.count)
		buffer_print(&words, "%s: ", finding_where(&f->places.at[0].at, at));
	words_message(&words, f);
	fputs("    <testcase", to);
	attribute(to, "classname", finding_kind_word(f->kind));
	attribute(to, "name", (const char *)words.at);
	if (f->places.count && *f->places.at[0].at.file) {
		attribute(to, "file", f->places.at[0].at.file);
		fprintf(to, " line=\"%" PRIu32 "\"", f->places.at[0].at.line);
	}
	fprintf(to, ">\n      <%s", failed ? "failure" : "skipped");
	words.count = 0;
	if (f->known)
		buffer_print(&words, "known: it is in the baseline");
	else
		words_status(&words, f);
	attribute(to, "message", (const char *)words.at);
	if (failed) {
		attribute(to, "type", finding_kind_word(f->kind));
		putc('>', to);
		body(f, to);
		fputs("</failure>\n", to);
	} else {
		fputs("/>\n", to);
	}
	fputs("    </testcase>\n", to);
	buffer_release(&words);
}

/* What stands for the whole command: it passed, or did not look at everything. */
static void command_case(const struct report *r, FILE *to)
{
	fputs("    <testcase", to);
	attribute(to, "classname", "raddle");
	attribute(to, "name", r->command);
	if (!r->gave_up) {
		fputs("/>\n", to);
		return;
	}
	fputs(">\n      <error type=\"incomplete\"", to);
	attribute(to, "message", r->gave_up);
	fputs("/>\n    </testcase>\n", to);
}

void report_junit(const struct report *r, FILE *to)
{
	uint64_t cases = 1, failures = 0, skipped = 0;
	for (size_t i = 0; i < r->findings->all.count; i++) {
		const struct finding *f = r->findings->all.at[i];
		if (!report_lists(r, f))
			continue;
		cases++;
		if (finding_is_bug(r, f) && !f->known)
			failures++;
		else
			skipped++;
	}
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite", to);
	attribute(to, "name", "raddle");
	attribute(to, "package", r->subject);
	fprintf(to, " tests=\"%" PRIu64 "\" failures=\"%" PRIu64 "\" errors=\"%d\" skipped=\"%" PRIu64 "\" time=\"%.3f\">\n", cases, failures,
		r->gave_up ? 1 : 0, skipped, r->seconds);
	command_case(r, to);
	for (size_t i = 0; i < r->findings->all.count; i++)
		if (report_lists(r, r->findings->all.at[i]))
			one_case(r, r->findings->all.at[i], to);
	fputs("  </testsuite>\n</testsuites>\n", to);
}
