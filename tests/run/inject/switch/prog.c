/* Switches of all kinds; each function gives the number of the way taken.  main is told the values. */
#include <stdio.h>
#include <stdlib.h>

#define KEPT __attribute__((noinline))

KEPT static int two(int k)
{
	switch (k) { case 5: return 1; case 6: return 2; default: return 3; }
}

KEPT static int shared(int k)
{
	switch (k) { case 2: case 3: return 1; case 9: return 2; default: return 3; }
}

KEPT static int one(int k)
{
	switch (k) { case 7: puts("seven"); break; case 8: puts("seven"); puts("eight"); break; }
	return 0;
}

KEPT static int no_default(unsigned k)
{
	switch (k & 3) { case 0: return 10; case 1: return 11; case 2: return 12; default: return 13; }
}

KEPT static int wide(long long k)
{
	switch (k) { case -1: return 1; case 1ll << 40: return 2; case 3: return 4; default: return 3; }
}

KEPT static int narrow(unsigned char k)
{
	switch (k) { case 200: return 1; case 0: return 2; case 255: return 5; default: return 3; }
}

KEPT static int lone(int k)
{
	switch (k) { default: puts("lone"); }
	return k;
}

int main(int count, char **given)
{
	int k = count > 1 ? atoi(given[1]) : 0;
	printf("two %d\n", two(k));
	printf("shared %d\n", shared(k));
	printf("one %d\n", one(k));
	printf("no_default %d\n", no_default((unsigned)k));
	printf("wide %d\n", wide(k));
	printf("narrow %d\n", narrow((unsigned char)k));
	lone(k);
	return 0;
}
