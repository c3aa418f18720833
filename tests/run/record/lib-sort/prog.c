/* qsort calls back into recorded code; the order is libc's. */
#include "../check.h"
#include <string.h>
#include <sys/stat.h>

static int numbers[64], calls;

static int compare(const void *a, const void *b)
{
	calls++;
	return *(const int *)a - *(const int *)b;
}

int main(void)
{
	struct stat about;
	struct tm parts;
	time_t then = 86400 * 365;
	char text[32], where[4096];
	for (int i = 0; i < 64; i++)
		numbers[i] = i * 37 % 64;
	qsort(numbers, 64, sizeof *numbers, compare);
	for (int i = 0; i < 64; i++)
		IS(numbers[i], i);
	CHECK(calls > 64);
	int key = 5, *found = bsearch(&key, numbers, 64, sizeof *numbers, compare);
	CHECK(found == numbers + 5);
	IS(stat("/", &about), 0);
	CHECK(S_ISDIR(about.st_mode));
	CHECK(gmtime_r(&then, &parts) == &parts);
	IS(parts.tm_year, 71);
	IS(strftime(text, sizeof text, "%Y-%m-%d", &parts), 10);
	CHECK(!strcmp(text, "1971-01-01"));
	CHECK(getcwd(where, sizeof where) && where[0] == '/');
	return done();
}
