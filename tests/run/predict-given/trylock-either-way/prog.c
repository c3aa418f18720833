/* Whether the lock was had or not, the word is written without it. */
#include <pthread.h>

static int state, word;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused)
{
	(void)unused;
	word = 1;                       /*@A*/
	pthread_mutex_lock(&m);
	state = 1;
	pthread_mutex_unlock(&m);
	return NULL;
}

static void *second(void *unused)
{
	(void)unused;
	if (pthread_mutex_trylock(&m) == 0) {
		state = 2;
		pthread_mutex_unlock(&m);
	}
	word = 2;                       /*@B*/
	return NULL;
}

int main(void)
{
	pthread_t one, two;
	pthread_create(&one, NULL, first, NULL);
	pthread_create(&two, NULL, second, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
