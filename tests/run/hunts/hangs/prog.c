/* If the other thread is first it computes without end, and without an event. */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int came;

static void *work(void *unused)
{
	pthread_mutex_lock(&lock);
	int before = came++;
	pthread_mutex_unlock(&lock);
	for (volatile int go_on = !before; go_on;)
		;
	return unused;
}

int main(void)
{
	pthread_t other;
	if (nice(19) < 0)
		return 2;
	pthread_create(&other, NULL, work, NULL);
	pthread_mutex_lock(&lock);
	came++;
	pthread_mutex_unlock(&lock);
	pthread_join(other, NULL);
	return 0;
}
