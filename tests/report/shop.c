/* tests/report/shop.c -- the source the made-up findings of tests/report/sample.c are about.  It is shown, never built. */
#include <pthread.h>
#include <stdlib.h>

struct order { int amount; struct order *next; };

static pthread_mutex_t till = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t shelf = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static struct order *first;
static int balance, open_orders;

static void pay(int amount)
{
	pthread_mutex_lock(&till);
	balance += amount;
	pthread_mutex_unlock(&till);
}

static int audit(void)
{
	return balance;
}

static void deliver(void)
{
	pthread_mutex_lock(&shelf);
	pthread_mutex_lock(&till);
	open_orders--;
	pthread_mutex_unlock(&till);
	pthread_mutex_unlock(&shelf);
}

static void put_back(void)
{
	pthread_mutex_lock(&till);
	pthread_mutex_lock(&shelf);
	open_orders++;
	pthread_mutex_unlock(&shelf);
	pthread_mutex_unlock(&till);
}

static struct order *take(void)
{
	pthread_mutex_lock(&shelf);
	if (!first)
		pthread_cond_wait(&arrived, &shelf);
	struct order *o = first;
	first = o->next;
	pthread_mutex_unlock(&shelf);
	return o;
}

static void *worker(void *unused)
{
	for (int i = 0; i < 10; i++) {
		struct order *o = take();
		pay(o->amount);
		free(o);
		deliver();
	}
	return unused;
}

int main(void)
{
	pthread_t t[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	put_back();
	return audit();
}
