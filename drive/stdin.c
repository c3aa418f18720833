/* drive/stdin.c -- see stdin.h.  Our own descriptor 0 becomes something that can be opened again; its offset is not touched after that. */
#include "drive/stdin.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_kept;
static off_t begin;

static int kept_pipe(void)
{
	char piece[65536];
	int fd = memfd_create("raddle-stdin", MFD_CLOEXEC);
	for (ssize_t got; fd >= 0 && (got = read(0, piece, sizeof piece)) != 0;) {
		if (got < 0 && errno != EINTR)
			break;
		for (ssize_t done = 0, n; done < got; done += n)
			if ((n = write(fd, piece + done, (size_t)(got - done))) <= 0)
				return fd;
	}
	return fd;
}

static void keep(void)
{
	struct stat facts;
	bool known = fstat(0, &facts) == 0;
	int fd = !known || isatty(0) ? open("/dev/null", O_RDONLY) : S_ISFIFO(facts.st_mode) || S_ISSOCK(facts.st_mode) ? kept_pipe() : 0;
	is_kept = true;
	if (fd > 0) {
		dup2(fd, 0);
		close(fd);
	} else if (fd == 0 && known) {
		begin = lseek(0, 0, SEEK_CUR);
	}
}

int stdin_again(void)
{
	if (!is_kept)
		keep();
	int fd = open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC);
	stdin_rewind(fd);
	return fd;
}

void stdin_rewind(int fd)
{
	if (fd >= 0 && begin >= 0)
		lseek(fd, begin, SEEK_SET);
}
