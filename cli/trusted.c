/* cli/trusted.c -- see trusted.h. */
#include "cli/trusted.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"
#include "cli/say.h"
#include "drive/shield.h"

bool trusted_file(const char *file)
{
	char folder[4096], real[4096];
	struct stat own, around;
	if (!realpath(file, real))
		return false;
	file_folder(real, folder, sizeof folder);
	if (stat(real, &own) < 0 || !S_ISREG(own.st_mode) || stat(folder, &around) < 0)
		return false;
	return own.st_uid == geteuid() && !(own.st_mode & S_IWOTH) && around.st_uid == geteuid() && !(around.st_mode & S_IWOTH);
}

const char *trusted_words(char *const *argv, char *into, unsigned room)
{
	struct sentence s = { into, room };
	char word[1024];
	into[0] = 0;
	for (int i = 0; argv[i]; i++)
		str_say(&s, "%s%s", i ? " " : "", str_shell(word, sizeof word, argv[i]));
	return into;
}

int trusted_to_run(const char *file, char *const *argv, bool run, struct err *why)
{
	char words[300];
	if (run || trusted_file(file))
		return 0;
	err_set(why, "'%.150s' names a program, and the file or its folder is not yours: not run: %s", file, trusted_words(argv, words, sizeof words));
	err_hint(why, "--run runs it if you trust the file; or name the program yourself, after '--'");
	why->code = 3;
	return -1;
}

void trusted_shield(void)
{
	if (shield_programs() == SHIELD_NONE)
		say_note("the program is named by a file, and cannot be shielded here: it may change whatever you may; 'raddle doctor' says why");
}

void trusted_shield_hint(void)
{
	if (shield_is_on())
		fprintf(stderr, "hint: a program named by a file changes nothing outside this folder and /tmp; if it has to, --no-shield\n");
}
