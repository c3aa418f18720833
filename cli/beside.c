/* cli/beside.c -- see beside.h. */
#include "cli/beside.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

int find_beside(char *path, size_t room, const char *name)
{
	static const char *const places[] = { "", "lib/", "../lib/raddle/", "../lib/" };
	char self[4096];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	if (n <= 0)
		return -1;
	self[n] = 0;
	char *slash = strrchr(self, '/');
	if (!slash)
		return -1;
	slash[1] = 0;
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		int length = snprintf(path, room, "%s%s%s", self, places[i], name);
		if (length > 0 && (size_t)length < room && access(path, F_OK) == 0)
			return 0;
	}
	return -1;
}
