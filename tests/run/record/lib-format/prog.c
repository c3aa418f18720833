/* printf into memory and scanf out of it: results as from libc, every stored value in the trace. */
#include "../check.h"
#include <stdarg.h>
#include <string.h>

static char out[32], three[] = "three"; static int count;

static int wrapped(char *to, size_t room, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int length = vsnprintf(to, room, format, args);
	va_end(args);
	return length;
}

int main(void)
{
	int a, n;
	short b;
	long c;
	char word[8], letters[3], set[8], *made;
	double d;
	float f;
	IS(sprintf(out, "%d-%s-%.1f", 7, "seven", 7.5), 11);
	CHECK(!strcmp(out, "7-seven-7.5"));
	IS(snprintf(out, 5, "%s", "truncated"), 9);
	CHECK(!strcmp(out, "trun"));
	IS(snprintf(NULL, 0, "%d", 12345), 5);
	IS(wrapped(out, sizeof out, "%g %c %ld", 0.25, 'q', -1l), 9);
	CHECK(!strcmp(out, "0.25 q -1"));
	IS(asprintf(&made, "%s%s", "ab", "cd"), 4);
	CHECK(!strcmp(made, "abcd"));
	free(made);
	IS(sscanf("12 -3 99999999999 word xyz 2.5 1.5 [abc] 42", "%d %hd %ld %7s %3c %lf %f [%7[a-c]] %*d%n", &a, &b, &c, word,
		letters, &d, &f, set, &n), 8);
	CHECK(a == 12 && b == -3 && c == 99999999999l && !strcmp(word, "word") && !memcmp(letters, "xyz", 3));
	CHECK(d == 2.5 && f == 1.5f && !strcmp(set, "abc") && n == 43);
	IS(sscanf("7 x", "%d %d", &a, &n), 1);
	IS(a, 7);
	IS(sscanf("", "%d", &a), EOF);
	IS(sprintf(out, "%-*d%.*s%.2s%Lg%%%n%s", 3, 1, 2, three, three, 2.5L, &count, three), 16);
	CHECK(!strcmp(out, "1  thth2.5%three") && count == 11);
	return done();
}
