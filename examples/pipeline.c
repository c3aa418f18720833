/* examples/pipeline.c -- words through three stages, each a thread, joined by queues of atomics and semaphores.
 *   pipeline [words=50]
 * split -> turn -> join: the middle stage turns each word around.  No mistakes in this one. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 8
#define WORD  24

struct queue {
	sem_t full, empty;
	atomic_uint head, tail;
	char words[SLOTS][WORD];
};

static struct queue to_turn, to_join;
static int words;
static atomic_long letters;

static void queue_init(struct queue *q)
{
	sem_init(&q->full, 0, 0);
	sem_init(&q->empty, 0, SLOTS);
}

static void push(struct queue *q, const char *word)
{
	sem_wait(&q->empty);
	unsigned at = atomic_fetch_add_explicit(&q->tail, 1, memory_order_relaxed) % SLOTS;
	strcpy(q->words[at], word);
	sem_post(&q->full);
}

static void pull(struct queue *q, char *word)
{
	sem_wait(&q->full);
	unsigned at = atomic_fetch_add_explicit(&q->head, 1, memory_order_relaxed) % SLOTS;
	strcpy(word, q->words[at]);
	sem_post(&q->empty);
}

static void *split(void *arg)
{
	char word[WORD];

	for (int i = 0; i < words; i++) {
		snprintf(word, sizeof word, "thread%d", i);
		push(&to_turn, word);
	}
	return arg;
}

static void *turn(void *arg)
{
	char word[WORD], back[WORD];

	for (int i = 0; i < words; i++) {
		pull(&to_turn, word);
		size_t n = strlen(word);
		for (size_t k = 0; k < n; k++)
			back[k] = word[n - 1 - k];
		back[n] = 0;
		atomic_fetch_add(&letters, (long)n);
		push(&to_join, back);
	}
	return arg;
}

static void *join(void *arg)
{
	unsigned *sum = arg;
	char word[WORD];

	for (int i = 0; i < words; i++) {
		pull(&to_join, word);
		for (const char *s = word; *s; s++)
			*sum = *sum * 31 + (unsigned char)*s;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	void *(*stages[])(void *) = { split, turn, join };
	pthread_t threads[3];
	unsigned sum = 0;

	words = argc > 1 ? atoi(argv[1]) : 50;
	queue_init(&to_turn);
	queue_init(&to_join);
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, stages[i], &sum);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	printf("%d words, %ld letters, %08x\n", words, atomic_load(&letters), sum);
	return 0;
}
