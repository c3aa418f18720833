/* A lock-free stack of two blocks.  One pops; the other pops both, gives the first back and pushes a new block.  If that lies where the first did, a
 * compare-exchange takes it for the old one, and what the second popped is the top again. */
#include "../relaxed.h"
#include <assert.h>
#include <stdlib.h>

struct node { _Atomic(struct node *) next; };
_Atomic(struct node *) top;
struct node *first, *second;
atomic_int began, both;

static int moves(struct node *from, struct node *to) { return atomic_compare_exchange_strong(&top, &from, to); }

static struct node *new_node(struct node *next)
{
	struct node *n = malloc(sizeof *n);
	STORE(n->next, next);
	return n;
}

THREAD(pops)
{
	struct node *t = LOAD(top), *n = LOAD(t->next);
	STORE(began, 1);
	moves(t, n);
	return me;
}

THREAD(pops_both)
{
	if (!LOAD(began) || !moves(first, second) || !moves(second, NULL))
		return me;
	STORE(both, 1);
	free(first);
	moves(NULL, new_node(NULL));
	return me;
}

int main(void)
{
	second = new_node(NULL);
	first = new_node(second);
	STORE(top, first);
	RUN(pops, pops_both);
	struct node *t = LOAD(top);
	int b = LOAD(both);
	assert(!b || t != second);
	return 0;
}
