#include "../two.h"

static int wrong, left, right;
static pthread_barrier_t b2;

static void *a(void *x)
{
	left = 1;
	pthread_barrier_wait(&b2);
	right = 1;
	pthread_barrier_wait(&b2);
	wrong++;
	return x;
}

static void *b(void *x)
{
	pthread_barrier_wait(&b2);
	int l = left;
	pthread_barrier_wait(&b2);
	wrong += l + right;
	return x;
}

int main(void)
{
	pthread_barrier_init(&b2, NULL, 2);
	two(a, b);
	return wrong - 3;
}
