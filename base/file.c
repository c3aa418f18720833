/* base/file.c -- see file.h. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
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

static const char *kind_of(mode_t mode)
{
	return S_ISDIR(mode) ? "a directory" : S_ISFIFO(mode) ? "a FIFO" : S_ISSOCK(mode) ? "a socket" : "a device";
}

int file_open_read(const char *path, struct err *why)
{
	struct stat facts;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 || fstat(fd, &facts) < 0) {
		int reason = errno;
		err_set(why, "cannot open '%s': %s", path, str_error(reason));
		if (fd >= 0)
			close(fd);
		errno = reason;
		return -1;
	}
	if (S_ISREG(facts.st_mode) || (S_ISCHR(facts.st_mode) && facts.st_rdev == makedev(1, 3)))       /* /dev/null: an empty file */
		return fd;
	close(fd);
	err_set(why, "cannot read '%s': it is %s", path, kind_of(facts.st_mode));
	errno = S_ISDIR(facts.st_mode) ? EISDIR : EINVAL;
	return -1;
}

FILE *file_stream(const char *path, struct err *why)
{
	int fd = file_open_read(path, why);
	FILE *in = fd < 0 ? NULL : fdopen(fd, "r");
	if (fd >= 0 && !in) {
		err_set(why, "cannot read '%s': %s", path, str_error(errno));
		close(fd);
	}
	return in;
}

/* What stands where a file is to be written: nothing, a file, or a link, which is replaced.  0, or -1 and why. */
static int may_replace(const char *path, struct err *why)
{
	struct stat facts;
	if (lstat(path, &facts) < 0 || S_ISREG(facts.st_mode) || S_ISLNK(facts.st_mode))
		return 0;
	err_set(why, "cannot write '%s': it is %s", path, kind_of(facts.st_mode));
	errno = S_ISDIR(facts.st_mode) ? EISDIR : EINVAL;
	return -1;
}

int file_create_beside(const char *path, unsigned mode, char *beside, size_t room, struct err *why)
{
	uint64_t any;
	int fd = -1;
	if (may_replace(path, why))
		return -1;
	errno = ENAMETOOLONG;
	for (int tries = 0; fd < 0 && tries < 16 && (errno == EEXIST || tries == 0); tries++) {
		if (getrandom(&any, sizeof any, 0) != sizeof any)
			any = (uint64_t)getpid() << 20 | (unsigned)tries;
		if (snprintf(beside, room, "%s.%012llx", path, (unsigned long long)(any & 0xffffffffffffull)) >= (int)room)
			break;
		fd = open(beside, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
	}
	if (fd >= 0)
		return fd;
	int reason = errno;
	err_set(why, "cannot write '%s': %s", path, str_error(reason));
	errno = reason;
	return -1;
}

int file_create(const char *path, unsigned mode, struct err *why)
{
	char beside[PATH_MOST + 16];
	int fd = file_create_beside(path, mode, beside, sizeof beside, why);
	if (fd < 0 || rename(beside, path) == 0)
		return fd;
	int reason = errno;
	err_set(why, "cannot write '%s': %s", path, str_error(reason));
	unlink(beside);
	close(fd);
	errno = reason;
	return -1;
}

int file_keep(const char *path, struct err *why)
{
	struct stat facts;
	int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, FILE_OURS);
	int reason = errno;
	if (fd >= 0 && fstat(fd, &facts) == 0 && S_ISREG(facts.st_mode))
		return fd;
	if (fd >= 0)
		close(fd);
	err_set(why, "cannot write '%s': %s", path, fd >= 0 ? "it is no regular file" : reason == ELOOP ? "it is a link" : str_error(reason));
	if (reason == ELOOP)
		err_hint(why, "remove it, or name another file: raddle follows no link it did not make");
	errno = reason;
	return -1;
}

static int read_from(FILE *in, const char *path, size_t most, char **bytes, size_t *count, struct err *why)
{
	size_t room = 0, had = 0;
	char *all = NULL;
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
	FILE *in = file_stream(path, why);
	if (!in)
		return -1;
	int got = read_from(in, path, most, bytes, count, why);
	fclose(in);
	return got;
}
