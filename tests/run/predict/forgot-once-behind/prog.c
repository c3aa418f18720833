/* Of forty updates at one place the second thread does one without the lock, in the middle: the first pairs of accesses and the last are kept apart. */
#include <pthread.h>
#include <stdio.h>
#define FORGETS 1
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static const int numbers[2] = { 0, 1 };
static void *task(void *number)
{
	for (int i = 0; i < 40; i++) {
		int locks = *(const int *)number != FORGETS || i != 21;
		if (locks)
			pthread_mutex_lock(&m);
		sum++; /*@A*/
		if (locks)
			pthread_mutex_unlock(&m);
	}
	return NULL;
}
int main(void)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, task, (void *)&numbers[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("%s\n", sum > 80 ? "too many" : "done");
	return 0;
}
