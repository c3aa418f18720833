/* cli/golden.c -- see golden.h.  Runs are native ones: what schedules and the outside do differently shows. */
#include "cli/golden.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyses/determinism/determinism.h"
#include "base/str.h"
#include "base/vec.h"
#include "drive/record.h"
#include "drive/stdin.h"

struct one { int code; char *output; size_t length; char trace[100]; };

static int read_back(int fd, struct one *run, struct err *why)
{
	off_t end = lseek(fd, 0, SEEK_END);
	run->length = end > 0 ? (size_t)end : 0;
	run->output = mem_take(run->length + 1);
	for (size_t at = 0; at < run->length;) {
		ssize_t n = pread(fd, run->output + at, run->length - at, (off_t)at);
		if (n <= 0)
			return err_set(why, "cannot read what the program wrote: %s", str_error(errno));
		at += (size_t)n;
	}
	return 0;
}

static int make_run(const struct golden *g, char **argv, uint64_t number, struct one *run, struct err *why)
{
	char path[100];
	snprintf(run->trace, sizeof run->trace, "%s/%" PRIu64 ".trace", g->folder, number);
	snprintf(path, sizeof path, "%s/output", g->folder);
	int out = open(path, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600), in = stdin_again();
	if (out < 0)
		return err_set(why, "cannot write '%s': %s", path, str_error(errno));
	struct record_options o = { .output = run->trace, .level = MODE_ACCESS, .argv = argv, .program_output = out,
		.program_input = in > 0 ? in : 0, .quiet = true };
	run->code = record_run(&o, why);
	int got = run->code < 0 ? -1 : read_back(out, run, why);
	close(out);
	if (in > 0)
		close(in);
	return got;
}

/* 1 alike, 0 not: text; -1 and why. */
static int compare(struct golden *g, const struct one *first, const struct one *run, char *text, size_t room, struct err *why)
{
	struct trace *other;
	if (run->code != first->code) {
		snprintf(text, room, "it exits with %d, the first run with %d", run->code, first->code);
		return 0;
	}
	if (run->length != first->length || memcmp(run->output, first->output, run->length)) {
		size_t at = 0, line = 1;
		for (; at < run->length && at < first->length && run->output[at] == first->output[at]; at++)
			line += run->output[at] == '\n';
		snprintf(text, room, "its output is another one from line %zu on", line);
		return 0;
	}
	if (trace_open(&other, run->trace, &(struct trace_options){ 0 }, why) < 0)
		return -1;
	int got = golden_compare(g->first, other, &(struct determinism_updates){ program_updates_open, &g->updates }, text, room, why);
	trace_close(other);
	return got;
}

static int another_run(struct golden *g, char **argv, const struct one *first, struct err *why)
{
	struct one run = { 0 };
	char text[500];
	int got = make_run(g, argv, g->runs + 1, &run, why);
	if (got == 0)
		got = compare(g, first, &run, text, sizeof text, why);
	if (got >= 0)
		g->runs++;
	if (got == 0 && !g->parted++)
		snprintf(g->text, sizeof g->text, "run %" PRIu64 ": %s", g->runs, text);
	mem_free(run.output);
	unlink(run.trace);
	return got < 0 ? -1 : 0;
}

int golden_run(struct golden *g, char **argv, uint64_t runs, struct err *why)
{
	struct one first = { 0 };
	*g = (struct golden){ .folder = "/tmp/raddle-golden-XXXXXX" };
	if (!mkdtemp(g->folder)) {
		g->folder[0] = 0;
		return err_set(why, "cannot make a folder in /tmp: %s", str_error(errno));
	}
	int got = make_run(g, argv, 1, &first, why);
	if (got == 0)
		got = trace_open(&g->first, first.trace, &(struct trace_options){ 0 }, why);
	g->runs = 1;
	g->updates.trace = g->first;
	while (got == 0 && g->runs < runs)
		got = another_run(g, argv, &first, why);
	mem_free(first.output);
	return got;
}

void golden_release(struct golden *g)
{
	char path[100];
	program_updates_close(&g->updates);
	trace_close(g->first);
	if (!g->folder[0])
		return;
	snprintf(path, sizeof path, "%s/1.trace", g->folder);
	unlink(path);
	snprintf(path, sizeof path, "%s/output", g->folder);
	unlink(path);
	rmdir(g->folder);
}
