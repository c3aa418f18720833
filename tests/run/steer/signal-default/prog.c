/* The default action of SIGTERM, sent by one thread to the process, ends it, whatever the other was doing: it may have printed or not. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static void *say(void *unused)
{
	if (write(1, "alive\n", 6) < 0)
		return NULL;
	pause();
	return unused;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, say, NULL);
	kill(getpid(), SIGTERM);
	pthread_join(t, NULL);
	puts("not reached");
}
