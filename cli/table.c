/* cli/table.c -- every command of raddle, in the order help shows them. */
#include "cli/command.h"

#include <string.h>

const struct command *const commands[] = {
	&command_cc, &command_cxx,
	&command_record, &command_show, &command_info, &command_export, &command_import,
	&command_doctor, &command_help, &command_version,
	NULL
};

const struct command *command_named(const char *name)
{
	for (size_t i = 0; commands[i]; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

const char *command_near(const char *name)
{
	unsigned best = 99;
	const char *found = NULL;
	for (size_t i = 0; commands[i]; i++)
		if (is_near(name, commands[i]->name, &best))
			found = commands[i]->name;
	return found;
}
