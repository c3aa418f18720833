/* Fails in every order; each run takes a second, and says by a byte in a pipe that it has begun. */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int count;

static void *work(void *with)
{
	int seen = count;
	usleep(500000);
	count = seen + 1;
	return with;
}

int main(void)
{
	pthread_t t[2];
	if (write(3, "x", 1) != 1)
		return 2;
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(count == 3);
	return 0;
}
