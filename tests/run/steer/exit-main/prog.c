/* main ends by pthread_exit, its handler runs; the other thread goes on, whenever it comes to run, and its end is the program's,
 * with code 0. */
#include <pthread.h>
#include <stdio.h>

static void *thread(void *unused)
{
	puts("thread");
	return unused;
}

static void handler(void *unused)
{
	(void)unused;
	puts("handler");
}

int main(void)
{
	pthread_t t;
	setvbuf(stdout, NULL, _IONBF, 0);
	pthread_create(&t, NULL, thread, NULL);
	pthread_detach(t);
	pthread_cleanup_push(handler, NULL);
	pthread_exit(NULL);
	pthread_cleanup_pop(0);
}
