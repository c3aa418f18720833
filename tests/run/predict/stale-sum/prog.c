/* The balance is read under the lock, and written under it again: what came between is lost.  Only the output tells. */
#include <pthread.h>
#include <stdio.h>

static long balance = 100;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *deposit(void *amount)
{
	pthread_mutex_lock(&m);
	long seen = balance;                    /*@A*/
	pthread_mutex_unlock(&m);
	seen += *(long *)amount;
	pthread_mutex_lock(&m);
	balance = seen;                         /*@B*/
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t one, two;
	long amounts[2] = { 10, 20 };
	pthread_create(&one, NULL, deposit, &amounts[0]);
	pthread_create(&two, NULL, deposit, &amounts[1]);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	printf("%ld\n", balance);
	return 0;
}
