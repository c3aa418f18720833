/* A thread ends with a mutex, and another one is made where it is: that one guards the count. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *leave(void *unused)
{
	pthread_mutex_lock(&m);
	count = 1;
	return unused;
}

static void *add(void *unused)
{
	pthread_mutex_lock(&m);
	count++;
	pthread_mutex_unlock(&m);
	return unused;
}

int main(void)
{
	pthread_t gone, one, two;
	pthread_create(&gone, NULL, leave, NULL);
	pthread_join(gone, NULL);
	pthread_mutex_init(&m, NULL);
	pthread_create(&one, NULL, add, NULL);
	pthread_create(&two, NULL, add, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return count != 3;
}
