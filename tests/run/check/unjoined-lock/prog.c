/* Nobody joins the threads: the program may end while one of them waits for a lock that the other has.  Every behaviour is explored, and
 * with -DBUG (argument given) the one in which main sees only one of two steps done is found. */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic unsigned value;
static void *step(void *a)
{
	unsigned seen = value;
	pthread_mutex_lock(&lock);
	if (value == seen)
		value = seen + 1;
	pthread_mutex_unlock(&lock);
	return a;
}
int main(int argc, char **argv)
{
	pthread_t t[2];
	(void)argv;
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], 0, step, 0);
	if (argc > 1)
		assert(value != 1);
	return 0;
}
