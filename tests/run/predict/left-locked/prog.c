/* A thread ends with a mutex, and another one is made where it is; that and a second one are taken in both orders. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *leave(void *unused)
{
	pthread_mutex_lock(&m);
	count = 1;
	return unused;
}

static void *one_way(void *unused)
{
	pthread_mutex_lock(&m);
	pthread_mutex_lock(&n); /*@A*/
	count++;
	pthread_mutex_unlock(&n);
	pthread_mutex_unlock(&m);
	return unused;
}

static void *other_way(void *unused)
{
	pthread_mutex_lock(&n);
	pthread_mutex_lock(&m); /*@B*/
	count++;
	pthread_mutex_unlock(&m);
	pthread_mutex_unlock(&n);
	return unused;
}

int main(void)
{
	pthread_t gone, one, two;
	pthread_create(&gone, NULL, leave, NULL);
	pthread_join(gone, NULL);
	pthread_mutex_init(&m, NULL);
	pthread_create(&one, NULL, one_way, NULL);
	pthread_create(&two, NULL, other_way, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
