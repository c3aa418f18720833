/* Three tellers: a global under a lock, a heap object under the lock, and one field that is not. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int balance = 100;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct ledger { long last; int entries; } *ledger;

static void *teller(void *amount)
{
	pthread_setname_np(pthread_self(), "teller");
	for (int i = 0; i < 100; i++) {
		pthread_mutex_lock(&m);
		balance += (int)(long)amount;
		ledger->last = i;
		pthread_mutex_unlock(&m);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[3];
	ledger = calloc(1, sizeof *ledger);
	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, teller, (void *)i);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	printf("%d\n", balance);
	free(ledger);
	return 3;
}
