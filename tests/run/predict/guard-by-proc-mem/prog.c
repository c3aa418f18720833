/* One thread opens the gate through /proc/self/mem, which is no access that anybody sees; the other reads the value behind it without a lock. */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static volatile int gate;
static int value;

static void *opens(void *unused)
{
	int one = 1, memory = open("/proc/self/mem", O_RDWR);
	value = 1;
	if (memory < 0 || pwrite(memory, &one, sizeof one, (off_t)(unsigned long)&gate) != sizeof one)
		_exit(3);
	close(memory);
	return unused;
}

static void *reads(void *seen)
{
	if (gate)
		*(int *)seen = value;
	return NULL;
}

int main(void)
{
	pthread_t one, two;
	static int seen;
	pthread_create(&one, NULL, opens, NULL);
	pthread_create(&two, NULL, reads, &seen);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
