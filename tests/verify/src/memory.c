/* Memory that moves: realloc, memcpy of all lengths, overlapping moves, strings, qsort, calloc, reuse between threads. */
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 3
#define ROUNDS 40

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *shared_text;

static int by_value(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static int total(int count, ...)
{
	va_list list;
	int sum = 0;
	for (int round = 0; round < 2; round++) {
		va_start(list, count);
		for (int i = 0; i < count; i++)
			sum += va_arg(list, int);
		va_end(list);
	}
	return sum;
}

static int *grow(int *array, int count, int id)
{
	array = realloc(array, (size_t)count * sizeof *array);
	for (int i = count / 2; i < count; i++)
		array[i] = i * 7919 % 101 + id;
	return array;
}

static long use(int *array, int count)
{
	char text[64], copy[300], *place;
	long seen = total(7, count, 1, 2, 3, 4, 5, 6);
	memset(copy, 1, sizeof copy);
	memcpy(copy + 1, array, (size_t)count);
	memmove(copy, copy + 3, 100);
	seen += copy[50] + copy[299];
	snprintf(text, sizeof text, "%d,%d,%d", count, array[0], array[count - 1]);
	for (char *word = strtok_r(text, ",", &place); word; word = strtok_r(NULL, ",", &place))
		seen += strtol(word, NULL, 10);
	errno = 0;
	strtol("999999999999999999999999", NULL, 10);
	seen += errno == ERANGE;
	pthread_mutex_lock(&lock);
	free(shared_text);
	shared_text = strdup("shared by all");
	strcat(strcpy(text, shared_text), "!");
	pthread_mutex_unlock(&lock);
	return seen + (long)strlen(text) + text[3];
}

static void *works(void *arg)
{
	int id = (int)(long)arg, *array = NULL;
	long seen = 0;
	for (int i = 1; i <= ROUNDS; i++) {
		array = grow(array, 4 * i, id);
		qsort(array, 4u * (unsigned)i, sizeof *array, by_value);
		seen += use(array, 4 * i);
		int *zero = calloc(100, sizeof *zero);
		seen += zero[i];
		zero[i] = i;
		seen += zero[i] + zero[99];
		free(zero);
	}
	free(array);
	return (void *)seen;
}

int main(void)
{
	pthread_t t[THREADS];
	void *value;
	for (long i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, works, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], &value);
	puts(shared_text);
	free(shared_text);
	return 0;
}
