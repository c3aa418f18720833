/* bench/short.c -- a test of 2 threads and 16 steps, for what runs of it cost. */
#include <pthread.h>

static volatile int x, y;

static void *a(void *p) { x++; y++; return p; }
static void *b(void *p) { x++; return p; }

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, a, NULL);
	b(NULL);
	pthread_join(t, NULL);
	return x + y < 2;
}
