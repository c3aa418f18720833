/* Lines are numbered and printed under one lock.  Which thread has which number is left to them: no order is wrong. */
#include <pthread.h>
#include <stdio.h>

static int number;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void say(const char *what)
{
	pthread_mutex_lock(&m);
	printf("%d %s\n", ++number, what);
	pthread_mutex_unlock(&m);
}

static void *first(void *unused) { (void)unused; say("a"); say("b"); return NULL; }
static void *second(void *unused) { (void)unused; say("x"); return NULL; }

int main(void)
{
	pthread_t one, two;
	pthread_create(&one, NULL, first, NULL);
	pthread_create(&two, NULL, second, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
