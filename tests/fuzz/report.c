/* tests/fuzz/report.c -- any bytes as suppressions, as a baseline, as the names of a program: refused with file and line, or used;
 * whatever the names are, JSON can be read, SARIF follows its standard, XML and HTML have no tag that is not ours. */
#include <stdlib.h>
#include <string.h>

#include "base/json_read.h"
#include "report/baseline.h"
#include "report/report.h"
#include "report/suppress.h"
#include "tests/report/sample.h"
#include "tests/report/sarif_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static void try_suppressions(const char *bytes, size_t count)
{
	struct findings l = { 0 };
	struct suppressions *s = suppressions_new();
	struct err why = { 0 };
	sample_make(&l, 8, "", 0);
	if (suppressions_parse(s, "fuzz", bytes, count, &why) < 0)
		check(why.code == 3 && strstr(why.text, "suppressions 'fuzz' line ") && *why.hint);
	suppressions_apply(s, &l);
	suppressions_free(s);
	findings_release(&l);
}

static void try_baseline(const char *bytes, size_t count)
{
	struct findings l = { 0 };
	struct baseline b = { 0 };
	struct err why = { 0 };
	sample_make(&l, 8, "", 0);
	if (baseline_parse(&b, "fuzz", bytes, count, &why) < 0)
		check(why.code == 3 && strstr(why.text, "baseline 'fuzz' line "));
	check(baseline_apply(&b, &l) <= b.known.count);
	baseline_release(&b);
	findings_release(&l);
}

static size_t times(const char *text, const char *what)
{
	size_t n = 0;
	for (const char *at = text; (at = strstr(at, what)); at++)
		n++;
	return n;
}

static char *printed(void (*print)(const struct report *, FILE *), const struct report *r, size_t *count)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, count);
	print(r, out);
	fclose(out);
	check(strlen(text) == *count);
	return text;
}

static void try_names(const char *bytes, size_t count)
{
	struct findings l = { 0 }, plain = { 0 };
	struct arena memory = { 0 };
	char why[300];
	char *name = strndup(bytes, count < 300 ? count : 300), *harmless = strdup(name);
	size_t length, where;
	for (char *c = harmless; *c; c++)
		*c = *c == '\n' ? '\n' : 'x';           /* a reason of many lines is shown as such */
	sample_hostile(&l, name);
	sample_hostile(&plain, harmless);
	struct report r = sample_report(&l), other = sample_report(&plain);
	char *text = printed(report_json, &r, &length);
	check(json_read(&memory, text, strcspn(text, "\n"), &where));
	arena_release(&memory);
	free(text);
	text = printed(report_sarif, &r, &length);
	if (!sarif_check(text, length, why, sizeof why)) {
		fprintf(stderr, "%s\n%s\n", why, text);
		abort();
	}
	free(text);
	static void (*const marked[])(const struct report *, FILE *) = { report_junit, report_html };
	bool main_thread = !strcmp(name, "T_0");        /* the sample gives it no frames below */
	for (int i = 0; i < 2 && *name && !main_thread; i++) {
		char *mine = printed(marked[i], &r, &length), *theirs = printed(marked[i], &other, &length);
		check(times(mine, "<") == times(theirs, "<") && times(mine, "\"") == times(theirs, "\""));
		free(mine);
		free(theirs);
	}
	free(printed(report_text, &r, &length));
	free(name);
	free(harmless);
	findings_release(&l);
	findings_release(&plain);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
	if (!count)
		return 0;
	const char *rest = (const char *)bytes + 1;
	switch (bytes[0] % 3) {
	case 0: try_suppressions(rest, count - 1); break;
	case 1: try_baseline(rest, count - 1); break;
	default: try_names(rest, count - 1); break;
	}
	return 0;
}
