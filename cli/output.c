/* cli/output.c -- see output.h. */
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"

#define BESIDE_MORE 32u                         /* of a name beside another one */

static void forget(struct output *o)
{
	free(o->partial);
	free(o->target);
}

static int cannot(const char *verb, struct output *o, const char *reason, struct err *why)
{
	err_set(why, "cannot %s '%s': %s", verb, o->path, reason);
	why->code = 4;
	forget(o);
	return -1;
}

int output_open(struct output *o, const char *path, unsigned mode, struct err *why)
{
	struct stat facts;
	*o = (struct output){ .file = stdout, .path = path };
	if (!path || !strcmp(path, "-")) {
		o->path = NULL;
		return 0;
	}
	bool there = stat(path, &facts) == 0;
	if (there && S_ISDIR(facts.st_mode))
		return cannot("write", o, "it is a directory", why);
	bool whole = !there || S_ISREG(facts.st_mode);          /* a link to a file is replaced, its file left alone */
	o->target = strdup(path);
	o->partial = whole ? malloc(strlen(path) + BESIDE_MORE) : NULL;
	if (!o->target || (whole && !o->partial))
		abort();
	int fd = whole ? file_create_beside(path, mode, o->partial, strlen(path) + BESIDE_MORE, why) : open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	o->file = fd < 0 ? NULL : fdopen(fd, "w");
	return o->file ? 0 : cannot("create", o, str_error(errno), why);
}

int output_close(struct output *o, bool good, bool keep_old, struct err *why)
{
	if (!o->path)
		return good ? 0 : -1;
	bool written = !ferror(o->file);
	written &= fclose(o->file) == 0;
	if (good && written && keep_old && o->partial)
		file_keep_old(o->target);
	if (good && written && o->partial)
		written = rename(o->partial, o->target) == 0;
	int error = errno;
	if ((!good || !written) && o->partial)
		unlink(o->partial);
	if (good && !written)
		return cannot("write", o, str_error(error), why);
	forget(o);
	return good ? 0 : -1;
}
