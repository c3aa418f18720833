/* A fault in the middle of a group, in memory the ring has used many times before: what was not reached, zeros among it, must not be
 * taken from the records that lay there earlier. */
#include <stdlib.h>

struct node {
	struct node *next;
	int value;
};

struct node *head;
int count, zero;

__attribute__((noinline)) static int step(struct node *n, int with)
{
	n->value = with;
	zero = with;
	struct node *end = n->next;
	count = with;
	return end->value + count;
}

int main(void)
{
	int sum = 0;
	head = malloc(sizeof *head);
	head->next = head;
	for (int i = 1; i <= 50000; i++)
		sum += step(head, -i);
	head->next = NULL;
	return step(head, 0) + sum;
}
