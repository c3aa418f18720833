/* A stack of numbered nodes without a lock: that the top is the same again does not mean that nothing happened.  Depth 2: one is stopped
 * between reading the second node and putting it on top, while the other takes two nodes and puts the first back.
 * Switches: main to one, to the other, back, to main: 4. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NOBODY, ONE, OTHER };
static atomic_int top = 0, next[3] = { 1, 2, -1 }, owner[3];

static int pop(int who)
{
	for (;;) {
		int first = top, second = next[first];
		if (atomic_compare_exchange_strong(&top, &first, second)) {
			owner[first] = who;
			return first;
		}
	}
}

static void push(int node)
{
	owner[node] = NOBODY;
	int first = top;
	do
		next[node] = first;
	while (!atomic_compare_exchange_strong(&top, &first, node));
}

static void *one(void *x)
{
	pop(ONE);
	return x;
}

static void *other(void *x)
{
	int a = pop(OTHER);
	pop(OTHER);
	push(a);
	return x;
}

int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], NULL, one, NULL);
	pthread_create(&t[1], NULL, other, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(owner[top] == NOBODY);
	return 0;
}
