/* Fails in few orders only: the reader must see three of the writer's numbers, none twice, and a lock is dropped between them. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int number, seen[4];

static void *write_some(void *unused)
{
	for (int i = 1; i <= 4; i++) {
		pthread_mutex_lock(&lock);
		number = i;
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

static void *read_some(void *unused)
{
	for (int i = 0; i < 4; i++) {
		pthread_mutex_lock(&lock);
		seen[i] = number;
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	pthread_t writer, reader;
	pthread_create(&writer, NULL, write_some, NULL);
	pthread_create(&reader, NULL, read_some, NULL);
	pthread_join(writer, NULL);
	pthread_join(reader, NULL);
	if (seen[0] != 1 || seen[1] != 2 || seen[2] != 3 || seen[3] != 4)
		return 0;
	puts("in order");
	return 3;
}
