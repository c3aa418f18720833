/* Whether the mapping is gone is asked under the lock, and it is read outside: meanwhile it may be unmapped. */
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *map, gone;

static void *reads(void *unused)
{
	pthread_mutex_lock(&lock);
	int over = gone;
	pthread_mutex_unlock(&lock);
	if (!over)
		printf("%d\n", map[1]); /*@A*/
	return unused;
}

static void *unmaps(void *unused)
{
	pthread_mutex_lock(&lock);
	gone = 1;
	pthread_mutex_unlock(&lock);
	munmap(map, 4096); /*@B*/
	return unused;
}

int main(void)
{
	pthread_t reading, unmapping;
	map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	map[1] = 1;
	pthread_create(&reading, NULL, reads, NULL);
	pthread_create(&unmapping, NULL, unmaps, NULL);
	pthread_join(reading, NULL);
	pthread_join(unmapping, NULL);
	return 0;
}
