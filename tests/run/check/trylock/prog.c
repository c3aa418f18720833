/* Who does not get the lock does something else. */
#include "../relaxed.h"

static int n;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

THREAD(tries)
{
	if (pthread_mutex_trylock(&m) == 0) {
		n++;
		pthread_mutex_unlock(&m);
	}
	return me;
}

int main(void) { RUN(tries, tries); return 0; }
