/* Threads, locks, atomics, string functions, floats and wide copies; its output says all that was computed. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 4
#define ROUNDS 2000

struct big { long a[9]; char tail[5]; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t go = PTHREAD_COND_INITIALIZER;
static int started;
static long shared_sum;
static atomic_long ticks;
static double means[THREADS];
static struct big copies[THREADS];
static _Thread_local unsigned seed;

static unsigned next(void)
{
	seed = seed * 1103515245u + 12345u;
	return seed >> 16;
}

static void *body(void *arg)
{
	long me = (long)arg, sum = 0;
	unsigned char bytes[64];
	struct big mine;

	seed = (unsigned)me + 7;
	pthread_mutex_lock(&lock);
	while (!started)
		pthread_cond_wait(&go, &lock);
	pthread_mutex_unlock(&lock);
	memset(&mine, (int)me, sizeof mine);
	for (int i = 0; i < ROUNDS; i++) {
		memset(bytes, i & 0xff, sizeof bytes);
		bytes[next() % sizeof bytes] ^= (unsigned char)next();
		for (size_t k = 0; k < sizeof bytes; k++)
			sum += bytes[k];
		mine.a[i % 9] += sum;
		atomic_fetch_add(&ticks, 1);
		pthread_mutex_lock(&lock);
		shared_sum += sum % 1000;
		pthread_mutex_unlock(&lock);
	}
	means[me] = (double)sum / ROUNDS;
	copies[me] = mine;
	return (void *)(sum & 0xffff);
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	char text[128] = "", *heap = malloc(100);

	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, body, (void *)i);
	pthread_mutex_lock(&lock);
	started = 1;
	pthread_cond_broadcast(&go);
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < THREADS; i++) {
		void *result;
		pthread_join(threads[i], &result);
		printf("%d: %ld %.6f %ld %d\n", i, (long)result, means[i], copies[i].a[i], copies[i].tail[4]);
	}
	strcpy(heap, "the quick brown fox");
	for (char *word = strtok(heap, " "); word; word = strtok(NULL, " "))
		strcat(text, word), strcat(text, "|");
	printf("%ld %ld %s %d %s\n", shared_sum, atomic_load(&ticks), text, argc, argv[argc - 1] ? "args" : "none");
	free(heap);
	return 3;
}
