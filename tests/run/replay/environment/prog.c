/* What depends on the environment: variables asked for, those libc asks for itself, and where the stack lies. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(void)
{
	time_t billion = 1000000000;            /* 01:46:40 in Greenwich */
	struct tm there;
	const char *colour = getenv("COLOUR"), *locale = setlocale(LC_ALL, "");
	localtime_r(&billion, &there);
	printf("%s, %s, %d o'clock\n", colour ? colour : "none", locale, there.tm_hour);
	fprintf(stderr, "%p\n", (void *)&there);
	return 0;
}
