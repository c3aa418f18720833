/* A fault in the middle of a group of accesses: those before it happened, constants and zeros among them; it did not. */
#include <stdlib.h>

struct node {
	struct node *next;
	int value;
};

struct node *head;
int count, zero = 5;

int main(int argc, char **argv)
{
	(void)argv;
	head = malloc(sizeof *head);
	head->next = argc > 5 ? head : NULL;
	head->value = 3;
	zero = 0;
	struct node *end = head->next;
	count = 7;
	return end->value + count;
}
