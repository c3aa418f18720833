/* A key deleted before the thread ends has no destructor any more; deleted later, it ran. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_key_t key;
static atomic_int destroyed;

static void destroy(void *value)
{
	(void)value;
	destroyed++;
}

static void *thread(void *unused)
{
	pthread_setspecific(key, &key);
	return unused;
}

int main(void)
{
	pthread_t t;
	pthread_key_create(&key, destroy);
	pthread_create(&t, NULL, thread, NULL);
	pthread_key_delete(key);
	pthread_join(t, NULL);
	printf("destroyed %d\n", destroyed);
}
