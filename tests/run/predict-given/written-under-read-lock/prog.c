/* A cache is filled under a read lock: two readers may both fill it. */
#include <pthread.h>

static int cached;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void fill(int with)
{
	pthread_rwlock_rdlock(&l);
	cached = with;                  /*@A*/
	pthread_rwlock_unlock(&l);
}

static void *first(void *unused) { (void)unused; fill(1); return NULL; }
static void *second(void *unused) { (void)unused; fill(2); return NULL; }

int main(void)
{
	pthread_t one, two;
	pthread_create(&one, NULL, first, NULL);
	pthread_create(&two, NULL, second, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
