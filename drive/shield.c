/* drive/shield.c -- see shield.h.
 *
 * The program has no way to new privileges (setuid programs run without them), and sees everything read-only but its working folder, /tmp,
 * /var/tmp, /dev/shm, $TMPDIR and what in /dev every program uses.  Two ways:
 *   (1) a mount namespace in a user namespace of its own.  A process that may mount makes the mounts read-only first, and then goes into a
 *       user namespace in which all users are the same as outside: from there it cannot be undone.  Any other goes into the user namespace
 *       first, and loses the right to mount when the program begins.  No device but those few can be opened, and no process outside can be
 *       traced.  Runs can still have copies of their files (rt/private.c): a namespace below inherits what is read-only;
 *   (2) Landlock, where namespaces are forbidden.  Modes, owners and times of files outside can still be changed there, and runs share
 *       their files, as they do without namespaces.
 * What is open already stays as it is.  Everything here is done between fork and exec. */
#include "drive/shield.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/landlock.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static bool wanted;
static enum shield used = SHIELD_NONE;

/* ---- places ---- */

#define PLACES 16u
#define ROOM   4096u

struct places { char at[PLACES][ROOM]; unsigned count; };

static void add_place(struct places *p, const char *path)
{
	char real[PATH_MAX];
	if (p->count < PLACES && path && *path == '/' && realpath(path, real) && real[1])
		snprintf(p->at[p->count++], ROOM, "%s", real);
}

/* Where it may change files. */
static void find_folders(struct places *p)
{
	char here[ROOM];
	add_place(p, "/tmp");
	add_place(p, "/var/tmp");
	add_place(p, "/dev/shm");
	add_place(p, getenv("TMPDIR"));
	add_place(p, getcwd(here, sizeof here));
}

static const char *const devices[] = { "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/ptmx", "/dev/pts" };
#define DEVICES (sizeof devices / sizeof *devices)

/* In /proc: what is about the machine, not about a process. */
static const char *const machine[] = { "/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs", "/proc/acpi", "/proc/scsi", "/proc/driver" };
#define MACHINE (sizeof machine / sizeof *machine)

/* ---- a user namespace ---- */

static bool put(const char *path, const char *text, size_t length)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && write(fd, text, length) == (ssize_t)length;
	if (fd >= 0)
		close(fd);
	return done;
}

/* "0 100000 65536" says who 0 is outside; in the new namespace each keeps the number it has here: "0 0 65536". */
static size_t same_ids(const char *map, unsigned own, bool all, char *into, size_t room)
{
	FILE *in = all ? fopen(map, "re") : NULL;
	unsigned first, outside, count;
	size_t length = 0;
	while (in && length + 40 < room && fscanf(in, "%u %u %u", &first, &outside, &count) == 3)
		length += (size_t)snprintf(into + length, room - length, "%u %u %u\n", first, first, count);
	if (in)
		fclose(in);
	return length ? length : (size_t)snprintf(into, room, "%u %u 1\n", own, own);
}

/* A process outside the namespace of `pid`: says who is who there.  All users, if it may; or this one. */
static bool map_ids(pid_t pid, bool all)
{
	char path[64], text[4096];
	size_t length = same_ids("/proc/self/uid_map", geteuid(), all, text, sizeof text);
	snprintf(path, sizeof path, "/proc/%d/uid_map", (int)pid);
	if (!put(path, text, length))
		return false;
	snprintf(path, sizeof path, "/proc/%d/setgroups", (int)pid);
	if (!all && !put(path, "deny", 4))
		return false;
	length = same_ids("/proc/self/gid_map", getegid(), all, text, sizeof text);
	snprintf(path, sizeof path, "/proc/%d/gid_map", (int)pid);
	return put(path, text, length);
}

static void helper(pid_t pid, int begin, bool all)
{
	char go;
	_exit(read(begin, &go, 1) == 1 && map_ids(pid, all) ? 0 : 1);
}

/* 0, or -1 and errno.  The maps are written by a process that stays outside. */
static int leave_users(bool all)
{
	int begin[2], status = 1, failed = 0;
	pid_t self = getpid();
	if (pipe2(begin, O_CLOEXEC) < 0)
		return -1;
	pid_t child = fork();
	if (child == 0) {
		close(begin[1]);
		helper(self, begin[0], all);
	}
	close(begin[0]);
	if (child < 0 || unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0 || write(begin[1], "", 1) != 1)
		failed = errno;
	close(begin[1]);
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	errno = failed ? failed : EPERM;
	return failed || status ? -1 : 0;
}

/* ---- (1) mounts ---- */

static int set_mount(const char *path, unsigned flags, uint64_t set, uint64_t clear)
{
	struct mount_attr attributes = { .attr_set = set, .attr_clr = clear };
	return (int)syscall(SYS_mount_setattr, AT_FDCWD, path, flags, &attributes, sizeof attributes);
}

/* A mount of its own, so that it can have its own rights. */
static int part(const char *path)
{
	return mount(path, path, NULL, MS_BIND | MS_REC, NULL);
}

static void part_all(const char *const *paths, size_t count)
{
	for (size_t i = 0; i < count; i++)
		part(paths[i]);
}

/* What was read-only before stays so. */
static void open_up(const char *path, uint64_t clear)
{
	if (set_mount(path, AT_RECURSIVE, 0, clear) < 0)
		set_mount(path, 0, 0, clear);
}

static int mounts_read_only(struct places *p)
{
	if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		return -1;
	part_all(devices, DEVICES);
	part("/proc");
	part_all(machine, MACHINE);
	for (unsigned i = 0; i < p->count; i++)
		if (part(p->at[i]) < 0)
			return -1;
	if (set_mount("/", AT_RECURSIVE, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV, 0) < 0)
		return -1;
	open_up("/proc", MOUNT_ATTR_RDONLY);
	for (size_t i = 0; i < MACHINE; i++)
		set_mount(machine[i], AT_RECURSIVE, MOUNT_ATTR_RDONLY, 0);
	for (size_t i = 0; i < DEVICES; i++)
		open_up(devices[i], MOUNT_ATTR_RDONLY | MOUNT_ATTR_NODEV);
	for (unsigned i = 0; i < p->count; i++)
		open_up(p->at[i], MOUNT_ATTR_RDONLY);
	return 0;
}

static int enter_mounts(struct places *p)
{
	char here[ROOM];
	const char *back = getcwd(here, sizeof here);
	bool may_mount = unshare(CLONE_NEWNS) == 0;
	if ((!may_mount && leave_users(false) < 0) || mounts_read_only(p) < 0)
		return -1;
	if (back && chdir(back) < 0)            /* it was below what was mounted over it */
		return -1;
	return may_mount ? leave_users(true) : 0;
}

/* ---- (2) Landlock ---- */

#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ull << 14)
#endif
#define ABI_NEEDED   2                  /* before that no file goes from one folder to another */
#define ABI_TRUNCATE 3
#define OF_FILES     (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_TRUNCATE)
#define CHANGES      (OF_FILES | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR | \
	LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | \
	LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM | LANDLOCK_ACCESS_FS_REFER)

static long landlock_abi(void)
{
	return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

/* What is not there needs no rule. */
static void allow(int rules, const char *path, uint64_t access)
{
	int fd = open(path, O_PATH | O_CLOEXEC);
	struct landlock_path_beneath_attr rule = { .allowed_access = access, .parent_fd = fd };
	if (fd < 0)
		return;
	if (syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) < 0 && errno == EINVAL) {
		rule.allowed_access &= OF_FILES;
		syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
	}
	close(fd);
}

static int enter_landlock(struct places *p)
{
	long abi = landlock_abi();
	uint64_t handled = abi >= ABI_TRUNCATE ? CHANGES : CHANGES & ~LANDLOCK_ACCESS_FS_TRUNCATE;
	struct landlock_ruleset_attr attributes = { .handled_access_fs = handled };
	if (abi >= 0 && abi < ABI_NEEDED)
		errno = ENOSYS;
	int rules = abi < ABI_NEEDED ? -1 : (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
	if (rules < 0)
		return -1;
	for (unsigned i = 0; i < p->count; i++)
		allow(rules, p->at[i], handled);
	for (size_t i = 0; i < DEVICES; i++)
		allow(rules, devices[i], handled & OF_FILES);
	allow(rules, "/proc/self", handled & OF_FILES);
	int got = (int)syscall(SYS_landlock_restrict_self, rules, 0);
	close(rules);
	return got;
}

/* ---- all of it ---- */

static int enter(enum shield how)
{
	static struct places places;
	places.count = 0;
	find_folders(&places);
	if (how == SHIELD_MOUNTS && enter_mounts(&places) < 0)
		return -1;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	return how == SHIELD_LANDLOCK ? enter_landlock(&places) : 0;
}

int shield_enter(void)
{
	return wanted ? enter(used) : 0;
}

static bool works(enum shield how)
{
	int status;
	pid_t child = fork();
	if (child == 0)
		_exit(enter(how) == 0 ? 0 : 1);
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return child > 0 && status == 0;
}

enum shield shield_can(void)
{
	return works(SHIELD_MOUNTS) ? SHIELD_MOUNTS : works(SHIELD_LANDLOCK) ? SHIELD_LANDLOCK : SHIELD_NONE;
}

enum shield shield_programs(void)
{
	wanted = true;
	return used = shield_can();
}

bool shield_is_on(void)
{
	return used != SHIELD_NONE;
}
