/* Functions headers of libc have a body for: what they read has events, whoever makes the call. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[16];

int main(void)
{
	strcpy(text, "12");
	int a = atoi(text);
	long b = atol(text);
	double c = atof(text);
	text[0] = 0;
	printf("%d %ld %g\n", a, b, c);
	return 0;
}
