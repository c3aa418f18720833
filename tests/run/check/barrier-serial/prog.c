/* Three meet; one of them, any, is told to be the serial one, and looks at what it was told. */
#include "../relaxed.h"

static pthread_barrier_t b;
static int serial[3];

THREAD(meets)
{
	serial[(long)me] = pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD;
	return NULL;
}

int main(void)
{
	pthread_barrier_init(&b, NULL, 3);
	RUN(meets, meets, meets);
	return serial[0] + serial[1] + serial[2] != 1;
}
