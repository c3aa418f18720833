/* Something of every kind of place: reads, writes, results, arguments, calls, branches, atomic operations. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static _Atomic int total;
static int cells[4];

__attribute__((noinline)) static int scale(int x, int by)
{
	return x * by + 1;
}

static void *work(void *given)
{
	int n = *(int *)given;
	for (int i = 0; i < 3; i++) {
		if (i & 1)
			cells[n] += scale(i + n, 2);
		else
			cells[n] += 5;
		atomic_fetch_add(&total, cells[n]);
	}
	return NULL;
}

int main(void)
{
	pthread_t thread;
	for (int n = 0; n < 2; n++) {
		pthread_create(&thread, NULL, work, &n);
		pthread_join(thread, NULL);
	}
	printf("%d %d %d\n", cells[0], cells[1], atomic_load(&total));
	return 0;
}
