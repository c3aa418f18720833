/* Dies in the middle of a row of instructions: what came before is there. */
#include <stdlib.h>

static int *volatile nowhere, start = 5;

int main(void)
{
	int a = start + 1, b = a * 3;
	*nowhere = b;
	return a * 1000;
}
