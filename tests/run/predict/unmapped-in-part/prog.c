/* The second half of a large mapping is given back while another thread may still write to its last page. */
#include <pthread.h>
#include <sys/mman.h>

#define BYTES (64ul << 20)

static char *map;

static void *writes(void *unused)
{
	map[BYTES - 1] = 1; /*@A*/
	return unused;
}

static void *halves(void *unused)
{
	munmap(map + BYTES / 2, BYTES / 2); /*@B*/
	return unused;
}

int main(void)
{
	pthread_t writing, halving;
	map = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	pthread_create(&writing, NULL, writes, NULL);
	pthread_create(&halving, NULL, halves, NULL);
	pthread_join(writing, NULL);
	pthread_join(halving, NULL);
	return 0;
}
