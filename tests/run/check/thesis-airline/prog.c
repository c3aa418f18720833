/* Airline: three sell while sales are not stopped, there are two seats. */
#include "../relaxed.h"
#include <assert.h>

atomic_int sold, stop;

THREAD(sells)
{
	if (LOAD(stop))
		return me;
	int n = LOAD(sold);
	STORE(sold, n + 1);
	if (LOAD(sold) >= 2)
		STORE(stop, 1);
	return me;
}

int main(void)
{
	RUN(sells, sells, sells);
	int n = LOAD(sold);
	assert(n <= 2);
	return 0;
}
