/* The place written hangs on what was read under the lock: each gets another slot. */
#include <pthread.h>
#include <stdio.h>

static int next, slot[4];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&m);
	int mine = next++;
	pthread_mutex_unlock(&m);
	slot[mine] = 5;
	return NULL;
}

int main(void)
{
	pthread_t t[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	printf("%d\n", slot[0] + slot[1] + slot[2]);
	return 0;
}
