/* Two words that belong together are published one after the other.  Depth 2: the writer is stopped between them.
 * Switches: main to writer, to reader: 2. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int pair[2];

static void *writer(void *x)
{
	for (int i = 1; i < 4; i++) {
		pair[0] = i;
		pair[1] = i;
	}
	return x;
}

static void *reader(void *x)
{
	int low = pair[0], high = pair[1];
	assert(low == high);
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
