/* The racing write lies behind a look at the mode, which the recorded run passed by: another order goes in. */
#include <pthread.h>
#include <stdio.h>

static int mode, word;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&m);
	int on = mode;
	pthread_mutex_unlock(&m);
	if (on)
		word = 1;                       /*@A*/
	return NULL;
}

static void *second(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&m);
	mode = 1;
	pthread_mutex_unlock(&m);
	word = 2;                               /*@B*/
	return NULL;
}

int main(void)
{
	pthread_t one, two;
	pthread_create(&one, NULL, first, NULL);
	pthread_create(&two, NULL, second, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	printf("%d\n", word > 0);
	return 0;
}
