/* rt/reopen.c -- see reopen.h.  A copy of a process has the memory, but shares open files, and the place in them, with the process it was copied from.
 *   (1) files below the working directory are opened again in the copy's own folder, which raddle has filled with what lies in this one; so are
 *       descriptors that are copies of each other, together;
 *   (2) files elsewhere may be read only: they are opened again where they are, at the same place;
 *   (3) of a file without a name (tmpfile) the copy has one of its own, in memory, with the same bytes;
 *   (4) what is no file and was there when the program began (a pipe of whoever started raddle) all runs have in common, started anew or not;
 *   (5) null, zero, full and the random devices keep nothing; anything else (a pipe, a socket, a terminal) is refused. */
#include "rt/reopen.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "rt/steer.h"
#include "rt/sys.h"
#include "rt/words.h"
#include "rt/world.h"
#include "wire/fault.h"

#define MOST      64u
#define NAME_ROOM 256u
#define PATH_ROOM (FAULT_ROOM + NAME_ROOM + 64u)
#define KCMP_SAME_FILE 0
#define NAMELESS_MOST (64u << 20)       /* bytes */

static struct file {
	int fd, like;                   /* like: an earlier one that has the same place in the file; -1 none */
	long flags, offset, close;
	uint64_t device, node;
	uint64_t nameless;              /* bytes + 1 of one without a name; 0: it has one */
	char name[NAME_ROOM];           /* below the working directory; "" it lies elsewhere */
} files[MOST];
static unsigned count;
static struct { int fd; uint64_t device, node; } first[MOST];   /* (4) */
static unsigned first_count;
static bool begins;
static char here[FAULT_ROOM], path[PATH_ROOM];          /* too large for stacks of threads; one strand runs at a time */

/* ---- what there is ---- */

static unsigned link_of(char *to, long fd)
{
	unsigned at = words_add(to, 0, 48, "/proc/self/fd/");
	return words_add_number(to, at, 48, (uint64_t)fd);
}

static bool starts(const char *text, const char *with)
{
	while (*with && *text == *with)
		text++, with++;
	return !*with;
}

static bool keeps_nothing(const struct stat *about)
{
	unsigned number = minor(about->st_rdev);
	return S_ISCHR(about->st_mode) && major(about->st_rdev) == 1 && (number == 3 || number == 5 || number == 7 || number == 8 || number == 9);
}

/* Its name below the working directory, if that is what `path` leads to. */
static bool take_name(struct file *f, const struct stat *about)
{
	struct stat there;
	unsigned length = 0;
	while (here[length])
		length++;
	f->name[0] = 0;
	if (!starts(path, here) || path[length] != '/')
		return true;
	const char *name = path + length + 1;
	words_add(f->name, 0, NAME_ROOM, name);
	return words_same(f->name, name) && sys3(SYS_lstat, (long)path, (long)&there, 0) == 0 && there.st_ino == about->st_ino && there.st_dev == about->st_dev;
}

/* Does it have the place in the file in common with an earlier one?  false: that is not known. */
static bool find_like(struct file *f)
{
	long pid = sys3(SYS_getpid, 0, 0, 0);
	f->like = -1;
	for (unsigned i = 0; i < count && f->like < 0; i++) {
		if (files[i].device != f->device || files[i].node != f->node)
			continue;
		long other = sys6(SYS_kcmp, pid, pid, KCMP_SAME_FILE, files[i].fd, f->fd, 0);
		if (other < 0)
			return false;
		f->like = other == 0 ? (int)i : -1;
	}
	return true;
}

static bool was_there(int fd, const struct stat *about)
{
	for (unsigned i = 0; i < first_count; i++)
		if (first[i].fd == fd && first[i].device == about->st_dev && first[i].node == about->st_ino)
			return true;
	return false;
}

static bool note_first(int fd, const struct stat *about)
{
	if (first_count < MOST) {
		first[first_count].fd = fd;
		first[first_count].device = about->st_dev;
		first[first_count++].node = about->st_ino;
	}
	return true;
}

/* false: it would be shared. */
static bool take_down(int fd)
{
	char link[48];
	struct stat about;
	link_of(link, fd);
	long length = sys3(SYS_readlink, (long)link, (long)path, sizeof path - 1), flags = sys3(SYS_fcntl, fd, F_GETFL, 0);
	path[length > 0 ? length : 0] = 0;
	if (fd == steer->serve_fd || starts(path, "/memfd:raddle-"))
		return true;
	if (length <= 0 || flags < 0 || sys3(SYS_fstat, fd, (long)&about, 0) < 0)
		return false;
	if (keeps_nothing(&about) || (!S_ISREG(about.st_mode) && (was_there(fd, &about) || (begins && note_first(fd, &about)))))
		return true;
	if (!S_ISREG(about.st_mode) || flags & O_PATH || count == MOST)
		return false;
	struct file *f = &files[count];
	f->fd = fd;
	f->flags = flags & ~(O_CREAT | O_EXCL | O_TRUNC);
	f->close = sys3(SYS_fcntl, fd, F_GETFD, 0) & FD_CLOEXEC ? O_CLOEXEC : 0;
	f->offset = sys3(SYS_lseek, fd, 0, SEEK_CUR);
	f->device = about.st_dev;
	f->node = about.st_ino;
	f->nameless = about.st_nlink == 0 ? (uint64_t)about.st_size + 1 : 0;
	f->name[0] = 0;
	if (f->nameless)
		return f->nameless <= NAMELESS_MOST && f->offset >= 0 && find_like(f) && ++count;
	if (!take_name(f, &about) || (!f->name[0] && (flags & O_ACCMODE) != O_RDONLY) || f->offset < 0 || !find_like(f))
		return false;
	count++;
	return true;
}

struct entry { uint64_t node, next; uint16_t bytes; uint8_t type; char name[]; };      /* as the kernel has it */

static bool take_down_entries(const char *from, long bytes, long list)
{
	for (long at = 0; at < bytes; ) {
		const struct entry *e = (const struct entry *)(from + at);
		const char *name = e->name;
		at += e->bytes;
		if (*name < '0' || *name > '9')
			continue;
		long fd = (long)words_number(&name);
		if (fd != list && !take_down((int)fd))
			return false;
	}
	return true;
}

bool reopen_look(void)
{
	static char entries[4096] __attribute__((aligned(8)));
	count = 0;
	long list = sys6(SYS_openat, AT_FDCWD, (long)"/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0, 0, 0), bytes;
	bool good = list >= 0 && sys3(SYS_getcwd, (long)here, sizeof here, 0) > 1 && here[0] == '/';
	while (good && (bytes = sys3(SYS_getdents64, list, (long)entries, sizeof entries)) != 0)
		good = bytes > 0 && take_down_entries(entries, bytes, list);
	if (list >= 0)
		sys3(SYS_close, list, 0, 0);
	return good;
}

void reopen_start(void)
{
	begins = true;
	reopen_look();
	begins = false;
}

/* ---- in the copy ---- */

/* The same bytes. */
static long copy_nameless(const struct file *f)
{
	long own = sys3(SYS_memfd_create, (long)"file", MFD_CLOEXEC, 0), got = 0;
	static char piece[4096];
	for (uint64_t at = 0; own >= 0 && at + 1 < f->nameless; at += (uint64_t)got) {
		got = sys6(SYS_pread64, f->fd, (long)piece, sizeof piece, (long)at, 0, 0);
		if (got <= 0 || sys6(SYS_pwrite64, own, (long)piece, got, (long)at, 0, 0) != got)
			return -EIO;
	}
	if (own >= 0 && f->flags & O_APPEND)
		sys3(SYS_fcntl, own, F_SETFL, f->flags);
	return own;
}

static long open_again(const struct file *f)
{
	if (f->nameless)
		return copy_nameless(f);
	if (f->name[0])
		return sys6(SYS_openat, AT_FDCWD, (long)f->name, f->flags | O_CLOEXEC, 0, 0, 0);
	link_of(path, f->fd);
	return sys6(SYS_openat, AT_FDCWD, (long)path, f->flags | O_CLOEXEC, 0, 0, 0);
}

bool reopen_begin(const char *room)
{
	if (sys3(SYS_chdir, (long)room, 0, 0) < 0)
		return false;
	for (unsigned i = 0; i < count; i++) {
		const struct file *f = &files[i];
		if (f->like >= 0) {
			if (sys3(SYS_dup3, files[f->like].fd, f->fd, f->close) < 0)
				return false;
			continue;
		}
		long own = open_again(f);
		if (own < 0 || sys3(SYS_lseek, own, f->offset, SEEK_SET) != f->offset || sys3(SYS_dup3, own, f->fd, f->close) < 0)
			return false;
		sys3(SYS_close, own, 0, 0);
	}
	return true;
}

/* ---- calls ---- */

/* A name below the working directory, as far as its letters say: links are not made (below). */
static bool stays_inside(const char *name)
{
	if (!sys_readable(name, 1) || name[0] == '/' || !name[0])
		return false;
	for (; *name; name++)
		if (name[0] == '.' && name[1] == '.')
			return false;
	return true;
}

static bool opens(long directory, long name, long flags)
{
	if (!(flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) || (flags & O_TMPFILE) == O_TMPFILE)
		return true;
	return (int)directory == AT_FDCWD && (stays_inside((const char *)name) || (sys_readable((const char *)name, 1) && starts((const char *)name, "/dev/null")));
}

bool reopen_allows(const struct world_call *c)
{
	switch (c->number) {
	case SYS_read: case SYS_pread64: case SYS_readv: case SYS_preadv: case SYS_write: case SYS_pwrite64: case SYS_writev: case SYS_pwritev:
	case SYS_lseek: case SYS_close: case SYS_ftruncate: case SYS_fsync: case SYS_fdatasync: case SYS_fadvise64: case SYS_dup: case SYS_dup2: case SYS_dup3:
		return true;
	case SYS_open:   return opens(AT_FDCWD, c->a[0], c->a[1]);
	case SYS_creat:  return opens(AT_FDCWD, c->a[0], O_WRONLY);
	case SYS_openat: return opens(c->a[0], c->a[1], c->a[2]);
	case SYS_unlink: case SYS_mkdir: case SYS_rmdir:
		return stays_inside((const char *)c->a[0]);
	case SYS_rename:
		return stays_inside((const char *)c->a[0]) && stays_inside((const char *)c->a[1]);
	case SYS_fcntl:
		return c->a[1] == F_GETFL || c->a[1] == F_GETFD || c->a[1] == F_SETFD || c->a[1] == F_DUPFD || c->a[1] == F_DUPFD_CLOEXEC;
	default:
		return false;
	}
}
