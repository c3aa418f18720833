/* What is handed to the system without an event of it: a store into a mapped file, a length, a name. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static char name[] = "made.out";
static volatile char letter = 'A';
static volatile long length = 40;

int main(void)
{
	int fd = open("map.out", O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || ftruncate(fd, 4096) != 0)
		return 1;
	char *map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		return 2;
	map[10] = letter;               /* stored */
	munmap(map, 4096);
	if (ftruncate(fd, length) != 0) /* cut */
		return 3;
	close(fd);
	name[0] = 'm';                  /* named */
	fd = open(name, O_RDWR | O_CREAT, 0600);
	close(fd);
	return 0;
}
