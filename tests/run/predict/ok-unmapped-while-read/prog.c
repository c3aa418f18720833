/* Asked and read in one section, and unmapped in another; the first half goes while the second is used; and a mapping that grows where it is stays. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>

#define PAGE 4096

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *map, gone, sum;
static char *halves, *grown;

static void *reads(void *unused)
{
	pthread_mutex_lock(&lock);
	if (!gone)
		sum = map[1];
	pthread_mutex_unlock(&lock);
	halves[PAGE] = 1;
	grown[0] = 1;
	return unused;
}

static void *unmaps(void *unused)
{
	pthread_mutex_lock(&lock);
	gone = 1;
	munmap(map, PAGE);
	pthread_mutex_unlock(&lock);
	munmap(halves, PAGE);
	mremap(grown, PAGE, 2 * PAGE, 0);
	return unused;
}

int main(void)
{
	pthread_t reading, unmapping;
	int flags = MAP_PRIVATE | MAP_ANONYMOUS;
	map = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, flags, -1, 0);
	halves = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, flags, -1, 0);
	grown = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, flags, -1, 0);
	munmap(grown + PAGE, 3 * PAGE);
	map[1] = 1;
	pthread_create(&reading, NULL, reads, NULL);
	pthread_create(&unmapping, NULL, unmaps, NULL);
	pthread_join(reading, NULL);
	pthread_join(unmapping, NULL);
	return sum > 1;
}
