#include <stdio.h>
int main(void)
{
	puts("started");
	return 0;
}
