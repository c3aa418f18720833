/* rt/maps.c -- see maps.h.  Without libc; a line is "low-high rw-p ...". */
#include "rt/maps.h"

#include <fcntl.h>

#include "rt/sys.h"

static uint64_t hex(const char **at)
{
	uint64_t value = 0;
	for (;; (*at)++) {
		char c = **at;
		if (c >= '0' && c <= '9')
			value = value << 4 | (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			value = value << 4 | (uint64_t)(c - 'a' + 10);
		else
			return value;
	}
}

static bool read_all(char *room, uint64_t bytes)
{
	long fd = sys6(SYS_openat, AT_FDCWD, (long)"/proc/self/maps", O_RDONLY | O_CLOEXEC, 0, 0, 0), got;
	uint64_t count = 0;
	if (fd < 0)
		return false;
	while ((got = sys3(SYS_read, fd, (long)room + (long)count, (long)(bytes - 1 - count))) > 0)
		count += (uint64_t)got;
	sys3(SYS_close, fd, 0, 0);
	room[got < 0 ? 0 : count] = 0;
	return got == 0 && count < bytes - 1;
}

bool maps_each(char *room, uint64_t bytes, maps_take *take, void *with)
{
	if (!read_all(room, bytes))
		return false;
	for (const char *line = room; *line; line++) {
		const char *at = line;
		uint64_t low = hex(&at);
		at++;
		uint64_t high = hex(&at);
		if (!take(with, low, high, at + 1))
			return false;
		while (*line != '\n')
			line++;
	}
	return true;
}
