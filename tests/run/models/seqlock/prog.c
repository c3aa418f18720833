/* A seqlock's writer without fences: a reader that sees the same even number twice may still have half of the new data. */
#include <pthread.h>

static volatile unsigned number, low, high;

static void *write_both(void *unused)
{
	number = 1;
	low = 1;
	high = 1;
	number = 2;
	return unused;
}

int main(void)
{
	pthread_t writer;
	pthread_create(&writer, NULL, write_both, NULL);
	unsigned before = number, a = low, b = high, after = number;
	pthread_join(writer, NULL);
	return before == after && before % 2 == 0 && a != b;
}
