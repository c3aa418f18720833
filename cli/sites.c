/* cli/sites.c -- raddle sites: the places of a program where something is recorded, and what the model knows of each. */
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/str.h"
#include "cli/command.h"
#include "cli/known.h"
#include "cli/say.h"

struct options { bool json; };

static void say_site(const struct known_site *s)
{
	if (s->line)
		printf("%s:%u: ", s->file, s->line);
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

static int run(const void *given, char **operands, struct err *why)
{
	const struct options *options = given;
	struct model *m;
	struct known k;
	size_t count = 0;
	while (operands[count])
		count++;
	if (model_open(&m, (const char *const *)operands, count, why))
		return -1;
	int got = known_open(&k, m, (const char *const *)operands, count, why);
	if (got == 0) {
		list_sites(&k, options);
		known_close(&k);
		got = say_flush(why);
	}
	model_close(m);
	return got;
}

#define AT(field) offsetof(struct options, field)
static const struct option list[] = {
	{ 0, "json", OPTION_FLAG, AT(json), NULL, "one object per line, see raddle-json(5)", NULL, 0, 0 },
	OPTION_HELP, OPTION_LAST
};
static const struct options defaults;

const struct command command_sites = { "faults", "sites", "<program> [<shared object>...]",
	"List the places of a program where something is recorded.",
	STYLE_PLAIN, list, &defaults, sizeof defaults, 1, -1,
	"Objects must be built with raddle cc.    Example: raddle sites ./bank\n"
	"Exit: 0 listed, 2 bad command line, 3 bad input.", run };
