/* Memory mapped before anything visible happens is part of what is put back; memory mapped later is given back.  What others may share,
 * and giving back what was there before, ends it. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static int *numbers;

static void *work(void *unused)
{
	numbers[5]++;
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	numbers = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_create(&thread, NULL, work, NULL);
	if (argc > 1 && strcmp(argv[1], "more") == 0)
		munmap(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 4096);
	if (argc > 1 && strcmp(argv[1], "kept") == 0) {
		int *more = mmap(NULL, 3 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		numbers[7] = more[77]++;                /* nobody was there before */
		mprotect(more, 4096, PROT_READ);
		munmap((char *)more + (1 << 20), 1 << 20);
		printf("%p %d\n", (void *)more, numbers[7]);
	}
	if (argc > 1 && strcmp(argv[1], "shared") == 0)
		mmap(NULL, 4096, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (argc > 1 && strcmp(argv[1], "back") == 0)
		munmap((char *)numbers + (1 << 19), 4096);
	numbers[100000]++;
	pthread_join(thread, NULL);
	printf("%d\n", numbers[5] + numbers[100000]);
	return 0;
}
