/* drive/stuck.c -- see stuck.h.  /proc says in which system call a thread is.  A descriptor is the program's own if it has no other process, and raddle, which it has all others
 * from, does not have it. */
#include "drive/stuck.h"

#include <dirent.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/str.h"
#include "wire/kinds.h"

#define POLLED 16u                              /* descriptors of one poll() */

struct called { long number; unsigned long args[6]; };

static bool called_by(pid_t pid, int32_t tid, struct called *c)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/task/%d/syscall", (int)pid, (int)tid);
	FILE *file = fopen(path, "r");
	bool got = file && fscanf(file, "%ld %lx %lx %lx %lx %lx %lx", &c->number, &c->args[0], &c->args[1], &c->args[2], &c->args[3], &c->args[4], &c->args[5]) == 7;
	if (file)
		fclose(file);
	return got;
}

/* What a descriptor of a process is: "pipe:[4711]"; false: nothing. */
static bool link_of(const char *process, const char *fd, char into[64])
{
	char path[400];
	snprintf(path, sizeof path, "/proc/%.30s/fd/%.255s", process, fd);
	ssize_t length = readlink(path, into, 63);
	into[length > 0 ? length : 0] = 0;
	return length > 0;
}

static bool is_ours(const char *link)
{
	char mine[64];
	struct dirent *fd;
	bool found = false;
	DIR *all = opendir("/proc/self/fd");
	while (all && !found && (fd = readdir(all)))
		found = link_of("self", fd->d_name, mine) && !strcmp(mine, link);
	if (all)
		closedir(all);
	return found || !all;
}

static bool is_own(pid_t pid, int fd)
{
	char process[16], number[16], link[64];
	snprintf(process, sizeof process, "%d", (int)pid);
	snprintf(number, sizeof number, "%d", fd);
	if (!link_of(process, number, link))
		return false;
	return !strcmp(link, "anon_inode:[eventfd]") || (str_starts(link, "pipe:") && !is_ours(link));
}

static bool polls_own(pid_t pid, const struct called *c)
{
	struct pollfd polled[POLLED];
	size_t count = c->args[1], bytes = count * sizeof *polled;
	struct iovec to = { polled, bytes }, from = { (void *)c->args[0], bytes };
	if (!count || count > POLLED || process_vm_readv(pid, &to, 1, &from, 1, 0) != (ssize_t)bytes)
		return false;
	for (size_t i = 0; i < count; i++)
		if (polled[i].fd >= 0 && !is_own(pid, polled[i].fd))
			return false;
	return true;
}

static bool is_stuck(pid_t pid, int32_t tid)
{
	struct called c;
	if (!called_by(pid, tid, &c))
		return false;
	switch (c.number) {
	case SYS_read: case SYS_readv: case SYS_write: case SYS_writev:
		return is_own(pid, (int)c.args[0]);
	case SYS_poll:
		return (int)c.args[2] < 0 && polls_own(pid, &c);
	case SYS_ppoll:
		return !c.args[2] && polls_own(pid, &c);
	default:
		return false;
	}
}

static unsigned children_of(pid_t pid, int32_t tid)
{
	char path[64];
	int child;
	unsigned count = 0;
	snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)tid);
	FILE *file = fopen(path, "r");
	while (file && fscanf(file, "%d", &child) == 1)
		count++;
	if (file)
		fclose(file);
	return count;
}

/* No process of it was recorded but this one, none came to us as an orphan, and it has none that are not recorded. */
static bool is_alone(const struct ring *r, pid_t pid)
{
	unsigned count = 0, others = children_of(getpid(), getpid());
	for (uint32_t i = 0; i < RING_PROCESSES; i++)
		count += ring_process(r, i)->state != PROC_FREE;
	for (uint32_t i = 0, areas = ring_area_count(r); i < areas; i++)
		others += children_of(pid, ring_area(r, i)->tid);
	return count == 1 && others <= 1;
}

void stuck_mark(struct ring *r, pid_t pid)
{
	for (uint32_t i = 0, count = is_alone(r, pid) ? ring_area_count(r) : 0; i < count; i++) {
		struct thread_area *a = ring_area(r, i);
		if (a->state == AREA_LIVE && !a->waits_kind && is_stuck(pid, a->tid)) {
			a->waits_for = a->waits_pc = a->waits_until = 0;
			a->waits_kind = EV_INPUT;
		}
	}
}

void stuck_forget(struct ring *r)
{
	for (uint32_t i = 0, count = ring_area_count(r); i < count; i++)
		ring_area(r, i)->waits_until = 1;
}
