/* A message and a flag that says it is there, both plain: only where the flag's store may overtake the message's is it seen too early. */
#include <pthread.h>
#include <stdio.h>

static volatile int message, ready;

static void *send(void *unused)
{
	message = 1;
	ready = 1;
	return unused;
}

int main(void)
{
	pthread_t sender;
	pthread_create(&sender, NULL, send, NULL);
	int came = ready, got = message;
	pthread_join(sender, NULL);
	printf("%d%d\n", came, got);
	return came && !got;
}
