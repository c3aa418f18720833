/* In some schedules the increment is lost: those runs end in a segmentation fault, and another process goes on. */
#include <pthread.h>
#include <stddef.h>

static int count;
static int *volatile nowhere;

static void *work(void *unused)
{
	count++;
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	count++;
	pthread_join(thread, NULL);
	return count == 2 ? 0 : *nowhere;
}
