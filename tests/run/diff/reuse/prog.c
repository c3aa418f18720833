/* Blocks go from thread to thread, are given back by others than those who asked for them, and their addresses are given out again while somebody still holds a pointer
 * to what was there: into the middle of it, at its head, in a table that moves.  Who comes when is settled by semaphores, so every run is the same. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 12

struct message { int id, length; double values[6]; char *text; };
struct queue { struct message *slots[4]; unsigned in, out; sem_t full, empty; };

static struct queue first, second;
static struct message *slot;
static double *inner, total;
static void *stale[ROUNDS], **table;
static sem_t go, done;

static void queue_make(struct queue *q)
{
	sem_init(&q->full, 0, 0);
	sem_init(&q->empty, 0, 4);
}

static void put(struct queue *q, struct message *m)
{
	sem_wait(&q->empty);
	q->slots[q->in++ % 4] = m;
	sem_post(&q->full);
}

static struct message *take(struct queue *q)
{
	sem_wait(&q->full);
	struct message *m = q->slots[q->out++ % 4];
	sem_post(&q->empty);
	return m;
}

/* Reads inside of what it is handed, keeps nothing. */
static void *look(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		sem_wait(&go);
		total += slot->values[1] + slot->values[i % 6] + slot->text[i % 3];
		sem_post(&done);
	}
	return unused;
}

/* Keeps a pointer in a register while the block is given back and its address given out again, and only then writes it down. */
static void *keep(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		sem_wait(&go);
		double *mine = inner;
		struct message *whole = slot;
		total += *mine;
		sem_post(&done);
		sem_wait(&go);
		stale[i] = i % 2 ? (void *)mine : (void *)whole;
		sem_post(&done);
	}
	return unused;
}

static void *begin(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		struct message *m = malloc(sizeof *m + (size_t)(i % 3) * 16);
		m->id = i;
		for (int k = 0; k < 6; k++)
			m->values[k] = i + k;
		m->text = strdup(i % 2 ? "odd" : "even ones");
		put(&first, m);
	}
	put(&first, NULL);
	return unused;
}

static void *middle(void *unused)
{
	for (struct message *m; (m = take(&first)); ) {
		double sum = 0;
		for (double *v = m->values; v != m->values + 6; v++)
			sum += *v;
		char *text = malloc(strlen(m->text) + 4);
		strcpy(text, m->text);
		free(m->text);
		m->text = strchr(text, *text);
		m->values[0] = sum;
		put(&second, m);
	}
	put(&second, NULL);
	return unused;
}

static struct message *fresh(int i)
{
	struct message *m = calloc(1, sizeof *m);
	m->values[1] = m->values[i % 6] = i;
	m->text = strdup("abc");
	return m;
}

static void drop(struct message *m)
{
	free(m->text);
	free(m);
}

static void hand_over(int keeps)
{
	pthread_t t;
	pthread_create(&t, NULL, keeps ? keep : look, NULL);
	for (int i = 0; i < ROUNDS; i++) {
		slot = fresh(i);
		inner = &slot->values[i % 6];
		sem_post(&go);
		sem_wait(&done);
		drop(slot);
		if (!keeps)
			continue;
		struct message *other = fresh(i + 1);
		sem_post(&go);
		sem_wait(&done);
		table = realloc(table, (size_t)(i + 1) * 40 * sizeof *table);
		table[i] = stale[i];
		drop(other);
	}
	pthread_join(t, NULL);
}

int main(void)
{
	pthread_t a, b;
	sem_init(&go, 0, 0);
	sem_init(&done, 0, 0);
	queue_make(&first);
	queue_make(&second);
	pthread_create(&a, NULL, begin, NULL);
	pthread_create(&b, NULL, middle, NULL);
	for (struct message *m; (m = take(&second)); drop(m))
		total += m->values[0] * m->id + m->text[1];
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	for (int i = 0; i < 4; i++)
		hand_over(i % 2);
	int gone = 0;
	for (int i = 0; i < ROUNDS; i++)
		gone += table[i] == stale[i];
	free(table);
	printf("%g %d\n", total, gone);
	return 0;
}
