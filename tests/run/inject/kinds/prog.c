/* Known numbers: each thread adds 3 + 6 + 9 + 12; a file, a block, a lock, and what goes wrong is told. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int factor = 3, cells[2];

static int scale(int x)
{
	return x * factor;
}

static void *work(void *number)
{
	long t = (long)number;
	for (int i = 1; i <= 4; i++)
		cells[t] += scale(i);
	return NULL;
}

static int read_some(const char *path)
{
	char bytes[32] = "";
	FILE *file = fopen(path, "r");
	if (!file)
		return -1;
	size_t got = fread(bytes, 2, 4, file);
	fclose(file);
	return got ? (int)strlen(bytes) : 0;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	for (long t = 0; t < 2; t++) {
		int error = pthread_create(&thread, NULL, work, (void *)t);
		if (error) {
			printf("no thread: %s\n", strerror(error));
			return 4;
		}
		pthread_join(thread, NULL);
	}
	int *copy = malloc(sizeof cells);
	if (!copy) {
		printf("no memory: %s\n", strerror(errno));
		return 3;
	}
	memcpy(copy, cells, sizeof cells);
	pthread_mutex_lock(&lock);
	int sum = copy[0] + copy[1];
	pthread_mutex_unlock(&lock);
	if (sum > 100)
		puts("large");
	printf("%d %d %d, %d bytes\n", copy[0], copy[1], sum, argc > 1 ? read_some(argv[1]) : 0);
	free(copy);
	return 0;
}
