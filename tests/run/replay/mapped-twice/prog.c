/* A ring buffer whose memory is mapped twice, one behind the other: what is written at one place is read at the other. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define ROOM 8192

static char *ring;

static void *writes(void *nothing)
{
	for (int i = 0; i < ROOM + 26; i++)
		ring[i] = (char)('a' + i % 26);
	return nothing;
}

int main(void)
{
	pthread_t t;
	int fd = memfd_create("ring", 0);
	if (ftruncate(fd, ROOM))
		return 1;
	ring = mmap(NULL, 2 * ROOM, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < 2; i++)
		if (mmap(ring + i * ROOM, ROOM, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED)
			return 1;
	char *tail = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 4096);
	pthread_create(&t, NULL, writes, NULL);
	pthread_join(t, NULL);
	printf("%.26s %c %d\n", ring, ring[2 * ROOM - 1], tail[5] == ring[4096 + 5]);
	return 0;
}
