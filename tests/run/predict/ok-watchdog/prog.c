/* A watchdog ends the program if it is not done in half a minute.  That main has come to its end by then is no order of events but time enough. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void *watch(void *unused)
{
	(void)unused;
	sleep(30);
	fputs("still not done\n", stderr);
	abort();
}

int main(void)
{
	pthread_t dog;
	pthread_create(&dog, NULL, watch, NULL);
	pthread_detach(dog);
	puts("done");
	return 0;
}
