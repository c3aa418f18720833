/* More threads than are made in advance, twice: libc keeps the stacks of five that were joined and gives back the rest.  Each maps
 * memory, which only every other one gives back, and all say where they are. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define MOST 64

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *number)
{
	char *own = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (own[0] || own[4096])
		abort();
	own[0] = own[4096] = 1;
	pthread_mutex_lock(&lock);
	count++;
	pthread_mutex_unlock(&lock);
	if ((long)number % 2)
		munmap(own, 8192);
	return own;
}

int main(int argc, char **argv)
{
	long threads = argc > 1 ? atol(argv[1]) : 2;
	pthread_t thread[MOST];
	for (int round = 0; round < 2; round++) {
		for (long i = 0; i < threads && i < MOST; i++)
			pthread_create(&thread[i], NULL, work, (void *)i);
		for (long i = 0; i < threads && i < MOST; i++) {
			void *own;
			pthread_join(thread[i], &own);
			printf("%p %p\n", (void *)thread[i], own);
		}
	}
	return count != 2 * threads;
}
