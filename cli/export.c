/* cli/export.c -- raddle export: a trace in the formats of others; raddle import: theirs as a text twin. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/vec.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/reading.h"
#include "cli/say.h"
#include "trace/json.h"
#include "trace/perfetto.h"
#include "trace/plain.h"
#include "trace/std.h"
#include "trace/text.h"

/* ---- export ---- */

enum { FORMAT_STD, FORMAT_PERFETTO, FORMAT_TEXT, FORMAT_JSON, FORMAT_PLAIN };
struct options { const char *output; uint64_t format; bool salvage; };

struct exporter {
	struct trace *trace;
	struct objects *objects;
	FILE *out;
	bool plain;
	struct std_printer *std;
	struct perfetto *perfetto;
	struct text_printer *text;
	struct json json;
};

static void export_open(struct exporter *x, uint64_t format)
{
	x->objects = objects_new(x->trace);
	json_init(&x->json, x->out);
	if (format == FORMAT_STD)
		x->std = std_printer_open(x->trace, x->out);
	else if (format == FORMAT_PERFETTO)
		x->perfetto = perfetto_open(x->trace, x->objects, x->out);
	else if (format == FORMAT_TEXT)
		x->text = text_printer_open(x->trace, x->out);
	x->plain = format == FORMAT_PLAIN;
	if (x->plain)
		plain_head(x->trace, x->out);
}

static void export_close(struct exporter *x, bool whole)
{
	std_printer_close(x->std);
	perfetto_close(x->perfetto);
	text_printer_close(x->text, whole);
	objects_free(x->objects);
}

static bool export_event(void *who, const struct event *ev, uint64_t number)
{
	struct exporter *x = who;
	if (x->std)
		std_print(x->std, ev);
	else if (x->perfetto)
		perfetto_event(x->perfetto, ev);
	else if (x->text)
		text_print(x->text, ev);
	else if (x->plain)
		plain_print(ev, x->out);
	else
		event_json(&x->json, x->trace, x->objects, ev, number);
	return !ferror(x->out);
}

/* The exit code, or -1 and why. */
static int export_to(const char *path, struct trace *t, uint64_t format, bool keep_old, struct err *why)
{
	struct output out;
	if (output_open(&out, path, FILE_OURS, why) < 0)
		return -1;
	struct exporter x = { .trace = t, .out = out.file };
	export_open(&x, format);
	int got = read_events(t, x.objects, export_event, &x, why);
	export_close(&x, got == 0);
	bool whole = out.partial != NULL;
	int closed = output_close(&out, got == 0, keep_old, why);
	if (got > 0 && whole)
		say_note("'%s' was not written", path);
	return got > 0 ? 4 : closed;
}

static int needs_format(const char *command, const char *formats, struct err *why)
{
	err_set(why, "'raddle %s' needs '--format=%s'", command, formats);
	err_hint(why, "'raddle %s -h' says how it is called", command);
	why->code = 2;
	return -1;
}

/* A line of STD is in memory when the next one begins. */
static int has_words(const struct trace *t, struct err *why)
{
	if (!trace_fact(t, "model"))
		return 0;
	err_set(why, "trace '%s' is of a run under %s: STD has no words for stores that wait", trace_path(t), trace_fact(t, "model"));
	err_hint(why, "'--format=text' and '--format=json' have them");
	why->code = 3;
	return -1;
}

static int run_export(const void *given, char **operands, struct err *why)
{
	const struct options *o = given;
	struct trace *t;
	if (o->format == UINT64_MAX)
		return needs_format("export", "std|perfetto|text|json|plain", why);
	if (open_trace(&t, operands, o->salvage, why) < 0)
		return -1;
	int got = o->format == FORMAT_STD ? has_words(t, why) : 0;
	if (got == 0)
		got = export_to(o->output, t, o->format, false, why);
	trace_close(t);
	return got;
}

/* ---- import ---- */

static int run_import(const void *given, char **operands, struct err *why)
{
	const struct options *o = given;
	const char *output = o->output ? o->output : TRACE_DEFAULT;
	char *bytes = NULL;
	size_t count = 0;
	struct trace *t = NULL;
	if (o->format == UINT64_MAX)
		return needs_format("import", "std|text", why);
	if (file_read(operands[0], SIZE_MAX, &bytes, &count, why) < 0)
		return -1;
	if (count >= strlen(TRACE_MAGIC) && !memcmp(bytes, TRACE_MAGIC, strlen(TRACE_MAGIC))) {
		mem_free(bytes);
		return err_set(why, "'%s' is a trace already: every command reads it as it is", operands[0]);
	}
	struct trace_options options = { .salvage = o->salvage };
	int got = o->format == 0 ? std_load(&t, operands[0], bytes, count, why)
		: text_load(&t, operands[0], bytes, count, &options, why);
	mem_free(bytes);
	if (got == 0)
		got = export_to(output, t, FORMAT_TEXT, true, why);
	trace_close(t);
	return got;
}

#define AT(field) offsetof(struct options, field)
static const struct options defaults = { .format = UINT64_MAX };
static const struct option export_list[] = {
	{ 0, "format", OPTION_CHOICE, AT(format), "format", "what to write", "std|perfetto|text|json|plain", 0, 0 },
	{ 'o', "output", OPTION_TEXT, AT(output), "file", "where to write (default standard output)", NULL, 0, 0 },
	{ 0, "salvage", OPTION_FLAG, AT(salvage), NULL, "use the sound part of a damaged trace", NULL, 0, 0 },
	OPTION_MEMORY, OPTION_HELP, OPTION_LAST
};
const struct command command_export = { "record", "export", "[<trace>]", "Write a trace in a format other tools read.",
	STYLE_PLAIN, export_list, &defaults, sizeof defaults, 0, 1,
	"<trace> defaults to ./run.trace.    Example: raddle export --format=perfetto -o run.json (open it at ui.perfetto.dev)\n"
	"Exit: 0 written, 2 bad command line, 3 bad input, 4 interrupted or could not write.", run_export, false };

static const struct option import_list[] = {
	{ 0, "format", OPTION_CHOICE, AT(format), "format", "what the file holds", "std|text", 0, 0 },
	{ 'o', "output", OPTION_TEXT, AT(output), "file", "where to write the trace (default run.trace)", NULL, 0, 0 },
	{ 0, "salvage", OPTION_FLAG, AT(salvage), NULL, "use the sound part of a damaged text twin", NULL, 0, 0 },
	OPTION_MEMORY, OPTION_HELP, OPTION_LAST
};
const struct command command_import = { "record", "import", "<file>", "Make a trace from a file of another tool.",
	STYLE_PLAIN, import_list, &defaults, sizeof defaults, 1, 1,
	"The trace is a text twin, which every reader accepts.  An old one of that name is kept once, with .old behind it.\n"
	"Example: raddle import --format=std -o x.trace x.std\n"
	"Exit: 0 written, 2 bad command line, 3 bad input, 4 interrupted or could not write.", run_import, false };
