/* 30 x 30 pairs of racing lines: more than predict gets through in a short time. */
#include <pthread.h>

static volatile int x;

#define LINE x++;

static void *adds(void *unused)
{
	LINE
	LINE
	LINE
	LINE
	LINE
	LINE
	LINE
	LINE
	LINE
	LINE
	LINE
	LINE
	LINE
	LINE
	LINE
	LINE
	LINE
	LINE
	LINE
	LINE
	LINE
	LINE
	LINE
	LINE
	LINE
	LINE
	LINE
	LINE
	LINE
	LINE
	return unused;
}

int main(void)
{
	pthread_t one, two;
	pthread_create(&one, NULL, adds, NULL);
	pthread_create(&two, NULL, adds, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
