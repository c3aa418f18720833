/* drive/leftover.c -- see leftover.h. */
#include "drive/leftover.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"

#define NOT_BEGUN (-2)                          /* err.code, in here: killed before the program was started */

_Static_assert(sizeof(struct leftover_notes) <= NOTES_BYTES, "leftover.h");

static const char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static int name_file(struct leftover *l, const char *output, struct err *why)
{
	int folder = (int)(name_of(output) - output);
	int length = snprintf(l->path, sizeof l->path, "%.*s.%s.ring-%d", folder, output, name_of(output), (int)getpid());
	return length < (int)sizeof l->path ? 0 : err_set(why, "%s", str_error(ENAMETOOLONG));
}

static void note_words(struct leftover_notes *n, char *const *argv)
{
	size_t used = 0;
	for (int i = 0; argv[i] && used + strlen(argv[i]) + 2 <= sizeof n->words; i++) {
		strcpy(n->words + used, argv[i]);
		used += strlen(argv[i]) + 1;
	}
}

static int map_notes(struct leftover *l, const struct ring *r, int flags, struct err *why)
{
	l->notes = mmap(NULL, NOTES_BYTES, PROT_READ | PROT_WRITE, flags, l->fd, (off_t)NOTES_AT(r));
	if (l->notes != MAP_FAILED)
		return 0;
	l->notes = NULL;
	return err_set(why, "%s", str_error(errno));
}

static int make_parts(struct leftover *l, struct ring *r, const struct leftover_ring *how, struct err *why)
{
	if (ring_make_in(r, l->fd, NOTES_BYTES + SHELF_BYTES, how->mode, how->level, how->bytes, how->no_values, why) < 0)
		return -1;
	int failed = posix_fallocate(l->fd, (off_t)NOTES_AT(r), NOTES_BYTES);
	if (failed)
		err_set(why, "%s", str_error(failed));
	if (!failed && map_notes(l, r, MAP_SHARED, why) == 0 && shelf_open(&l->shelf, l->fd, SHELF_AT(r), true, why) == 0)
		return 0;
	munmap(r->head, ring_bytes(r));
	return -1;
}

int leftover_make(struct leftover *l, struct ring *r, const char *output, const struct leftover_ring *how, char *const *argv, struct err *why)
{
	*l = (struct leftover){ .fd = -1 };
	if (name_file(l, output, why) < 0)
		return -1;
	l->fd = open(l->path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, FILE_OURS);
	if (l->fd < 0)
		return err_set(why, "%s", str_error(errno));
	l->fd = ring_move_high(l->fd);
	l->made = true;
	struct stat facts;
	bool ours = flock(l->fd, LOCK_SH) == 0 && fstat(l->fd, &facts) == 0 && facts.st_nlink == 1;
	if (!ours)                              /* somebody took it for one that was left, in the moment before the lock */
		err_set(why, "it was removed, or cannot be locked");
	if (!ours || make_parts(l, r, how, why) < 0) {
		leftover_remove(l);
		close(l->fd);
		return -1;
	}
	note_words(l->notes, argv);
	l->notes->magic = NOTES_MAGIC;
	return 0;
}

void leftover_close(struct leftover *l)
{
	shelf_close(&l->shelf);
	if (l->notes)
		munmap(l->notes, NOTES_BYTES);
	l->notes = NULL;
}

void leftover_remove(struct leftover *l)
{
	if (l->made)
		unlink(l->path);
	l->made = false;
	leftover_close(l);
}

/* Ours to read: nobody else may have made it, or may cut it short while it is mapped. */
static int check_file(int fd, const struct ring *r, struct err *why)
{
	struct stat facts;
	if (fstat(fd, &facts) < 0 || !S_ISREG(facts.st_mode))
		return err_set(why, "it is no regular file");
	if (facts.st_uid != geteuid() || facts.st_mode & 022)
		return err_set(why, "it is not this user's alone");
	if (r && (uint64_t)facts.st_size < SHELF_AT(r) + SHELF_BYTES)
		return err_set(why, "it is cut short");
	return 0;
}

static int open_parts(struct leftover *l, struct ring *r, struct err *why)
{
	uint64_t magic = 0;
	if (pread(l->fd, &magic, sizeof magic, offsetof(struct ring_head, magic)) < (ssize_t)sizeof magic || !magic) {
		why->code = NOT_BEGUN;
		return -1;
	}
	if (ring_attach(r, l->fd, why) < 0)
		return -1;
	if (check_file(l->fd, r, why) == 0 && map_notes(l, r, MAP_PRIVATE, why) == 0 &&
		shelf_open(&l->shelf, l->fd, SHELF_AT(r), false, why) == 0) {
		l->notes->words[NOTES_WORDS - 1] = l->notes->words[NOTES_WORDS - 2] = 0;
		if (l->notes->magic == NOTES_MAGIC)
			return 0;
		why->code = NOT_BEGUN;
	}
	munmap(r->head, ring_bytes(r));
	return -1;
}

int leftover_open(struct leftover *l, struct ring *r, const char *path, struct err *why)
{
	*l = (struct leftover){ .fd = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) };
	snprintf(l->path, sizeof l->path, "%s", path);
	if (l->fd < 0)
		return err_set(why, "cannot read '%s': %s", path, str_error(errno));
	struct err inner = { 0 };
	if (check_file(l->fd, NULL, &inner) == 0) {
		if (flock(l->fd, LOCK_EX | LOCK_NB) < 0) {
			close(l->fd);
			return 1;
		}
		l->made = true;
		if (open_parts(l, r, &inner) == 0)
			return 0;
	}
	bool begun = inner.code != NOT_BEGUN;
	leftover_close(l);
	close(l->fd);
	if (!begun)
		return 2;
	return err_set(why, "cannot salvage from '%s': %s", path, inner.text);
}

unsigned leftover_each(const char *output, void (*is)(void *with, const char *path), void *with)
{
	char folder[4096], wanted[512], path[4096 + 512];
	unsigned count = 0;
	struct dirent *entry;
	file_folder(output, folder, sizeof folder);
	size_t length = (size_t)snprintf(wanted, sizeof wanted, ".%s.ring-", name_of(output));
	DIR *d = length < sizeof wanted ? opendir(folder) : NULL;
	while (d && (entry = readdir(d))) {
		const char *pid = entry->d_name + length;
		if (strncmp(entry->d_name, wanted, length) != 0 || !*pid || strspn(pid, "0123456789") != strlen(pid))
			continue;
		int folder_bytes = (int)(name_of(output) - output);
		snprintf(path, sizeof path, "%.*s%s", folder_bytes, output, entry->d_name);
		count++;
		if (is)
			is(with, path);
	}
	if (d)
		closedir(d);
	return count;
}
