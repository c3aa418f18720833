/* main is in its critical section, or after it, and exits: the other thread may stand anywhere in the loops it waits in.  Dekker's algorithm. */
#include <assert.h>
#include <pthread.h>
static _Atomic int wants[2], turn, inside;
static void *enter(void *who)
{
	int me = who != 0;
	wants[me] = 1;
	while (wants[!me])
		if (turn != me) {
			wants[me] = 0;
			while (turn != me) {
			}
			wants[me] = 1;
		}
	assert(inside++ == 0);
	inside--;
	turn = !me;
	wants[me] = 0;
	return 0;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, enter, &t);
	enter(0);
	return 0;
}
