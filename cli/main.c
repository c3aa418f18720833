/* cli/main.c -- raddle's front door: finds the command, has its options read, runs it, turns the outcome into an exit code. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "cli/clean.h"
#include "cli/command.h"
#include "cli/debug.h"
#include "cli/limits.h"
#include "cli/say.h"
#include "drive/guardian.h"
#include "drive/program.h"

static int run_command(const struct command *c, char **argv, struct err *why)
{
	char **operands = argv;
	void *options = mem_take(c->size);
	VEC(char *) words = { 0 };                              /* the parser keeps operands alone */
	for (char **at = argv; *at; at++)
		vec_push(&words, *at);
	vec_push(&words, NULL);
	int got = c->style == STYLE_RAW ? 1 : options_parse(c, argv, options, &operands, why);
	if (got == 1 && c->guarded)
		guardian_begin(words.at);
	if (got == 1)
		got = c->run(options, operands, why);
	pager_end();
	if (got >= 0 && say_flush(why) < 0)
		got = -1;
	mem_free(options);
	vec_release(&words);
	return got;
}

static const struct command *find_command(const char *name, struct err *why)
{
	if (!strcmp(name, "-h") || !strcmp(name, "--help"))
		name = "help";
	if (!strcmp(name, "-V") || !strcmp(name, "--version"))
		name = "version";
	const struct command *c = command_named(name);
	if (!c)
		command_unknown(name, why);
	return c;
}

int main(int argc, char **argv)
{
	struct err why = { 0 };
	char *nothing[] = { NULL };
	clean_begin();
	program_size_is_an_error();
	if (argc > 2 && !strcmp(argv[1], DEBUG_START))          /* no command for people: gdb starts it */
		return debug_start(argv + 2);
	const struct command *c = find_command(argc > 1 ? argv[1] : "help", &why);
	int got = c ? run_command(c, argc > 1 ? argv + 2 : nothing, &why) : -1;
	if (got < 0) {
		limits_hint(&why);
		say_error(&why);
		got = why.code ? why.code : 3;
	}
	return argc > 1 ? got : 2;
}
