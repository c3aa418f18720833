/* base/file.c -- see file.h. */
#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"

#define PATH_MOST 4096

void file_folder(const char *path, char *into, size_t room)
{
	const char *slash = strrchr(path, '/');
	snprintf(into, room, "%.*s", slash ? (int)(slash - path + 1) : 1, slash ? path : ".");
}

int file_writable(const char *path, struct err *why)
{
	char folder[PATH_MOST];
	struct stat facts;
	file_folder(path, folder, sizeof folder);
	if (stat(path, &facts) == 0 && !S_ISREG(facts.st_mode))
		return err_set(why, "cannot write '%s': it is %s", path, S_ISDIR(facts.st_mode) ? "a directory" : "not a regular file");
	if (access(folder, W_OK | X_OK) < 0)
		return err_set(why, "cannot write '%s': %s", path, str_error(errno));
	return 0;
}

void file_keep_old(const char *path)
{
	char old[PATH_MOST];
	if (snprintf(old, sizeof old, "%s.old", path) < (int)sizeof old && access(path, F_OK) == 0)
		rename(path, old);
}
