/* Two threads add to a number without care, and what came of it is printed. */
#include <stdio.h>

#include "../relaxed.h"

static atomic_int n;

THREAD(adds) { int r = LOAD(n); STORE(n, r + 1); return me; }

int main(void)
{
	RUN(adds, adds);
	printf("added\n%d in all\n", LOAD(n));
	return 0;
}
