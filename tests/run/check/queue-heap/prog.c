/* A lock-free queue (Michael and Scott) of heap blocks: two put one each, one takes one. */
#include "../relaxed.h"
#include <assert.h>
#include <stdlib.h>

struct node { _Atomic(struct node *) next; };
_Atomic(struct node *) head, tail;

static int moves(_Atomic(struct node *) *what, struct node *from, struct node *to) { return atomic_compare_exchange_strong(what, &from, to); }

THREAD(puts_one)
{
	struct node *node = calloc(1, sizeof *node);
	for (;;) {
		struct node *t = LOAD(tail), *n = LOAD(t->next);
		if (n) {
			moves(&tail, t, n);
		} else if (moves(&t->next, NULL, node)) {
			moves(&tail, t, node);
			return me;
		}
	}
}

THREAD(takes_one)
{
	struct node *h = LOAD(head), *t = LOAD(tail), *n = LOAD(h->next);
	if (!n)
		return me;
	if (h == t)
		moves(&tail, t, n);
	int took = moves(&head, h, n);
	assert(took);
	return me;
}

int main(void)
{
	struct node *dummy = calloc(1, sizeof *dummy);
	STORE(head, dummy);
	STORE(tail, dummy);
	RUN(puts_one, puts_one, takes_one);
	LOAD(head);
	struct node *t = LOAD(tail), *n = LOAD(t->next);
	assert(!n);
	return 0;
}
