/* Memory and string functions: results as from libc; the bytes they touch are in the trace. */
#include "../check.h"
#include <string.h>
#include <strings.h>

#define SAME(a, b) CHECK(strcmp(a, b) == 0)

static char text[] = "hello world", other[] = "hello there", buffer[64];

static void copies(void)
{
	IS(strlen(text), 11);
	IS(strnlen(text, 5), 5);
	SAME(strcpy(buffer, text), "hello world");
	SAME(strcat(buffer, "!"), "hello world!");
	SAME(strncat(buffer, "abcdef", 3), "hello world!abc");
	CHECK(stpcpy(buffer, "stp") == buffer + 3);
	SAME(strncpy(buffer, "pad", 8), "pad");
	for (int i = 3; i < 8; i++)
		IS(buffer[i], 0);
	char *twin = strdup(text), *part = strndup(text, 5);
	SAME(twin, text);
	SAME(part, "hello");
	free(twin);
	free(part);
	CHECK(mempcpy(buffer, text, 4) == buffer + 4);
	CHECK(memccpy(buffer, text, 'w', 12) == buffer + 7);
	memmove(buffer + 1, buffer, 6);
	bzero(buffer, sizeof buffer);
	IS(buffer[3], 0);
	memset(buffer, 'm', 10);
	IS(buffer[9], 'm');
}

static void comparisons(void)
{
	CHECK(strcmp(text, other) > 0);
	CHECK(strncmp(text, other, 6) == 0);
	CHECK(memcmp(text, other, 11) > 0);
	CHECK(strcasecmp("HeLLo", "hEllO") == 0);
	CHECK(strncasecmp(text, "HELLOxxx", 5) == 0);
}

static void searches(void)
{
	CHECK(strchr(text, 'w') == text + 6);
	CHECK(!strchr(text, 'z'));
	CHECK(strrchr(text, 'o') == text + 7);
	CHECK(strstr(text, "wor") == text + 6);
	CHECK(memchr(text, 'l', 11) == text + 2);
	CHECK(memrchr(text, 'l', 11) == text + 9);
	IS(strspn(text, "hel"), 4);
	IS(strcspn(text, " "), 5);
	CHECK(strpbrk(text, "xyzw") == text + 6);
}

static void tokens(void)
{
	char list[] = "a,bc,,d", *place, *at = list;
	SAME(strtok_r(list, ",", &place), "a");
	SAME(strtok_r(NULL, ",", &place), "bc");
	SAME(strtok_r(NULL, ",", &place), "d");
	CHECK(!strtok_r(NULL, ",", &place));
	strcpy(list, "x y z");
	SAME(strsep(&at, " "), "x");
	SAME(strtok(at, " "), "y");
	SAME(strtok(NULL, " "), "z");
	CHECK(!strtok(NULL, " "));
}

static void numbers(void)
{
	char *end;
	char number[] = "  -123x";
	IS(strtol(number, &end, 10), -123);
	CHECK(end == number + 6);
	IS(atoi(number), -123);
	IS(strtoul("ff", NULL, 16), 255);
	CHECK(strtod("2.5e1z", &end) == 25.0 && *end == 'z');
	CHECK(atof("0.125") == 0.125);
}

int main(void)
{
	copies();
	comparisons();
	searches();
	tokens();
	numbers();
	return done();
}
