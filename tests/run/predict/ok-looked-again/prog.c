/* Looked without the lock, but again with it: the pointer is handed over by release and acquire. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static _Atomic(int *) table;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *use(void *unused)
{
	(void)unused;
	int *mine = atomic_load_explicit(&table, memory_order_acquire);
	if (!mine) {
		pthread_mutex_lock(&m);
		mine = atomic_load_explicit(&table, memory_order_relaxed);
		if (!mine) {
			mine = malloc(sizeof *mine);
			*mine = 7;
			atomic_store_explicit(&table, mine, memory_order_release);
		}
		pthread_mutex_unlock(&m);
	}
	return *mine == 7 ? NULL : &table;
}

int main(void)
{
	pthread_t one, two;
	void *wrong[2];
	pthread_create(&one, NULL, use, NULL);
	pthread_create(&two, NULL, use, NULL);
	pthread_join(one, &wrong[0]);
	pthread_join(two, &wrong[1]);
	printf("%d\n", wrong[0] || wrong[1]);
	return 0;
}
