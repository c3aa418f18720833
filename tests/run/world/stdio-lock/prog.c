/* A lock inside libc is held across a switch: the other printf waits for it. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

static void *holds(void *x)
{
	flockfile(stdout);
	printf("a ");
	sched_yield();
	usleep(100);
	printf("b\n");
	funlockfile(stdout);
	return x;
}

static void *prints(void *x)
{
	printf("c d\n");
	return x;
}

int main(void)
{
	pthread_t t[2];
	setvbuf(stdout, NULL, _IONBF, 0);
	pthread_create(&t[0], NULL, holds, NULL);
	pthread_create(&t[1], NULL, prints, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
