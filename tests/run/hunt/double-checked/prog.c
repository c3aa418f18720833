/* Double-checked initialisation that says "ready" before it is.  Depth 2: the first user is stopped behind the flag, the second takes the
 * short way.  Switches: main to writer, to reader: 2. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready, value;

static void initialise(void)
{
	if (ready)
		return;
	pthread_mutex_lock(&m);
	if (!ready) {
		ready = 1;
		value = 42;
	}
	pthread_mutex_unlock(&m);
}

static void *writer(void *x)
{
	initialise();
	return x;
}

static void *reader(void *x)
{
	initialise();
	assert(value == 42);
	return x;
}

int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], NULL, writer, NULL);
	pthread_create(&t[1], NULL, reader, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
