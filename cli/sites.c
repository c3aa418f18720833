/* cli/sites.c -- raddle sites: the places of a program where something is recorded, and what the model knows of each. */
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/str.h"
#include "cli/command.h"
#include "cli/executed.h"
#include "cli/known.h"
#include "cli/say.h"
#include "drive/program.h"

struct options { bool json; const char *depends; };

static void say_site(const struct known_site *s)
{
	char file[4096];
	if (s->line)
		printf("%s:%u: ", str_escape(file, sizeof file, s->file), s->line);
	printf("%s%s%s in %s (%s#%u)\n", known_word(s->kind), s->name ? " " : "", s->name ? s->name : "", s->function, s->linkage, s->ordinal);
}

static void json_site(struct json *j, const struct known_site *s)
{
	json_object(j);
	json_put_text(j, "type", "site");
	json_put_text(j, "kind", known_word(s->kind));
	json_put_text(j, "file", s->file);
	json_put_number(j, "line", s->line);
	json_put_text(j, "function", s->function);
	json_put_text(j, "linkage", s->linkage);
	json_put_number(j, "ordinal", s->ordinal);
	json_put_text(j, "name", s->name);
	json_put_number(j, "size", s->size);
	json_end(j, '}');
	json_line(j);
}

static void list_sites(const struct known *k, const struct options *options)
{
	struct json j;
	char number[STR_NUMBER];
	json_init(&j, stdout);
	for (size_t i = 0; i < k->sites.count; i++)
		if (options->json)
			json_site(&j, &k->sites.at[i]);
		else
			say_site(&k->sites.at[i]);
	if (!options->json) {
		printf("%s sites\n", str_grouped(number, k->sites.count));
		return;
	}
	json_summary(&j, stdout);
	json_put_text(&j, "command", "sites");
	json_put_number(&j, "sites", k->sites.count);
	json_summary_end(&j);
}

/* ---- --depends ---- */

/* "pay#3" or "bank.c:41": is this the site meant? */
static bool is_meant(const struct known_site *s, const char *text)
{
	char name[1024];
	snprintf(name, sizeof name, "%s#%u", s->linkage, s->ordinal);
	if (!strcmp(text, name))
		return true;
	const char *slash = strrchr(s->file, '/');
	snprintf(name, sizeof name, "%s:%u", s->file, s->line);
	return s->line && (!strcmp(text, name) || (slash && !strcmp(text, name + (slash + 1 - s->file))));
}

static void say_because(const struct known *k, const struct code *c, uint32_t value)
{
	const struct value *v = &c->values.at[value];
	printf("  everything: ");
	for (size_t i = 0; i < k->sites.count; i++)
		if (k->sites.at[i].value == value) {
			say_site(&k->sites.at[i]);
			return;
		}
	printf("%s in %s cannot be seen through\n", op_word(v->op), v->function == NONE ? "the program" :
		code_text(c, c->functions.at[v->function].name));
}

static void say_dependence(const struct known *k, struct model *m, struct depend *d, const struct known_site *site)
{
	struct answer a = depend_on(d, site->value, PART_ALL);
	say_site(site);
	if (a.everything)
		say_because(k, model_code(m), a.because);
	for (size_t i = 0; i < k->sites.count; i++)
		if (known_reads(&k->sites.at[i]) && a.count && answer_has(&(struct answer){ .count = a.count, .reads = a.reads }, k->sites.at[i].value)) {
			printf("  ");
			say_site(&k->sites.at[i]);
		}
	if (!a.everything && !a.count)
		printf("  nothing that is read\n");
}

static int list_dependence(const struct known *k, struct model *m, const char *text, struct err *why)
{
	uint8_t *recorded = known_recorded(k, m);
	struct depend *d = model_depend(m, recorded);
	size_t meant = 0;
	for (size_t i = 0; i < k->sites.count; i++)
		if (k->sites.at[i].value != NONE && is_meant(&k->sites.at[i], text)) {
			say_dependence(k, m, d, &k->sites.at[i]);
			meant++;
		}
	depend_free(d);
	mem_free(recorded);
	if (meant)
		return 0;
	err_set(why, "no site is called '%s'", text);
	why->code = 2;
	return err_hint(why, "'raddle sites <program>' lists them; '<file>:<line>' and '<function>#<number>' are understood");
}

static int run(const void *given, char **operands, struct err *why)
{
	const struct options *options = given;
	struct model *m;
	struct known k;
	size_t count = 0;
	while (operands[count])
		count++;
	if (count == 1 && executed_is_trace(operands[0]))
		return executed_list(operands[0], options->json, why);
	struct err not_full;
	if (count == 1 && !options->depends && program_check_full(operands[0], &not_full) == 0)
		return executed_places(operands[0], options->json, why);
	if (model_open(&m, (const char *const *)operands, count, MODEL_AS_BUILT, why))
		return -1;
	int got = known_open(&k, m, (const char *const *)operands, count, why);
	if (got == 0) {
		if (options->depends)
			got = list_dependence(&k, m, options->depends, why);
		else
			list_sites(&k, options);
		known_close(&k);
		got = got ? got : say_flush(why);
	}
	model_close(m);
	return got;
}

#define AT(field) offsetof(struct options, field)
static const struct option list[] = {
	{ 0, "depends", OPTION_TEXT, AT(depends), "site", "which reads the events of a site can depend on; <function>#<number> or <file>:<line>", NULL, 0, 0 },
	{ 0, "json", OPTION_FLAG, AT(json), NULL, "one object per line, see raddle-json(5)", NULL, 0, 0 },
	OPTION_MEMORY, OPTION_HELP, OPTION_LAST
};
static const struct options defaults;

const struct command command_sites = { "faults", "sites", "<program> [<shared object>...]",
	"List the places of a program where something is recorded.",
	STYLE_PLAIN, list, &defaults, sizeof defaults, 1, -1,
	"Objects must be built with raddle cc.  Of a trace: each thread's places with the times it came there.    Example: raddle sites ./bank\n"
	"Exit: 0 listed, 2 bad command line, 3 bad input.", run, false };
