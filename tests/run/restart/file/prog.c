/* Every run opens a file, which cannot be undone: no run follows another in the same process. */
#include <pthread.h>
#include <stdio.h>

static int shared;

static void *work(void *unused)
{
	shared++;
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	FILE *f = fopen("/dev/null", "r");
	shared++;
	pthread_join(thread, NULL);
	printf("%d\n", f != NULL);
	return 0;
}
