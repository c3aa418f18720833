/* analyses/epa/config.c -- see config.h. */
#include "analyses/epa/config.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "analyses/epa/faults.h"
#include "base/str.h"

typedef bool (*taker)(struct campaign_config *c, char *value);

/* ---- values ---- */

/* Words between blanks; "..." and '...' are one. */
static bool take_command(struct campaign_config *c, char *value)
{
	for (char *at = value; *at;) {
		at += strspn(at, " \t");
		if (!*at)
			break;
		char quote = *at == '"' || *at == '\'' ? *at++ : 0;
		size_t length = quote ? strcspn(at, quote == '"' ? "\"" : "'") : strcspn(at, " \t");
		if (quote && !at[length])
			return false;
		vec_push(&c->argv, at);
		at += length;
		if (*at)
			*at++ = 0;
	}
	return c->argv.count > 0;
}

static bool take_input(struct campaign_config *c, char *value) { c->input = value; return true; }
static bool take_need(struct campaign_config *c, char *value) { vec_push(&c->needs, value); return true; }

static bool take_timeout(struct campaign_config *c, char *value)
{
	bool good = str_number(value, &c->limit_ms) && c->limit_ms && c->limit_ms <= 86400;
	c->limit_ms *= 1000;
	return good;
}

static bool take_schedule(struct campaign_config *c, char *value) { c->schedule = value; return *value; }

static bool take_types(struct campaign_config *c, char *value)
{
	for (char *word; (word = strsep(&value, " \t,"));) {
		bool known = !*word;
		const struct fault_type *t;
		for (size_t i = 0; !known && (t = fault_type_at(i)); i++)
			known = !strcmp(word, fault_type_name(t));
		if (!known)
			return false;
		if (*word)
			vec_push(&c->types, word);
	}
	return c->types.count > 0;
}

static bool take_kinds(struct campaign_config *c, char *value)
{
	static const char *const words[] = { "read", "write", "result", "argument", "call", "branch", "atomic" };      /* as enum place_kind */
	c->kinds = 0;
	for (char *word; (word = strsep(&value, " \t,"));) {
		bool known = !*word;
		for (size_t i = 0; *word && i < sizeof words / sizeof *words; i++)
			if (!strcmp(word, words[i])) {
				c->kinds |= PLACE_BIT(i);
				known = true;
			}
		if (!known)
			return false;
	}
	return c->kinds != 0;
}

static bool take_object(struct campaign_config *c, char *value) { c->object = value; return *value; }

static bool take_sites(struct campaign_config *c, char *value)
{
	static const char *const ways[] = { "uniform", "per-function", "per-type", "stratified" };
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (!strcmp(value, ways[i])) {
			c->draw = (enum draw_how)i;
			return true;
		}
	return false;
}

static bool take_seed(struct campaign_config *c, char *value) { return str_number(value, &c->seed); }
static bool take_runs(struct campaign_config *c, char *value) { return str_number(value, &c->runs) && c->runs && c->runs <= 10000000; }
static bool take_most(struct campaign_config *c, char *value) { return str_number(value, &c->most) && c->most && c->most <= 10000000; }

static bool take_real(const char *value, double least, double most, double *out)
{
	char *end;
	*out = strtod(value, &end);
	return end != value && !*end && *out >= least && *out <= most;
}

static bool take_until(struct campaign_config *c, char *value) { return take_real(value, 0.001, 1, &c->until); }
static bool take_tolerance(struct campaign_config *c, char *value) { return take_real(value, 0, 1, &c->tolerance); }
static bool take_output(struct campaign_config *c, char *value) { vec_push(&c->outputs, value); return *value && *value != '/'; }

static bool take_stdout(struct campaign_config *c, char *value)
{
	c->output_stdout = !strcmp(value, "yes");
	return c->output_stdout || !strcmp(value, "no");
}

static bool take_small(const char *value, int *out, uint64_t most)
{
	uint64_t number;
	if (!str_number(value, &number) || number > most)
		return false;
	*out = (int)number;
	return true;
}

static bool take_detect_exit(struct campaign_config *c, char *value) { return take_small(value, &c->detect_exit, 255); }
static bool take_detect_signal(struct campaign_config *c, char *value) { return take_small(value, &c->detect_signal, 64) && c->detect_signal; }

static bool take_regex(const char *value, const char **out)
{
	regex_t r;
	if (regcomp(&r, value, REG_EXTENDED | REG_NOSUB))
		return false;
	regfree(&r);
	*out = value;
	return true;
}

static bool take_detect_stdout(struct campaign_config *c, char *value) { return take_regex(value, &c->detect_stdout); }
static bool take_detect_stderr(struct campaign_config *c, char *value) { return take_regex(value, &c->detect_stderr); }
static bool take_detect_function(struct campaign_config *c, char *value) { c->detect_function = value; return *value; }

static const struct key { const char *section, *key, *is; taker take; bool often; } keys[] = {
	{ "program", "command", "a command line", take_command, false },
	{ "program", "input", "a file", take_input, false },
	{ "program", "needs", "a file", take_need, true },
	{ "program", "timeout", "seconds, 1 to 86400", take_timeout, false },
	{ "program", "schedule", "first, or a schedule 'raddle run --save-schedule' wrote", take_schedule, false },
	{ "faults", "types", "kinds of faults, as 'raddle inject -h' lists them", take_types, false },
	{ "faults", "kinds", "some of read, write, result, argument, call, branch, atomic", take_kinds, false },
	{ "faults", "object", "a shared object", take_object, false },
	{ "faults", "sites", "uniform, per-function, per-type or stratified", take_sites, false },
	{ "faults", "seed", "a number", take_seed, false },
	{ "faults", "runs", "a number, 1 to 10000000", take_runs, false },
	{ "faults", "until", "a width, 0.001 to 1", take_until, false },
	{ "faults", "most", "a number, 1 to 10000000", take_most, false },
	{ "output", "stdout", "yes or no", take_stdout, false },
	{ "output", "file", "a file the program writes where it runs", take_output, true },
	{ "output", "tolerance", "a number, 0 to 1", take_tolerance, false },
	{ "detect", "exit", "an exit code", take_detect_exit, false },
	{ "detect", "signal", "the number of a signal", take_detect_signal, false },
	{ "detect", "stdout", "a regular expression", take_detect_stdout, false },
	{ "detect", "stderr", "a regular expression", take_detect_stderr, false },
	{ "detect", "function", "a function", take_detect_function, false },
};
#define KEYS (sizeof keys / sizeof *keys)

/* ---- the file ---- */

#define MOST_RUNS 10000u                /* of a type, where `until` decides */

static int refuse(struct err *why)
{
	why->code = 2;
	return -1;
}

/* Of what may stand there once only: the line it has stood in before, 0 none. */
static unsigned line_before(const struct campaign_config *c, const struct ini_line *l)
{
	for (const struct ini_line *k = c->ini.lines.at; k < l; k++)
		if (!strcmp(k->section, l->section) && !strcmp(k->key, l->key))
			return k->line;
	return 0;
}

static int take_value(struct campaign_config *c, const char *path, const struct ini_line *l, const struct key *key, struct err *why)
{
	char given[200];
	unsigned before = key->often ? 0 : line_before(c, l);
	snprintf(given, sizeof given, "%s", l->value);
	if (before)
		err_set(why, "'%.200s', line %u: '%.50s' stands in line %u already", path, l->line, l->key, before);
	else if (key->take(c, (char *)l->value))
		return 0;
	else
		err_set(why, "'%.200s', line %u: '%.100s' is not %s", path, l->line, given, key->is);
	return refuse(why);
}

/* The nearest of what could have been meant. */
static void hint_nearest(struct err *why, const char *given, const char *section)
{
	unsigned best = 4;
	const char *near = NULL;
	for (size_t i = 0; i < KEYS; i++) {
		const char *is = section ? keys[i].key : keys[i].section;
		unsigned distance = section && strcmp(section, keys[i].section) ? 99 : str_distance(given, is);
		if (distance < best) {
			best = distance;
			near = is;
		}
	}
	if (near)
		err_hint(why, section ? "did you mean '%s'?" : "did you mean [%s]?", near);
}

static int take_line(struct campaign_config *c, const char *path, const struct ini_line *l, struct err *why)
{
	bool known = false;
	for (size_t i = 0; i < KEYS; i++) {
		bool here = !strcmp(l->section, keys[i].section);
		known |= here;
		if (here && !strcmp(l->key, keys[i].key))
			return take_value(c, path, l, &keys[i], why);
	}
	if (!*l->section)
		err_set(why, "'%.200s', line %u: '%.50s' stands before any section", path, l->line, l->key);
	else if (known)
		err_set(why, "'%.200s', line %u: [%.50s] has no key '%.50s'", path, l->line, l->section, l->key);
	else
		err_set(why, "'%.200s', line %u: there is no section [%.50s]", path, l->line, l->section);
	if (*l->section)
		hint_nearest(why, known ? l->key : l->section, known ? l->section : NULL);
	return refuse(why);
}

/* A kind that stands there twice would be drawn twice as often, and counted as one. */
static int check_types(const struct campaign_config *c, const char *path, struct err *why)
{
	for (size_t i = 0; i < c->types.count; i++)
		for (size_t k = 0; k < i; k++)
			if (!strcmp(c->types.at[i], c->types.at[k])) {
				err_set(why, "'%.200s' has '%s' twice in [faults] types", path, c->types.at[i]);
				err_hint(why, "name it once: runs says how many of each are made");
				return refuse(why);
			}
	return 0;
}

/* What it prints is its output if nothing is said; who says no names a file. */
static int check_output(struct campaign_config *c, const char *path, struct err *why)
{
	if (c->output_stdout || c->outputs.count)
		return 0;
	for (size_t i = 0; i < c->ini.lines.count; i++)
		if (!strcmp(c->ini.lines.at[i].section, "output") && !strcmp(c->ini.lines.at[i].key, "stdout")) {
			err_set(why, "'%.200s', line %u: stdout is no output, and [output] names no file: nothing could be told wrong", path, c->ini.lines.at[i].line);
			err_hint(why, "name a file the program writes, or leave stdout in");
			return refuse(why);
		}
	c->output_stdout = true;
	return 0;
}

static int check_whole(struct campaign_config *c, const char *path, struct err *why)
{
	const char *lacks = !c->argv.count ? "[program] command" : !c->types.count ? "[faults] types" : !c->runs && c->until == 0 ? "[faults] runs or until" : NULL;
	if (lacks) {
		err_set(why, "'%.200s' lacks %s", path, lacks);
		return refuse(why);
	}
	if (c->until > 0 ? c->runs != 0 : c->most != 0) {
		err_set(why, c->until > 0 ? "'%.200s' has both runs and until" : "'%.200s' has most, but not until", path);
		err_hint(why, "runs says how many, until and most when it is enough");
		return refuse(why);
	}
	if (c->schedule && c->detect_function) {
		err_set(why, "'%.200s' has schedule, and function in [detect]: steered runs do not tell which functions are called", path);
		err_hint(why, "detect it by exit, signal, stdout or stderr, or leave out schedule");
		return refuse(why);
	}
	if (c->until > 0)
		c->runs = c->most ? c->most : MOST_RUNS;
	if (check_types(c, path, why) < 0 || check_output(c, path, why) < 0)
		return -1;
	vec_push(&c->argv, NULL);
	return 0;
}

int config_read(struct campaign_config *c, const char *path, struct err *why)
{
	memset(c, 0, sizeof *c);
	c->detect_exit = c->detect_signal = -1;
	c->seed = 1;
	c->kinds = UINT32_MAX;
	c->input = "";
	if (ini_read(&c->ini, path, why) < 0)
		return -1;
	uint64_t hash = 0;
	for (size_t i = 0; i < c->ini.lines.count; i++) {
		const struct ini_line *l = &c->ini.lines.at[i];
		hash = XXH64(l->section, strlen(l->section) + 1, hash);
		hash = XXH64(l->key, strlen(l->key) + 1, hash);
		hash = XXH64(l->value, strlen(l->value) + 1, hash);
	}
	snprintf(c->hash, sizeof c->hash, "%016llx", (unsigned long long)hash);
	for (size_t i = 0; i < c->ini.lines.count; i++)
		if (take_line(c, path, &c->ini.lines.at[i], why) < 0)
			return -1;
	return check_whole(c, path, why);
}

bool config_detects(const struct campaign_config *c)
{
	return c->detect_exit >= 0 || c->detect_signal > 0 || c->detect_stdout || c->detect_stderr || c->detect_function;
}

void config_release(struct campaign_config *c)
{
	ini_release(&c->ini);
	vec_release(&c->argv);
	vec_release(&c->needs);
	vec_release(&c->types);
	vec_release(&c->outputs);
}
