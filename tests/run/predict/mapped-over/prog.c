/* Whether the page is still the first one is asked under the lock, and it is read outside: meanwhile another is mapped over it. */
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *map, replaced;

static void *reads(void *unused)
{
	pthread_mutex_lock(&lock);
	int over = replaced;
	pthread_mutex_unlock(&lock);
	if (!over)
		printf("%d\n", map[1]); /*@A*/
	return unused;
}

static void *maps(void *unused)
{
	pthread_mutex_lock(&lock);
	replaced = 1;
	pthread_mutex_unlock(&lock);
	mmap(map, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0); /*@B*/
	return unused;
}

int main(void)
{
	pthread_t reading, mapping;
	map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	map[1] = 1;
	pthread_create(&reading, NULL, reads, NULL);
	pthread_create(&mapping, NULL, maps, NULL);
	pthread_join(reading, NULL);
	pthread_join(mapping, NULL);
	return 0;
}
