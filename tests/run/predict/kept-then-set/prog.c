/* What was read is kept in memory and copied there before something is made of it: an update is lost when another one comes in between. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct account { int balance, fee; };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct account account = { 100, 1 }, kept, made;

static void *pays_in(void *u)
{
	pthread_mutex_lock(&m);
	account.balance += 50;                  /*@B*/
	pthread_mutex_unlock(&m);
	return u;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, pays_in, NULL);
	pthread_mutex_lock(&m);
	kept.balance = account.balance;                 /*@A*/
	pthread_mutex_unlock(&m);
	memcpy(&made, &kept, sizeof made);
	int now = made.balance - 10;
	pthread_mutex_lock(&m);
	account.balance = now;                          /*@A*/
	pthread_mutex_unlock(&m);
	pthread_join(t, NULL);
	printf("%d\n", account.balance);
	return 0;
}
