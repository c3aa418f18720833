/* cli/export.c -- raddle export: a trace in the formats of others; raddle import: theirs as a text twin.
 * The output appears whole or not at all: it is written beside its name and renamed. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "base/vec.h"
#include "cli/command.h"
#include "cli/say.h"
#include "trace/json.h"
#include "trace/perfetto.h"
#include "trace/std.h"
#include "trace/text.h"

/* ---- the file written ---- */

struct output { FILE *file; const char *path; char *partial; };         /* path NULL: stdout */

static int output_open(struct output *o, const char *path, struct err *why)
{
	*o = (struct output){ .file = stdout, .path = path };
	if (!path || !strcmp(path, "-")) {
		o->path = NULL;
		return 0;
	}
	if (asprintf(&o->partial, "%s.part", path) < 0)
		abort();
	int fd = open(o->partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	o->file = fd < 0 ? NULL : fdopen(fd, "w");
	if (o->file)
		return 0;
	err_set(why, "cannot create '%s': %s", path, str_error(errno));
	why->code = 3;
	free(o->partial);
	return -1;
}

/* Keeps what was written if `good`; otherwise nothing is left behind. */
static int output_close(struct output *o, bool good, struct err *why)
{
	if (!o->path)
		return good ? 0 : -1;
	bool written = !ferror(o->file);
	written &= fclose(o->file) == 0;
	if (good && (!written || rename(o->partial, o->path) < 0)) {
		err_set(why, "cannot write '%s': %s", o->path, str_error(errno));
		why->code = 4;
		good = false;
	}
	if (!good)
		unlink(o->partial);
	free(o->partial);
	return good ? 0 : -1;
}

/* ---- export ---- */

enum { FORMAT_STD, FORMAT_PERFETTO, FORMAT_TEXT, FORMAT_JSON };
struct options { const char *output; uint64_t format; bool salvage; };

struct exporter {
	struct trace *trace;
	struct objects *objects;
	uint64_t number;
	struct std_printer *std;
	struct perfetto *perfetto;
	struct text_printer *text;
	struct json json;
};

static void export_open(struct exporter *x, uint64_t format, FILE *out)
{
	x->objects = objects_new(x->trace);
	json_init(&x->json, out);
	if (format == FORMAT_STD)
		x->std = std_printer_open(x->trace, out);
	else if (format == FORMAT_PERFETTO)
		x->perfetto = perfetto_open(x->trace, x->objects, out);
	else if (format == FORMAT_TEXT)
		x->text = text_printer_open(x->trace, out);
}

static void export_close(struct exporter *x)
{
	std_printer_close(x->std);
	perfetto_close(x->perfetto);
	text_printer_close(x->text);
	objects_free(x->objects);
}

static void export_event(struct exporter *x, const struct event *ev)
{
	bool goes = ev->kind == EV_FREE || ev->kind == EV_UNMAP;        /* it can still be named here, not after */
	if (!goes)
		objects_note(x->objects, ev);
	if (x->std)
		std_print(x->std, ev);
	else if (x->perfetto)
		perfetto_event(x->perfetto, ev);
	else if (x->text)
		text_print(x->text, ev);
	else
		event_json(&x->json, x->trace, x->objects, ev, x->number);
	if (goes)
		objects_note(x->objects, ev);
	x->number++;
}

static int export_all(struct trace *t, uint64_t format, FILE *out, struct err *why)
{
	struct exporter x = { .trace = t };
	struct merged *m;
	struct event ev;
	int got;
	if (merged_open(&m, t, why) < 0)
		return -1;
	export_open(&x, format, out);
	while ((got = merged_next(m, &ev, why)) > 0 && !ferror(out))
		export_event(&x, &ev);
	export_close(&x);
	merged_close(m);
	return got < 0 ? -1 : 0;
}

static int needs_format(const char *command, const char *formats, struct err *why)
{
	err_set(why, "'raddle %s' needs '--format=%s'", command, formats);
	err_hint(why, "'raddle %s -h' says how it is called", command);
	why->code = 2;
	return -1;
}

static int run_export(const void *given, char **operands, struct err *why)
{
	const struct options *o = given;
	struct trace *t;
	struct output out;
	if (o->format == UINT64_MAX)
		return needs_format("export", "std|perfetto|text|json", why);
	if (open_trace(&t, operands, o->salvage, why) < 0)
		return -1;
	int got = output_open(&out, o->output, why);
	if (got == 0)
		got = output_close(&out, export_all(t, o->format, out.file, why) == 0, why);
	trace_close(t);
	return got;
}

/* ---- import ---- */

static int read_whole(const char *path, char **bytes, size_t *count, struct err *why)
{
	VEC(char) all = { 0 };
	struct stat s;
	FILE *in = fopen(path, "re");
	size_t n;
	if (!in) {
		err_set(why, "cannot open '%s': %s", path, str_error(errno));
		return -1;
	}
	if (fstat(fileno(in), &s) == 0 && S_ISDIR(s.st_mode)) {
		fclose(in);
		return err_set(why, "cannot read '%s': it is a directory", path);
	}
	do {
		all.room = all.room ? all.room * 2 : 65536;
		all.at = mem_resize(all.at, all.room);
		n = fread(all.at + all.count, 1, all.room - all.count, in);
		all.count += n;
	} while (all.count == all.room);
	fclose(in);
	*bytes = all.at;
	*count = all.count;
	return 0;
}

static int run_import(const void *given, char **operands, struct err *why)
{
	const struct options *o = given;
	const char *output = o->output ? o->output : TRACE_DEFAULT;
	char *bytes = NULL;
	size_t count = 0;
	struct trace *t = NULL;
	struct output out;
	if (o->format == UINT64_MAX)
		return needs_format("import", "std|text", why);
	if (read_whole(operands[0], &bytes, &count, why) < 0)
		return -1;
	struct trace_options options = { .salvage = o->salvage };
	int got = o->format == 0 ? std_load(&t, operands[0], bytes, count, why)
		: text_load(&t, operands[0], bytes, count, &options, why);
	mem_free(bytes);
	if (got == 0)
		got = output_open(&out, output, why);
	if (got == 0)
		got = output_close(&out, export_all(t, FORMAT_TEXT, out.file, why) == 0, why);
	trace_close(t);
	return got;
}

#define AT(field) offsetof(struct options, field)
static const struct options defaults = { .format = UINT64_MAX };
static const struct option export_list[] = {
	{ 0, "format", OPTION_CHOICE, AT(format), "format", "what to write", "std|perfetto|text|json", 0, 0 },
	{ 'o', "output", OPTION_TEXT, AT(output), "file", "where to write (default standard output)", NULL, 0, 0 },
	{ 0, "salvage", OPTION_FLAG, AT(salvage), NULL, "use the sound part of a damaged trace", NULL, 0, 0 },
	OPTION_HELP, OPTION_LAST
};
const struct command command_export = { "record", "export", "[<trace>]", "Write a trace in a format other tools read.",
	STYLE_PLAIN, export_list, &defaults, sizeof defaults, 0, 1,
	"<trace> defaults to ./run.trace.    Example: raddle export --format=perfetto -o run.json (open it at ui.perfetto.dev)\n"
	"Exit: 0 written, 2 bad command line, 3 bad input, 4 could not write.", run_export };

static const struct option import_list[] = {
	{ 0, "format", OPTION_CHOICE, AT(format), "format", "what the file holds", "std|text", 0, 0 },
	{ 'o', "output", OPTION_TEXT, AT(output), "file", "where to write the trace (default run.trace)", NULL, 0, 0 },
	{ 0, "salvage", OPTION_FLAG, AT(salvage), NULL, "use the sound part of a damaged text twin", NULL, 0, 0 },
	OPTION_HELP, OPTION_LAST
};
const struct command command_import = { "record", "import", "<file>", "Make a trace from a file of another tool.",
	STYLE_PLAIN, import_list, &defaults, sizeof defaults, 1, 1,
	"The trace is a text twin, which every reader accepts.    Example: raddle import --format=std -o x.trace x.std\n"
	"Exit: 0 written, 2 bad command line, 3 bad input, 4 could not write.", run_import };
