/* cli/started.c -- see started.h. */
#include "cli/started.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "cli/say.h"
#include "drive/object.h"
#include "drive/program.h"

/* A pipe or socket of its own is filled by its starter: alone it would get nothing. */
static int take_input(const struct probed *p, const char *starter, struct err *why)
{
	char ours[4096];
	ssize_t n = readlink("/proc/self/fd/0", ours, sizeof ours - 1);
	ours[n > 0 ? n : 0] = 0;
	if (!*p->input || strcmp(p->input, ours) == 0)
		return 0;
	int fd = p->input[0] == '/' ? open(p->input, O_RDONLY) : -1;
	if (fd >= 0) {
		dup2(fd, 0);
		close(fd);
		return 0;
	}
	if (p->input[0] == '/')                         /* of a terminal, or gone by now: it gets nothing to read */
		return 0;
	err_set(why, "'%.200s' gets its standard input from '%.100s' through a pipe", p->exe, starter);
	err_hint(why, "name it instead of what starts it: %.150s", p->exe);
	why->code = 3;
	return -1;
}

/* Run under the name it had, if that leads to it. */
static const char *own_file(const struct probed *p)
{
	char *whole = strchr(p->argv.at[0], '/') ? realpath(p->argv.at[0], NULL) : NULL;
	bool same = whole && strcmp(whole, p->exe) == 0;
	free(whole);
	return same ? NULL : p->exe;
}

static int follow(const char *starter, struct started *out, struct err *why)
{
	struct probed *p = &out->probed;
	if (!getcwd(out->folder, sizeof out->folder - 1) || chdir(p->folder) < 0)
		return err_set(why, "cannot go to '%.200s': %s", p->folder, str_error(errno));
	strcat(out->folder, "/");
	if (take_input(p, starter, why) < 0)
		return -1;
	out->argv = p->argv.at;
	out->path = own_file(p);
	environ = p->environment.at;
	say_note("'%s' starts '%s'%s; that is what runs, in '%s'", starter, p->exe, p->others ? ", and others" : "", p->folder);
	return 0;
}

int started_find(char *const *argv, struct started *out, struct err *why)
{
	char path[4096];
	memset(out, 0, sizeof *out);
	out->argv = argv;
	if (program_find(argv[0], path, sizeof path, why) < 0)
		return -1;
	int kind = object_build(path, why);
	if (kind != OBJECT_PLAIN && kind != OBJECT_NOT_ELF)
		return 0;
	int got = probe_run(argv, &out->probed, why);
	if (got == 0)
		return program_none_started(argv[0], path, why);
	if (got > 0 && follow(argv[0], out, why) == 0)
		return 0;
	started_release(out);
	return -1;
}

const char *started_output(struct started *s, const char *name)
{
	char whole[8192];
	if (!name || !*name || name[0] == '/' || !*s->folder)
		return name;
	int length = snprintf(whole, sizeof whole, "%s%s", s->folder, name);
	return arena_text(&s->probed.memory, whole, (size_t)length < sizeof whole ? (size_t)length : sizeof whole - 1);
}

void started_release(struct started *s)
{
	probed_release(&s->probed);
	memset(s, 0, sizeof *s);
}
