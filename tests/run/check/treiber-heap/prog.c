/* A lock-free stack of heap blocks: each thread pushes one of its own and pops one. */
#include "../relaxed.h"
#include <assert.h>
#include <stdlib.h>

struct node { _Atomic(struct node *) next; atomic_int popped; };
_Atomic(struct node *) top;

static void push(struct node *n)
{
	struct node *was;
	do {
		was = LOAD(top);
		STORE(n->next, was);
	} while (!atomic_compare_exchange_strong(&top, &(struct node *){ was }, n));
}

static struct node *pop(void)
{
	struct node *was, *then;
	do {
		was = LOAD(top);
		then = LOAD(was->next);
	} while (!atomic_compare_exchange_strong(&top, &(struct node *){ was }, then));
	return was;
}

THREAD(uses)
{
	push(calloc(1, sizeof(struct node)));
	struct node *got = pop();
	int n = LOAD(got->popped);
	assert(n == 0);
	STORE(got->popped, 1);
	return me;
}

int main(void)
{
	RUN(uses, uses);
	struct node *t = LOAD(top);
	assert(!t);
	return 0;
}
