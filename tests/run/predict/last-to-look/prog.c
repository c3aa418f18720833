/* The assertion is reached if the one that looks comes last, before the program ends: nobody joins anybody. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 1, in, out;

static void *deposits(void *arg)
{
	pthread_mutex_lock(&lock);
	balance += 2;
	in = 1;                                 /*@A*/
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *withdraws(void *arg)
{
	pthread_mutex_lock(&lock);
	balance -= 4;
	out = 1;                                /*@A*/
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *looks(void *arg)
{
	pthread_mutex_lock(&lock);
	if (in &&                               /*@B*/
		out)                            /*@B*/
		assert(balance == -5);          /*@B*/
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t threads[3];
	pthread_create(&threads[0], NULL, looks, NULL);
	pthread_create(&threads[1], NULL, deposits, NULL);
	pthread_create(&threads[2], NULL, withdraws, NULL);
	return 0;
}
