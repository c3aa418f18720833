/* Structures with padding nobody wrote are copied: what is in it is what the stack had before.  That is no deviation: nothing came of most of these faults.
 * mixed() computes a product it throws away. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct odd { char c; long x; short s; };
static struct odd kept[4];
static volatile int unit = 3;

__attribute__((noinline)) static int mixed(int a)
{
	int b = unit * a;
	int d = b & 0;
	return d + a;
}

__attribute__((noinline)) static void keep(int n, int a)
{
	struct odd o;
	char room[96];
	o.c = (char)a;
	o.x = a * 2;
	o.s = (short)(a + 1);
	memset(room, 0, 4);
	kept[n] = o;
}

static void *work(void *which)
{
	long n = (long)which;
	for (int i = 0; i < 5; i++) {
		int a = mixed(i + (int)n);
		keep((int)n, a);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("%d %ld\n", kept[0].c, kept[1].x);
	return 0;
}
