/* A flight recorder's tail begins in the middle: key frames say which functions the thread was in and which locks it held. */
#include <pthread.h>

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;
static volatile int table[16];

__attribute__((noinline)) static void fill(int turns)
{
	for (int i = 0; i < turns; i++)
		table[i & 15] = i;
}

__attribute__((noinline)) static void hold_and_fill(void)
{
	pthread_mutex_lock(&outer);
	fill(200000);
	pthread_mutex_unlock(&outer);
	table[1] = 1;
}

static void *waits(void *arg)
{
	pthread_mutex_lock(&outer);
	table[0]++;
	pthread_mutex_unlock(&outer);
	return arg;
}

int main(void)
{
	pthread_t thread;
	hold_and_fill();
	pthread_create(&thread, NULL, waits, NULL);
	pthread_join(thread, NULL);
	return 0;
}
