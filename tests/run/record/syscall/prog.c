/* All numbers and all six arguments of `syscall` arrive; errno too. */
#include "../check.h"
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

int main(void)
{
	int fd = (int)syscall(SYS_memfd_create, "x", 0);
	CHECK(fd >= 0);
	IS(syscall(SYS_ftruncate, fd, 8192L), 0);
	IS(syscall(SYS_pwrite64, fd, "deep", 4L, 4096L), 4);
	char *at = (char *)syscall(SYS_mmap, NULL, 4096L, PROT_READ, MAP_SHARED, fd, 4096L);
	CHECK(at != MAP_FAILED && memcmp(at, "deep", 4) == 0);
	errno = 0;
	IS(syscall(SYS_close, -1), -1);
	IS(errno, EBADF);
	IS(syscall(SYS_getpid), getpid());
	pid_t child = (pid_t)syscall(SYS_fork);
	if (child == 0)
		syscall(SYS_exit_group, 9);
	int status;
	IS(waitpid(child, &status, 0), child);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 9);
	return done();
}
