/* A lock-free stack: each thread pushes its node and pops one; nodes are used once. */
#include "../relaxed.h"
#include <assert.h>

atomic_int top, next[3], popped[3];

static void push(int node)
{
	int was;
	do {
		was = LOAD(top);
		STORE(next[node], was);
	} while (!atomic_compare_exchange_strong(&top, &(int){ was }, node));
}

static int pop(void)
{
	int was, then;
	do {
		was = LOAD(top);
		then = LOAD(next[was]);
	} while (!atomic_compare_exchange_strong(&top, &(int){ was }, then));
	return was;
}

THREAD(uses)
{
	push((int)(long)me + 1);
	int got = pop();
	int n = LOAD(popped[got]);
	assert(n == 0);
	STORE(popped[got], 1);
	return NULL;
}

int main(void)
{
	RUN(uses, uses);
	int n = LOAD(top);
	assert(n == 0);
	return 0;
}
