/* cli/limits.c -- see limits.h.  Nothing is refused beforehand: a short run of a small program may do with less. */
#include "cli/limits.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>

#include "base/str.h"

/* needed: for eight runs at a time of a program of usual size. */
static const struct { int which; const char *name, *option; uint64_t needed, unit; int error; } limits[] = {
	{ RLIMIT_FSIZE,  "RLIMIT_FSIZE",  "-f", 1ull << 30, 1024, EFBIG },
	{ RLIMIT_AS,     "RLIMIT_AS",     "-v", 4ull << 30, 1024, ENOMEM },
	{ RLIMIT_NOFILE, "RLIMIT_NOFILE", "-n", 256,        1,    EMFILE },
};

void limits_hint(struct err *why)
{
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		struct rlimit now;
		if (getrlimit(limits[i].which, &now) < 0 || now.rlim_cur == RLIM_INFINITY || now.rlim_cur >= limits[i].needed)
			continue;
		bool said = strstr(why->text, str_error(limits[i].error)) != NULL;
		if (!said && (why->hint[0] || why->code == 2 || why->code == 3 || !why->code))
			continue;
		err_hint(why, "%s is %llu%s; raddle needs %llu%s for most programs: ulimit %s %llu", limits[i].name, (unsigned long long)(now.rlim_cur / limits[i].unit),
			limits[i].unit > 1 ? " KB" : "", (unsigned long long)(limits[i].needed / limits[i].unit), limits[i].unit > 1 ? " KB" : "",
			limits[i].option, (unsigned long long)(limits[i].needed / limits[i].unit));
		return;
	}
}
