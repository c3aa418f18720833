/* Peterson's lock, each thread once, waiting for as long as it takes. */
#include "../relaxed.h"
static atomic_int both;         /* written by who is not alone, never read */
atomic_int want[2], turn, inside;     /* not static: the compiler would see that nobody else can have them */
THREAD(enters)
{
	long i = (long)me;
	STORE(want[i], 1);
	STORE(turn, 1 - (int)i);
	int other, whose;
	do {
		other = LOAD(want[1 - i]);
		whose = LOAD(turn);
	} while (other == 1 && whose == 1 - i);
	int n = LOAD(inside);
	STORE(inside, n + 1);
	n = LOAD(inside);
	STORE(both, n != 1);
	STORE(inside, 0);
	STORE(want[i], 0);
	return NULL;
}
int main(void) { RUN(enters, enters); return 0; }
