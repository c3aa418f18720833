/* rt/private.c -- runs of a server do not see each other's files, nor does a run of many that has a process started for it leave any.
 *
 * Nothing is done until a run is about to change something below its working directory, or where temporary files go.  Then it
 * leaves the mount namespace it was born in, and an overlay is laid over that place: what it writes goes to memory of its own and is
 * gone with it.  Everything it changes elsewhere really happens, and is said.
 *   (1) a path is judged by what it leads to, links followed; a call that names a file by a directory's descriptor, which may have
 *       been opened before the overlay, is given the whole path instead;
 *   (2) without the right to do so (a container, kernel threads), the runs share the place, and that is said. */
#include "rt/private.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "rt/words.h"

#define NONE (-1)
#define PATH_ROOM 4096

struct named { int dirfd, path; };            /* which arguments of a call are these; NONE: there is none */

static bool started, own_space, refused;
static struct { char path[PATH_ROOM]; bool covered; } places[4];
static unsigned place_count;
static char whole[2][PATH_ROOM];              /* paths given to calls instead of their own */
static char here[PATH_ROOM], above[PATH_ROOM], parent[PATH_ROOM];     /* too large for stacks of threads; one strand runs at a time */

/* ---- what a call names ---- */

static bool opens_to_write(long flags)
{
	return flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC);
}

/* The files it changes, at most two; how many. */
static unsigned changes(const struct world_call *c, struct named *out)
{
	switch (c->number) {
	case SYS_open:
		out[0] = (struct named){ NONE, 0 };
		return opens_to_write(c->a[1]);
	case SYS_openat:
		out[0] = (struct named){ 0, 1 };
		return opens_to_write(c->a[2]);
	case SYS_openat2:
		out[0] = (struct named){ 0, 1 };
		return opens_to_write(*(const long *)c->a[2]);
	case SYS_creat: case SYS_unlink: case SYS_rmdir: case SYS_mkdir: case SYS_truncate: case SYS_chmod: case SYS_chown:
	case SYS_lchown: case SYS_mknod: case SYS_utime: case SYS_utimes: case SYS_setxattr: case SYS_removexattr:
		out[0] = (struct named){ NONE, 0 };
		return 1;
	case SYS_unlinkat: case SYS_mkdirat: case SYS_mknodat: case SYS_fchmodat: case SYS_fchownat: case SYS_utimensat:
		out[0] = (struct named){ 0, 1 };
		return c->a[1] != 0;
	case SYS_rename: case SYS_link:
		out[0] = (struct named){ NONE, 0 };
		out[1] = (struct named){ NONE, 1 };
		return 2;
	case SYS_renameat: case SYS_renameat2: case SYS_linkat:
		out[0] = (struct named){ 0, 1 };
		out[1] = (struct named){ 2, 3 };
		return 2;
	case SYS_symlink:
		out[0] = (struct named){ NONE, 1 };
		return 1;
	case SYS_symlinkat:
		out[0] = (struct named){ 1, 2 };
		return 1;
	default:
		return 0;
	}
}

static unsigned length_of(const char *text)
{
	unsigned n = 0;
	while (text[n])
		n++;
	return n;
}

/* Where a descriptor leads.  false: nowhere that has a path. */
static bool path_of(long fd, char *into)
{
	char link[40];
	unsigned at = words_add(link, 0, sizeof link, "/proc/self/fd/");
	words_add_number(link, at, sizeof link, (uint64_t)fd);
	long n = sys3(SYS_readlink, (long)link, (long)into, PATH_ROOM - 1);
	into[n > 0 ? n : 0] = 0;
	return n > 0 && into[0] == '/';
}

/* The directory a file that does not exist would be in, then its name. */
static bool path_of_new(int dirfd, const char *path, char *into)
{
	unsigned n = length_of(path), slash = n;
	if (n >= PATH_ROOM)
		return false;
	while (slash && path[slash - 1] != '/')
		slash--;
	copy_bytes(parent, slash ? path : ".", slash ? slash : 1);
	parent[slash ? slash : 1] = 0;
	long fd = sys6(SYS_openat, dirfd, (long)parent, O_PATH | O_DIRECTORY | O_CLOEXEC, 0, 0, 0);
	bool known = fd >= 0 && path_of(fd, into);
	if (fd >= 0)
		sys3(SYS_close, fd, 0, 0);
	if (!known)
		return false;
	unsigned at = words_add(into, length_of(into), PATH_ROOM, "/");
	words_add(into, at, PATH_ROOM, path + slash);
	return true;
}

static bool find(const struct world_call *c, const struct named *n, bool follow, char *into)
{
	int dirfd = n->dirfd == NONE ? AT_FDCWD : (int)c->a[n->dirfd];
	const char *path = (const char *)c->a[n->path];
	if (!sys_readable(path, 1))
		return false;
	long fd = follow ? sys6(SYS_openat, dirfd, (long)path, O_PATH | O_CLOEXEC, 0, 0, 0) : -ENOENT;
	if (fd < 0)
		return path_of_new(dirfd, path, into);
	bool known = path_of(fd, into);
	sys3(SYS_close, fd, 0, 0);
	return known;
}

/* ---- places ---- */

static bool below(const char *path, const char *place)
{
	unsigned n = length_of(place);
	for (unsigned i = 0; i < n; i++)
		if (path[i] != place[i])
			return false;
	return n == 1 || path[n] == '/' || !path[n];
}

static void add_place(const char *path)
{
	for (unsigned i = 0; i < place_count; i++)
		if (below(path, places[i].path) || below(places[i].path, path))
			return;
	words_add(places[place_count++].path, 0, PATH_ROOM, path);
}

void private_start(void)
{
	add_place("/tmp");
	add_place("/var/tmp");
	add_place("/dev/shm");
	if (sys3(SYS_getcwd, (long)here, sizeof here, 0) > 0 && here[0] == '/' && here[1])
		add_place(here);
	started = true;
}

static bool put_file(const char *path, const char *text)
{
	long fd = sys6(SYS_openat, AT_FDCWD, (long)path, O_WRONLY | O_CLOEXEC, 0, 0, 0);
	bool done = fd >= 0 && sys3(SYS_write, fd, (long)text, length_of(text)) > 0;
	if (fd >= 0)
		sys3(SYS_close, fd, 0, 0);
	return done;
}

static void put_ids(const char *path, uint64_t id)
{
	char text[64];
	unsigned at = words_add_number(text, 0, sizeof text, id);
	at = words_add(text, at, sizeof text, " ");
	at = words_add_number(text, at, sizeof text, id);
	words_add(text, at, sizeof text, " 1");
	put_file(path, text);
}

/* In a user namespace only what is ours can be copied on top: does `path`, if it is there, and do the directories on the way to it, from `place`? */
static bool is_ours(const char *place, const char *path, uint64_t uid, uint64_t gid)
{
	struct stat about;
	words_add(above, 0, PATH_ROOM, path);
	for (size_t n = length_of(above), top = length_of(place); n > top; n--) {
		if (above[n] && above[n] != '/')
			continue;
		above[n] = 0;
		if (sys3(SYS_stat, (long)above, (long)&about, 0) == 0 && (about.st_uid != uid || about.st_gid != gid))
			return false;
	}
	return true;
}

/* A mount namespace of our own, in a user namespace of our own if it takes that. */
static bool leave_namespace(const char *place, const char *path)
{
	uint64_t uid = (uint64_t)sys3(SYS_geteuid, 0, 0, 0), gid = (uint64_t)sys3(SYS_getegid, 0, 0, 0);
	if (steer->switched_by != SWITCH_GHOST)
		return false;                   /* a namespace belongs to a kernel thread */
	if (sys3(SYS_unshare, CLONE_NEWNS, 0, 0) < 0) {
		if (!is_ours(place, path, uid, gid) || sys3(SYS_unshare, CLONE_NEWUSER | CLONE_NEWNS, 0, 0) < 0)
			return false;
		put_file("/proc/self/setgroups", "deny");
		put_ids("/proc/self/uid_map", uid);
		put_ids("/proc/self/gid_map", gid);
		sys3(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0);       /* who changes what he is forgets that */
	}
	return sys6(SYS_mount, (long)"none", (long)"/", 0, MS_REC | MS_PRIVATE, 0, 0) == 0;
}

static long open_directory(const char *path)
{
	return sys6(SYS_openat, AT_FDCWD, (long)path, O_PATH | O_DIRECTORY | O_CLOEXEC, 0, 0, 0);
}

static unsigned add_fd(char *to, unsigned at, const char *option, long fd)
{
	at = words_add(to, at, 256, option);
	at = words_add(to, at, 256, "/proc/self/fd/");
	return words_add_number(to, at, 256, (uint64_t)fd);
}

/* The place below, memory on top: first a file system in memory over the place, then the overlay over that. */
static bool cover(const char *place)
{
	char options[256];
	long lower = open_directory(place);
	if (lower < 0 || sys6(SYS_mount, (long)"raddle", (long)place, (long)"tmpfs", 0, 0, 0) < 0)
		return false;
	unsigned n = words_add(above, 0, PATH_ROOM, place);
	words_add(above, n, PATH_ROOM, "/upper");
	sys3(SYS_mkdir, (long)above, 0777, 0);
	long upper = open_directory(above);
	words_add(above, n, PATH_ROOM, "/work");
	sys3(SYS_mkdir, (long)above, 0777, 0);
	long work = open_directory(above);
	unsigned at = add_fd(options, 0, "lowerdir=", lower);
	at = add_fd(options, at, ",upperdir=", upper);
	at = add_fd(options, at, ",workdir=", work);
	bool done = sys6(SYS_mount, (long)"raddle", (long)place, (long)"overlay", 0, (long)options, 0) == 0;
	if (!done) {
		words_add(options, at, sizeof options, ",userxattr");
		done = sys6(SYS_mount, (long)"raddle", (long)place, (long)"overlay", 0, (long)options, 0) == 0;
	}
	sys3(SYS_close, lower, 0, 0);
	sys3(SYS_close, upper, 0, 0);
	sys3(SYS_close, work, 0, 0);
	if (!done)
		sys3(SYS_umount2, (long)place, MNT_DETACH, 0);
	return done;
}

static bool become_private(unsigned i, const char *path)
{
	bool known = sys3(SYS_getcwd, (long)here, sizeof here, 0) > 0;
	if (!own_space)
		own_space = leave_namespace(places[i].path, path);
	if (!own_space || !cover(places[i].path))
		return false;
	if (known)
		sys3(SYS_chdir, (long)here, 0, 0);
	return true;
}

void private_leaves(const char *what, const char *whom)
{
	if (!started || steer->outside[0])
		return;
	unsigned at = words_add(steer->outside, 0, STEER_TEXT, what);
	if (whom) {
		at = words_add(steer->outside, at, STEER_TEXT, " ");
		words_add(steer->outside, at, STEER_TEXT, whom);
	}
}

static bool is_nobodys(const char *path)
{
	return below(path, "/dev") || below(path, "/proc") || below(path, "/sys");
}

/* Is what the run changes there its own? */
static bool is_covered(unsigned i, const char *path)
{
	if (!places[i].covered && !refused) {
		places[i].covered = become_private(i, path);
		refused = !places[i].covered;
	}
	return places[i].covered;
}

static void judge(const char *path)
{
	for (unsigned i = 0; i < place_count; i++) {
		if (!below(path, places[i].path))
			continue;
		if (!is_covered(i, path))
			private_leaves("shares with other runs what it changes at", path);
		return;
	}
	if (!is_nobodys(path))
		private_leaves("changes", path);
}

void private_before(struct world_call *c)
{
	struct named names[2];
	unsigned count = started ? changes(c, names) : 0;
	for (unsigned i = 0; i < count; i++) {
		bool follow = c->number == SYS_open || c->number == SYS_openat || c->number == SYS_creat || c->number == SYS_truncate;
		if (!find(c, &names[i], follow, whole[i]))
			continue;
		judge(whole[i]);
		if (names[i].dirfd != NONE && (int)c->a[names[i].dirfd] != AT_FDCWD && *(const char *)c->a[names[i].path] != '/') {
			c->a[names[i].dirfd] = AT_FDCWD;
			c->a[names[i].path] = (long)whole[i];
		}
	}
}

void private_before_process(void)
{
	for (unsigned i = 0; started && i < place_count; i++)
		is_covered(i, below(here, places[i].path) ? here : places[i].path);
	private_leaves(refused ? "makes a process, which shares its files with other runs" : "makes a process, which is not watched", NULL);
}

/* The file it makes is the run's own, where runs have their own. */
static void binds(const struct world_call *c)
{
	const struct sockaddr_un *to = (const struct sockaddr_un *)c->a[1];
	char path[sizeof to->sun_path + 1] = "";
	uint64_t head = offsetof(struct sockaddr_un, sun_path), bytes = (uint64_t)c->a[2];
	if (bytes <= head || bytes > sizeof *to || !sys_readable(to, bytes) || to->sun_family != AF_UNIX)
		return;
	copy_bytes(path, to->sun_path, bytes - head);
	if (path[0] && path_of_new(AT_FDCWD, path, whole[0]))
		judge(whole[0]);
}

void private_reaches(const struct world_call *c)
{
	const struct msghdr *message = (const struct msghdr *)c->a[1];
	if (c->number == SYS_bind && started) {
		binds(c);
		private_leaves("binds a socket", NULL);
	} else if (c->number == SYS_sendto && c->a[4])
		private_leaves("sends to an address", NULL);
	else if (c->number == SYS_sendmsg && sys_readable(message, sizeof *message) && message->msg_name)
		private_leaves("sends to an address", NULL);
}

long private_open_again(long fd, long flags)
{
	char link[40];
	unsigned at = words_add(link, 0, sizeof link, "/proc/self/fd/");
	words_add_number(link, at, sizeof link, (uint64_t)fd);
	bool writes = (flags & O_ACCMODE) != O_RDONLY && path_of(fd, whole[0]);
	if (writes)
		judge(whole[0]);
	long own = writes ? sys6(SYS_openat, AT_FDCWD, (long)whole[0], flags | O_CLOEXEC, 0, 0, 0) : -ENOENT;
	return own >= 0 ? own : sys6(SYS_openat, AT_FDCWD, (long)link, flags | O_CLOEXEC, 0, 0, 0);
}
