/* Fails in its third run alone, whatever the order: what it does depends on a pipe that all its runs read. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *nothing(void *arg)
{
	return arg;
}

int main(void)
{
	pthread_t thread;
	char got = 0;
	pthread_create(&thread, NULL, nothing, NULL);
	pthread_join(thread, NULL);
	if (read(3, &got, 1) < 0 || got != 'b')
		return 0;
	puts("the third run");
	return 7;
}
