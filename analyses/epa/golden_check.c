/* analyses/epa/golden_check.c -- see golden_check.h. */
#include "analyses/epa/golden_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analyses/epa/judge.h"
#include "analyses/epa/outputs.h"
#include "drive/object.h"

/* The line a key stands in; with a value, where it has that. */
static unsigned line_of(const struct campaign_config *c, const char *section, const char *key, const char *value)
{
	for (size_t i = 0; i < c->ini.lines.count; i++) {
		const struct ini_line *l = &c->ini.lines.at[i];
		if (!strcmp(l->section, section) && !strcmp(l->key, key) && (!value || !strcmp(l->value, value)))
			return l->line;
	}
	return 0;
}

static int check_outputs(const struct golden_run *g, const struct campaign_config *c, struct err *why)
{
	char path[8400];
	for (size_t i = 0; i < c->outputs.count; i++) {
		snprintf(path, sizeof path, "%s/%s", g->room, c->outputs.at[i]);
		if (access(path, F_OK) == 0)
			continue;
		err_set(why, "line %u: '%.200s' without a fault writes no file '%.200s'", line_of(c, "output", "file", c->outputs.at[i]), c->argv.at[0], c->outputs.at[i]);
		err_hint(why, "name a file it writes in the folder it runs in, or leave it out: what it prints is its output then");
		return -1;
	}
	return 0;
}

/* ---- functions ---- */

static bool is_name(const char *symbol, const void *given)
{
	return name_is_function(symbol, given);
}

/* Tables of sites have what a stripped program has no symbol of; what is loaded while it runs may have anything. */
static bool is_there(const struct golden_run *g, const char *function)
{
	bool there = object_has_symbol(g->program, is_name, "dlopen");
	for (size_t i = 0; i < g->places.all.count && !there; i++) {
		const struct fault_place *s = &g->places.all.at[i];
		there = name_is_function(s->linkage, function) || name_is_function(s->function, function) || (s->kind == PLACE_CALL && name_is_function(s->name, function));
	}
	for (uint32_t i = 0; i < trace_module_count(g->trace) && !there; i++)
		there = object_has_symbol(trace_module(g->trace, i)->path, is_name, function);
	return there;
}

/* ---- detection ---- */

/* The run without a fault has it, too. */
static int refuse(struct err *why, const struct campaign_config *c, const char *key, const char *format, ...)
{
	char what[400];
	va_list more;
	va_start(more, format);
	vsnprintf(what, sizeof what, format, more);
	va_end(more);
	err_set(why, "line %u: '%.200s' %s without a fault, too: it would never count as detection", line_of(c, "detect", key, NULL), c->argv.at[0], what);
	return err_hint(why, "name what tells a run in which a fault was noticed from one without a fault");
}

static int check_function(const struct golden_run *g, const struct campaign_config *c, struct err *why)
{
	if (!c->detect_function)
		return 0;
	if (judge_called(&g->canon, c->detect_function) >= 0)
		return refuse(why, c, "function", "calls '%.200s'", c->detect_function);
	if (is_there(g, c->detect_function))
		return 0;
	err_set(why, "line %u: '%.200s' and what it loads have no function '%.200s'", line_of(c, "detect", "function", NULL), c->argv.at[0], c->detect_function);
	return err_hint(why, "'raddle sites %.200s' has names of functions", c->argv.at[0]);
}

static int check_detection(const struct golden_run *g, const struct campaign_config *c, struct err *why)
{
	if (c->detect_exit >= 0 && g->exit == c->detect_exit)
		return refuse(why, c, "exit", "exits with %d", g->exit);
	if (c->detect_signal > 0 && g->exit == 128 + c->detect_signal)
		return refuse(why, c, "signal", "ends as by signal %d", c->detect_signal);
	if (c->detect_stdout && outputs_match(g->room, OUTPUT_STDOUT, c->detect_stdout))
		return refuse(why, c, "stdout", "prints what matches '%.200s'", c->detect_stdout);
	if (c->detect_stderr && outputs_match(g->room, OUTPUT_STDERR, c->detect_stderr))
		return refuse(why, c, "stderr", "prints what matches '%.200s'", c->detect_stderr);
	return check_function(g, c, why);
}

int golden_check(const struct golden_run *g, const struct campaign_config *c, struct err *why)
{
	if (check_outputs(g, c, why) == 0 && check_detection(g, c, why) == 0)
		return 0;
	why->code = 2;
	return -1;
}
