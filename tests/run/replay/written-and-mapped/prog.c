/* A file that is mapped and written, too: each write shows in the mappings, whatever it is made by, and what is read there decides what comes next. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

static int fd, other;
static const char *map, *half;
static int calls;

static void *writes(void *nothing)
{
	struct iovec v[2] = { { "cc", 2 }, { "dd", 2 } };
	if (pwrite(fd, "aa", 2, 4095) == 2 && map[4096] == 'a' && half[0] == 'a')
		calls++;
	if (lseek(other, 10, SEEK_SET) == 10 && write(other, "bb", 2) == 2 && map[11] == 'b')
		calls++;
	if (writev(other, v, 2) == 4 && !memcmp(map + 12, "ccdd", 4))
		calls++;
	if (pwritev(fd, v, 2, 6000) == 4 && !memcmp(half + 6000 - 4096, "ccdd", 4))
		calls++;
	return nothing;
}

int main(void)
{
	pthread_t t;
	fd = memfd_create("file", 0);
	if (ftruncate(fd, 8192))
		return 1;
	char path[40];
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	other = open(path, O_RDWR);
	map = mmap(NULL, 8192, PROT_READ, MAP_SHARED, fd, 0);
	half = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 4096);
	pthread_create(&t, NULL, writes, NULL);
	pthread_join(t, NULL);
	munmap((void *)half, 4096);
	if (pwrite(fd, "ee", 2, 4096) == 2 && map[4097] == 'e')
		calls++;
	for (int i = 0; i < calls; i++)
		putchar('0' + i);
	printf(" %d\n", calls);
	return 0;
}
