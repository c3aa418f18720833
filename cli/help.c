/* cli/help.c -- raddle help, raddle version, and the completion script of the shell. */
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/say.h"
#include "wire/version.h"

struct help_options { uint64_t completion; };

static void list_commands(void)
{
	const char *group = "";
	printf("usage: raddle <command> [<options>] [<arguments>]\n"
		"Record what the threads of a C or C++ program do, steer them into other orders, and find the order that fails.\n");
	for (size_t i = 0; commands[i]; i++) {
		if (strcmp(group, commands[i]->group))
			printf("\n%s\n", group = commands[i]->group);
		printf("  %-18s %s\n", commands[i]->name, commands[i]->summary);
	}
	printf("\n'raddle <command> -h' says more.    "
		"Example: raddle cc -O2 -pthread bank.c -o bank; raddle record -- ./bank; raddle info\n");
}

static void complete_options(const struct command *c)
{
	printf("\t%s) words=\"", c->name);
	for (const struct option *o = c->options; o->name; o++) {
		const char *at = o->type == OPTION_CHOICE ? o->choices : NULL;
		for (; at && *at; at += strcspn(at, "|"), at += *at == '|')
			printf("--%s=%.*s ", o->name, (int)strcspn(at, "|"), at);
		if (o->type != OPTION_CHOICE)
			printf("--%s%s ", o->name, o->type == OPTION_FLAG || o->type == OPTION_MAYBE ? "" : "=");
	}
	printf("\" ;;\n");
}

static void print_completion(void)
{
	printf("# bash completion of raddle: eval \"$(raddle help --completion=bash)\"\n"
		"_raddle()\n{\n\tlocal word=\"${COMP_WORDS[COMP_CWORD]}\" words=\"\"\n\tCOMPREPLY=()\n"
		"\tlocal line=\"${COMP_LINE:0:COMP_POINT}\"\n\tword=\"${line##*[[:space:]]}\"\n"
		"\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n\t\twords=\"");
	for (size_t i = 0; commands[i]; i++)
		printf("%s%s", i ? " " : "", commands[i]->name);
	printf("\"\n\telif [[ \"$word\" == -* ]]; then\n\t\tcase \"${COMP_WORDS[1]}\" in\n");
	for (size_t i = 0; commands[i]; i++)
		if (commands[i]->style != STYLE_RAW)
			complete_options(commands[i]);
	printf("\t\tesac\n\telse\n\t\tCOMPREPLY=($(compgen -f -- \"$word\"))\n\t\treturn\n\tfi\n"
		"\tCOMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
		"\tif [[ \"$word\" == *=* ]]; then COMPREPLY=(\"${COMPREPLY[@]#*=}\"); fi\n"
		"\tif [[ \"${COMPREPLY[0]}\" == *= ]]; then compopt -o nospace; fi\n}\ncomplete -F _raddle raddle\n");
}

static int run_help(const void *given, char **operands, struct err *why)
{
	const struct help_options *o = given;
	if (o->completion != UINT64_MAX) {
		print_completion();
		return 0;
	}
	if (!operands[0]) {
		list_commands();
		return 0;
	}
	const struct command *c = command_named(operands[0]);
	if (!c)
		return command_unknown(operands[0], why);
	options_help(c);
	return 0;
}

static int run_version(const void *given, char **operands, struct err *why)
{
	(void)given, (void)operands, (void)why;
	printf("raddle " RADDLE_VERSION " (trace format %u)\n", WIRE_TRACE_VERSION);
	return 0;
}

static const struct option help_list[] = {
	{ 0, "completion", OPTION_CHOICE, offsetof(struct help_options, completion), "shell",
		"print the completion script of a shell", "bash", 0, 0 },
	OPTION_HELP, OPTION_LAST
};
static const struct help_options help_defaults = { UINT64_MAX };

const struct command command_help = { "share", "help", "[<command>]", "Say what raddle can do, or how one command is called.",
	STYLE_PLAIN, help_list, &help_defaults, sizeof help_defaults, 0, 1, NULL, run_help, false };

static const struct option version_list[] = { OPTION_HELP, OPTION_LAST };

const struct command command_version = { "share", "version", "", "Print raddle's version.",
	STYLE_PLAIN, version_list, &help_defaults, sizeof help_defaults, 0, 0, NULL, run_version, false };
