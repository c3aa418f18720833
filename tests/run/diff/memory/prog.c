/* Memory of every kind, with pointers to it stored in memory: what it is called must not hang on where it lay or on who ran when. */
#include <alloca.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define THREADS 4
#define ROUNDS  12

struct node { struct node *next, *self; long value; void *stale; };

static __thread struct node *own;               /* thread-local, and its address is handed out */
static struct node *lists[THREADS], **locals[THREADS];
static void *handles[THREADS];
static pthread_t threads[THREADS];

static struct node *make(int i)
{
	struct node *n = i % 3 == 0 ? calloc(1, sizeof *n) : i % 3 == 1 ? malloc(sizeof *n) : aligned_alloc(64, 128);
	memset(n, 0, sizeof *n);
	n->self = n;
	n->value = i;
	return n;
}

static struct node **grow(struct node **table, int count)
{
	return realloc(table, (size_t)count * 64 * sizeof *table);
}

static void on_stack(struct node **head, int depth)
{
	struct node **room = alloca((size_t)depth * 16 + sizeof *room), *here;
	room[0] = *head;
	here = room[0];
	*(struct node *volatile *)&handles[0] = NULL;
	(*head)->stale = depth > 0 ? (void *)room : (void *)here;
	if (depth > 0)
		on_stack(head, depth - 1);
}

static void *work(void *number)
{
	int t = (int)(intptr_t)number;
	struct node **table = NULL, *list = NULL;
	char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	locals[t] = &own;
	for (int i = 0; i < ROUNDS; i++) {
		struct node *n = make(i), *old = make(i + 1);
		table = grow(table, i + 1);
		table[i] = n;
		n->next = list;
		n->stale = old;                 /* dangles from the next line on */
		free(old);
		list = own = n;
		((struct node **)(void *)pages)[i] = n;
	}
	lists[t] = list;
	handles[t] = pages + 8000;
	free(table);
	munmap(pages, 8192);
	return list;
}

int main(int argc, char **argv)
{
	struct node first = { 0 }, *head = &first;
	long sum = argc;
	first.self = &first;
	first.stale = argv[0];
	for (int round = 0; round < 2; round++) {       /* the second row of threads gets the stacks of the first */
		for (intptr_t t = 0; t < THREADS; t++)
			pthread_create(&threads[t], NULL, work, (void *)t);
		for (int t = 0; t < THREADS; t++)
			pthread_join(threads[t], &first.stale);
		for (int t = 0; t < THREADS; t++)
			for (struct node *n = lists[t], *next; n; n = next) {
				next = n->next;
				sum += n->value + (n->self == n);
				free(n);
			}
	}
	on_stack(&head, 3);
	printf("%ld\n", sum);
	return 0;
}
