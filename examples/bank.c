/* examples/bank.c -- a small bank with one real mistake.
 *   bank [transfers=200]
 * Two tellers move money between accounts, under a lock each; an auditor waits until they are done and adds up.
 * The mistake: `moved` counts transfers and is changed under whichever lock happens to be held. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define ACCOUNTS 4

struct account {
	pthread_mutex_t lock;
	long balance;
};

static struct account accounts[ACCOUNTS];
static long moved;                      /* guarded by nothing both tellers hold */

static pthread_mutex_t desk = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t closed = PTHREAD_COND_INITIALIZER;
static int tellers_left = 2;

static void transfer(int from, int to, long amount)
{
	int first = from < to ? from : to, second = from < to ? to : from;

	pthread_mutex_lock(&accounts[first].lock);
	pthread_mutex_lock(&accounts[second].lock);
	accounts[from].balance -= amount;
	accounts[to].balance += amount;
	moved++;
	pthread_mutex_unlock(&accounts[second].lock);
	pthread_mutex_unlock(&accounts[first].lock);
}

struct teller {
	int base;                       /* works on accounts base and base + 1 */
	int transfers;
};

static void *teller(void *arg)
{
	const struct teller *me = arg;

	for (int i = 0; i < me->transfers; i++)
		transfer(me->base + i % 2, me->base + (i + 1) % 2, i % 10);
	pthread_mutex_lock(&desk);
	tellers_left--;
	pthread_cond_signal(&closed);
	pthread_mutex_unlock(&desk);
	return NULL;
}

static void *auditor(void *arg)
{
	long *sum = arg;

	pthread_mutex_lock(&desk);
	while (tellers_left > 0)
		pthread_cond_wait(&closed, &desk);
	pthread_mutex_unlock(&desk);
	for (int i = 0; i < ACCOUNTS; i++) {
		pthread_mutex_lock(&accounts[i].lock);
		*sum += accounts[i].balance;
		pthread_mutex_unlock(&accounts[i].lock);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int transfers = argc > 1 ? atoi(argv[1]) : 200;
	struct teller left = { 0, transfers }, right = { 2, transfers };
	pthread_t threads[3];
	long sum = 0;

	for (int i = 0; i < ACCOUNTS; i++) {
		pthread_mutex_init(&accounts[i].lock, NULL);
		accounts[i].balance = 1000;
	}
	pthread_create(&threads[0], NULL, teller, &left);
	pthread_create(&threads[1], NULL, teller, &right);
	pthread_create(&threads[2], NULL, auditor, &sum);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	printf("the bank holds %ld\n", sum);
	if (moved != 2L * transfers)
		printf("and lost count: %ld transfers of %d\n", moved, 2 * transfers);
	return 0;
}
