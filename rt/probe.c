/* rt/probe.c -- says who we are, when somebody asks what another program starts (wire/probe.h). */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "rt/rt.h"
#include "rt/sys.h"
#include "wire/probe.h"

#define ROOM (8u << 20)                       /* more than the kernel lets arguments and environment have */

static uint64_t add_link(const char *path, char *to, uint64_t room)
{
	long n = sys3(SYS_readlink, (long)path, (long)to, (long)room);
	return n > 0 ? (uint64_t)n : 0;
}

static uint64_t add_file(const char *path, char *to, uint64_t room)
{
	uint64_t used = 0;
	long fd = sys3(SYS_open, (long)path, O_RDONLY | O_CLOEXEC, 0), n = 0;
	while (fd >= 0 && used < room && (n = sys3(SYS_read, fd, (long)to + (long)used, (long)(room - used))) > 0)
		used += (uint64_t)n;
	if (fd >= 0)
		sys3(SYS_close, fd, 0, 0);
	return used;
}

__attribute__((constructor(101))) static void tell(void)
{
	const char *path = getenv(PROBE_ENV);
	if (!path)
		return;
	long fd = sys3(SYS_open, (long)path, O_WRONLY | O_APPEND | O_CLOEXEC, 0);
	char *buffer = (char *)sys6(SYS_mmap, 0, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (fd < 0 || (unsigned long)buffer >= -4095ul)
		return;
	struct probe_record *record = (struct probe_record *)buffer;
	uint64_t used = sizeof *record;
	record->magic = PROBE_MAGIC;
	used += record->bytes[PROBE_EXE] = add_link("/proc/self/exe", buffer + used, ROOM - used);
	used += record->bytes[PROBE_FOLDER] = add_link("/proc/self/cwd", buffer + used, ROOM - used);
	used += record->bytes[PROBE_STDIN] = add_link("/proc/self/fd/0", buffer + used, ROOM - used);
	used += record->bytes[PROBE_ARGUMENTS] = add_file("/proc/self/cmdline", buffer + used, ROOM - used);
	used += record->bytes[PROBE_ENVIRONMENT] = add_file("/proc/self/environ", buffer + used, ROOM - used);
	sys3(SYS_write, fd, (long)buffer, (long)used);
	sys3(SYS_munmap, (long)buffer, ROOM, 0);
	sys3(SYS_close, fd, 0, 0);
}
