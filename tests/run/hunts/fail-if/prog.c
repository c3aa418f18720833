/* Writes to both, and ends with 3. */
#include <stdio.h>

int main(void)
{
	puts("found 4");
	puts("lost 17");
	fputs("to standard error", stderr);
	return 3;
}
