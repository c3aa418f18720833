/* A range is reserved and given memory page by page before anybody looks; read and mapped over in sections of one lock; one half is mapped over while the other is used. */
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>

#define PAGE 4096

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *map;
static int sum;

static void *reads(void *unused)
{
	pthread_mutex_lock(&lock);
	sum += map[1];
	pthread_mutex_unlock(&lock);
	map[PAGE] = 2;
	return unused;
}

static void *maps(void *unused)
{
	pthread_mutex_lock(&lock);
	mmap(map, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t reading, mapping;
	map = mmap(NULL, 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	for (int i = 0; i < 2; i++)
		mmap(map + i * PAGE, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	map[1] = 1;
	pthread_create(&reading, NULL, reads, NULL);
	pthread_create(&mapping, NULL, maps, NULL);
	pthread_join(reading, NULL);
	pthread_join(mapping, NULL);
	return sum > 1;
}
