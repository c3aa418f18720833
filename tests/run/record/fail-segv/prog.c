/* A write to an address nothing is mapped at. */
#include "../check.h"

static volatile int before;

int main(void)
{
	int *volatile wild = (int *)0xabcd0;
	before = 41;
	before++;
	*wild = 1;
	return 0;
}
