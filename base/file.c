/* base/file.c -- see file.h. */
#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "base/vec.h"

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

static int read_from(FILE *in, const char *path, size_t most, char **bytes, size_t *count, struct err *why)
{
	struct stat facts;
	size_t room = 0, had = 0;
	char *all = NULL;
	if (fstat(fileno(in), &facts) == 0 && S_ISDIR(facts.st_mode))
		return err_set(why, "cannot read '%s': it is a directory", path);
	do {
		room = room ? room * 2 : 65536;
		all = mem_resize(all, room);
		had += fread(all + had, 1, room - 1 - had, in);
	} while (had == room - 1 && had <= most);
	if (ferror(in) || had > most) {
		mem_free(all);
		return ferror(in) ? err_set(why, "cannot read '%s': %s", path, str_error(errno))
			: err_set(why, "cannot read '%s': it has more than %zu bytes", path, most);
	}
	all[had] = 0;
	*bytes = all;
	*count = had;
	return 0;
}

int file_read(const char *path, size_t most, char **bytes, size_t *count, struct err *why)
{
	FILE *in = fopen(path, "re");
	if (!in)
		return err_set(why, "cannot open '%s': %s", path, str_error(errno));
	int got = read_from(in, path, most, bytes, count, why);
	fclose(in);
	return got;
}
