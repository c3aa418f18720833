/* Two threads, each waits for the other's byte: only they hold the pipes. */
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int a[2], b[2];

static void *other(void *x)
{
	char byte;
	struct pollfd p = { .fd = a[0], .events = POLLIN };
	poll(&p, 1, -1);
	return read(a[0], &byte, 1) == 1 && write(b[1], &byte, 1) == 1 ? x : NULL;
}

int main(void)
{
	pthread_t t;
	char byte;
	if (pipe(a) || pipe(b))
		return 1;
	pthread_create(&t, NULL, other, NULL);
	if (read(b[0], &byte, 1) == 1 && write(a[1], &byte, 1) == 1)
		pthread_join(t, NULL);
	return 0;
}
