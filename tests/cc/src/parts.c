/* Calls one instrumented and one plain library from two threads. */
#include <pthread.h>
#include <stdio.h>

long part_seen(long n);
long part_plain(long n);

static void *body(void *arg)
{
	for (long i = 0; i < 100; i++)
		part_seen(i), part_plain(i);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, body, NULL);
	pthread_create(&b, NULL, body, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%ld %ld\n", part_seen(1), part_plain(1));
	return 0;
}
