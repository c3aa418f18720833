/* StringBuffer: the length is asked, then so many characters are copied; the other one shortens it in between. */
#include <assert.h>
#include <pthread.h>

static struct { pthread_mutex_t lock; int length; char text[16]; } from = { PTHREAD_MUTEX_INITIALIZER, 8, "raddling" };

static int length(void)
{
	pthread_mutex_lock(&from.lock);
	int n = from.length;                    /*@A*/
	pthread_mutex_unlock(&from.lock);
	return n;
}

static void *append(void *unused)
{
	(void)unused;
	int n = length();
	if (n == 0)
		return NULL;
	pthread_mutex_lock(&from.lock);
	assert(n <= from.length);               /*@B*/
	pthread_mutex_unlock(&from.lock);
	return NULL;
}

static void *shorten(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&from.lock);
	from.length = 0;                        /*@C*/
	pthread_mutex_unlock(&from.lock);
	return NULL;
}

int main(void)
{
	pthread_t one, two;
	pthread_create(&one, NULL, append, NULL);
	pthread_create(&two, NULL, shorten, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
