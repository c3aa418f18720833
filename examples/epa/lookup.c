/* examples/epa/lookup.c -- threads look words up in a table, each under the read side of a rwlock; the table is written before they begin.
 * Readers do not change what other readers see: deterministic. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define THREADS 4
#define WORDS   16

static struct { char word[8]; int value; } table[WORDS];
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int sums[THREADS];

static int find(const char *word)
{
	int value = -1;
	pthread_rwlock_rdlock(&lock);
	for (int i = 0; i < WORDS && value < 0; i++)
		if (!strcmp(table[i].word, word))
			value = table[i].value;
	pthread_rwlock_unlock(&lock);
	return value;
}

static void *work(void *number)
{
	long t = (long)number;
	for (int i = 0; i < 8; i++) {
		char word[8] = { 'w', (char)('a' + (i * 3 + t) % 20), 0 };
		sums[t] += find(word);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	pthread_rwlock_wrlock(&lock);
	for (int i = 0; i < WORDS; i++) {
		table[i].word[0] = 'w';
		table[i].word[1] = (char)('a' + i);
		table[i].value = i * i;
	}
	pthread_rwlock_unlock(&lock);
	for (long t = 0; t < THREADS; t++)
		pthread_create(&threads[t], NULL, work, (void *)t);
	int sum = 0;
	for (int t = 0; t < THREADS; t++) {
		pthread_join(threads[t], NULL);
		sum = sum * 31 + sums[t];
	}
	printf("%d\n", sum);
	return 0;
}
