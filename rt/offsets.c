/* rt/offsets.c -- see offsets.h.  A copy of a process shares the place in a file with the process it was copied from: what one run reads, the
 * next one would not find.  So each run opens them again, where they were.  One it may write to is opened where the run keeps
 * what it changes (private.c). */
#include "rt/offsets.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rt/private.h"
#include "rt/sys.h"

#define LOWEST 3                              /* standard input is raddle's to wind back; output goes to memory of its own */
#define HIGHEST 256
#define MOST 32u

static struct { int fd; long flags, offset, close; } files[MOST];
static unsigned count;

void offsets_start(void)
{
	struct stat about;
	for (int fd = LOWEST; fd < HIGHEST && count < MOST; fd++) {
		long flags = sys3(SYS_fcntl, fd, F_GETFL, 0);
		if (flags < 0 || flags & O_PATH || sys3(SYS_fstat, fd, (long)&about, 0) < 0 || !S_ISREG(about.st_mode))
			continue;
		files[count].fd = fd;
		files[count].flags = flags & ~(O_CREAT | O_EXCL | O_TRUNC);
		files[count].close = sys3(SYS_fcntl, fd, F_GETFD, 0) & FD_CLOEXEC ? O_CLOEXEC : 0;
		files[count++].offset = sys3(SYS_lseek, fd, 0, SEEK_CUR);
	}
}

void offsets_begin(void)
{
	for (unsigned i = 0; i < count; i++) {
		long own = private_open_again(files[i].fd, files[i].flags);
		if (own >= 0) {
			sys3(SYS_dup3, own, files[i].fd, files[i].close);
			sys3(SYS_close, own, 0, 0);
		}
		sys3(SYS_lseek, files[i].fd, files[i].offset, SEEK_SET);
	}
}
