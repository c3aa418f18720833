#include "../two.h"

/* Many times as much as the ring has room for.  Early, wrong is written by a thread that then waits to the end. */
static int wrong, late;
static int cells[1024];
static pthread_barrier_t both;

static void *a(void *x)
{
	wrong = 1;
	pthread_barrier_wait(&both);
	return x;
}

static void *b(void *x)
{
	for (int i = 0; i < 2000000; i++)
		cells[i % 1024]++;
	late = wrong;
	pthread_barrier_wait(&both);
	return x;
}

int main(void)
{
	pthread_barrier_init(&both, NULL, 2);
	two(a, b);
	return late - 1;
}
