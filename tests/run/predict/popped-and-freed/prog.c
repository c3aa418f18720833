/* A stack without locks whose nodes are freed by who pops them. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node { struct node *next; int v; };
static struct node *_Atomic top;

static void *first(void *u)
{
	(void)u;
	struct node *n = atomic_load(&top);
	while (n && !atomic_compare_exchange_strong(&top, &n, n->next))
		;
	free(n);
	return NULL;
}

static void *second(void *u)
{
	(void)u;
	struct node *n = atomic_load(&top);
	while (n && !atomic_compare_exchange_strong(&top, &n, n->next))
		;
	free(n);
	return NULL;
}

int main(void)
{
	for (int i = 0; i < 2; i++) {
		struct node *n = malloc(sizeof *n);
		n->v = i;
		n->next = top;
		top = n;
	}
	pthread_t one, two;
	pthread_create(&one, NULL, first, NULL);
	pthread_create(&two, NULL, second, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
