/* Two loops without end that do their work, and wait for each other now and then: no livelock, and no search comes to its end. */
#include <pthread.h>
static _Atomic int a, b;
static void *one(void *arg)
{
	for (;;) {
		a = 1;
		while (b >= 3)
			;
		a = 0;
	}
	return arg;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, one, 0);
	for (;;) {
		b = 2;
		while (a >= 3)
			;
		b = 0;
	}
}
