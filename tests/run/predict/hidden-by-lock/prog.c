/* The order of the two sections, as observed, hides that nothing orders y.  Every order that keeps what was read of x keeps it so. */
#include <pthread.h>
#include <stdio.h>
static int x, y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *task(void *unused)
{
	pthread_mutex_lock(&m);
	x++;
	pthread_mutex_unlock(&m);
	y++;
	return unused;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, task, NULL);
	y++;
	pthread_mutex_lock(&m);
	x++;
	pthread_mutex_unlock(&m);
	pthread_join(t, NULL);
	printf("%d %d\n", x, y);
	return 0;
}
