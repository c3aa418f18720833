/* Asynchronous input and output: libc makes a thread for it, by itself. */
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

int main(void)
{
	int fd = open("written", O_CREAT | O_WRONLY, 0600);
	struct aiocb request = { .aio_fildes = fd, .aio_buf = "written\n", .aio_nbytes = 8 };
	const struct aiocb *list[] = { &request };
	if (aio_write(&request))
		return 1;
	while (aio_error(&request) == EINPROGRESS)
		aio_suspend(list, 1, NULL);
	return aio_return(&request) != 8;
}
