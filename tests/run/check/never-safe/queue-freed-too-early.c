/* A lock-free queue whose taker frees a block that others may still look at. */
#include "../relaxed.h"
#include <stdlib.h>
struct node { _Atomic(struct node *) next; };
static _Atomic(struct node *) head, tail;
static int moves(_Atomic(struct node *) *what, struct node *from, struct node *to) { return atomic_compare_exchange_strong(what, &from, to); }
THREAD(puts)
{
	struct node *node = calloc(1, sizeof *node);
	for (int i = 0; i < 2; i++) {
		struct node *t = LOAD(tail), *n = LOAD(t->next);
		if (n) {
			moves(&tail, t, n);
		} else if (moves(&t->next, NULL, node)) {
			moves(&tail, t, node);
			return me;
		}
	}
	return me;
}
THREAD(takes)
{
	struct node *h = LOAD(head), *t = LOAD(tail), *n = LOAD(h->next);
	if (!n)
		return me;
	if (h == t)
		moves(&tail, t, n);
	if (moves(&head, h, n))
		free(h);
	return me;
}
int main(void)
{
	struct node *dummy = calloc(1, sizeof *dummy);
	STORE(head, dummy);
	STORE(tail, dummy);
	RUN(puts, puts, takes);
	return 0;
}
