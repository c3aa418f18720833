/* main waits in a loop, as any thread may: its two behaviours are what it saw first. */
#include <pthread.h>
static _Atomic int done;
static int data;
static void *work(void *a)
{
	data = 1;
	done = 1;
	return a;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	while (!done) {
	}
	int seen = data;
	pthread_join(t, 0);
	return seen != 1;
}
