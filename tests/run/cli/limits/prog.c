/* With 1: lowers its own limit of files and writes more than that. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct rlimit little = { 10, 10 };
	if (argc < 2 || !atoi(argv[1]))
		return 0;
	setrlimit(RLIMIT_FSIZE, &little);
	int fd = open("much", O_WRONLY | O_CREAT, 0600);
	return write(fd, "more than ten bytes", 19) == 10 && write(fd, "more", 4) == 4 ? 0 : 1;
}
