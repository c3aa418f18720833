/* cli/reporting.c -- see reporting.h. */
#include "cli/reporting.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/file.h"
#include "cli/output.h"
#include "cli/say.h"
#include "report/files.h"
#include "wire/version.h"

static bool to_stdout(const char *path)
{
	return path && !strcmp(path, "-");
}

static int writable(const char *path, struct err *why)
{
	if (!path || to_stdout(path) || !strncmp(path, "/dev/", 5))
		return 0;
	if (file_writable(path, why) < 0) {
		why->code = 2;
		return -1;
	}
	return 0;
}

/* Two reports in one stream are none. */
static int one_at_most(const struct reporting *how, struct err *why)
{
	int count = how->json + to_stdout(how->sarif) + to_stdout(how->junit) + to_stdout(how->html) + to_stdout(how->rules);
	if (count <= 1)
		return 0;
	err_set(why, "two reports cannot both go to standard output");
	err_hint(why, "give one of them a file: '--sarif=found.sarif --json'");
	why->code = 2;
	return -1;
}

int reporting_begin(struct telling *t, const struct reporting *how, const char *command, struct err *why)
{
	*t = (struct telling){ .how = how, .root = getcwd(NULL, 0) };
	if (one_at_most(how, why) < 0)
		goto bad;
	if (writable(how->sarif, why) < 0 || writable(how->junit, why) < 0 || writable(how->html, why) < 0 ||
	    writable(how->rules, why) < 0)
		goto bad;
	if (how->suppressions) {
		t->suppressions = suppressions_new();
		if (suppressions_read(t->suppressions, how->suppressions, why) < 0)
			goto bad;
	}
	if (how->baseline && baseline_read(&t->baseline, how->baseline, command, why) < 0)
		goto bad;
	return 0;
bad:
	reporting_drop(t);
	return -1;
}

void reporting_drop(struct telling *t)
{
	suppressions_free(t->suppressions);
	baseline_release(&t->baseline);
	free(t->root);
	*t = (struct telling){ 0 };
}

static int write_file(const char *path, void (*write)(const struct report *, FILE *), const struct report *r, struct err *why)
{
	struct output out;
	struct buffer whole = { 0 };
	int got;
	if (!path)
		return 0;
	if (*path != '/' && !to_stdout(path) && r->root)
		buffer_print(&whole, "%s/", r->root);
	buffer_print(&whole, "%s", path);
	if ((got = output_open(&out, (const char *)whole.at, FILE_REPORT, why)) == 0) {
		write(r, out.file);
		got = output_close(&out, true, false, why);
	}
	buffer_release(&whole);
	return got;
}

static void print_rules(const struct report *r, FILE *to)
{
	suppressions_print(r->findings, r->listed, to);
}

static void say_unused(const struct suppressions *s)
{
	for (size_t i = 0; s && i < suppressions_count(s); i++) {
		const struct suppression *one = suppressions_at(s, i);
		if (!one->times && !one->foreign)
			say_note("suppression '%s' (%s:%u) matched nothing", one->text, one->file, one->line);
	}
}

int reporting_end(struct telling *t, struct findings *found, struct report *about, struct err *why)
{
	about->findings = found;
	about->version = RADDLE_VERSION;
	about->root = t->root;
	about->baseline = t->how->baseline;
	if (t->root)
		files_settle(found, t->root);
	if (t->suppressions)
		suppressions_apply(t->suppressions, found);
	if (t->how->baseline)
		about->gone = baseline_apply(&t->baseline, found);
	if (t->how->json)
		report_json(about, stdout);
	else if (!to_stdout(t->how->sarif) && !to_stdout(t->how->junit) && !to_stdout(t->how->html) && !to_stdout(t->how->rules))
		report_text(about, stdout);
	int got = say_flush(why);
	if (got == 0)
		got = write_file(t->how->sarif, report_sarif, about, why);
	if (got == 0)
		got = write_file(t->how->junit, report_junit, about, why);
	if (got == 0)
		got = write_file(t->how->html, report_html, about, why);
	if (got == 0)
		got = write_file(t->how->rules, print_rules, about, why);
	say_unused(t->suppressions);
	about->root = NULL;
	reporting_drop(t);
	return got < 0 ? -1 : report_exit(about);
}
