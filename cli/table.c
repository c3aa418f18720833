/* cli/table.c -- every command of raddle, in the order help shows them. */
#include "cli/command.h"

#include <string.h>

const struct command *const commands[] = {
	&command_cc, &command_cxx,
	&command_record, &command_salvage, &command_show, &command_info, &command_export, &command_import,
	&command_run, &command_replay, &command_hunt, &command_minimize,
	&command_predict, &command_check, &command_determinism,
	&command_sites, &command_inject, &command_diff, &command_campaign,
	&command_verify_certificate, &command_doctor, &command_help, &command_version,
	NULL
};

const struct command *command_named(const char *name)
{
	for (size_t i = 0; commands[i]; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

int command_unknown(const char *name, struct err *why)
{
	unsigned best = 99;
	const char *near = NULL;
	for (size_t i = 0; commands[i]; i++)
		if (is_near(name, commands[i]->name, &best))
			near = commands[i]->name;
	err_set(why, "'%s' is not a raddle command", name);
	why->code = 2;
	return near ? err_hint(why, "did you mean '%s'?", near) : err_hint(why, "'raddle help' lists them");
}
