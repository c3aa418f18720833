/* Neighbours of five numbers are swapped under one lock. */
#include "../relaxed.h"

static int a[5] = { 5, 4, 3, 2, 1 };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

THREAD(swap)
{
	long i = (long)me;
	pthread_mutex_lock(&m);
	int left = a[i], right = a[i + 1];
	if (left > right) {
		a[i] = right;
		a[i + 1] = left;
	}
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void) { RUN(swap, swap, swap, swap); return 0; }
