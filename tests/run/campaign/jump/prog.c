/* What is given to longjmp is what setjmp returns: in the same function, and from one that is called. */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf here, there;

static __attribute__((noinline)) int same(int n)
{
	int given = n + 3;
	int got = setjmp(here);
	if (got == 0)
		longjmp(here, given);
	return got > 0;
}

static __attribute__((noinline)) void leave(int n)
{
	int given = n + 5;
	longjmp(there, given);
}

static __attribute__((noinline)) int other(int n)
{
	int got = setjmp(there);
	if (got == 0)
		leave(n);
	return got > 0;
}

int main(int count, char **unused)
{
	(void)unused;
	printf("%d %d\n", same(count), other(count));
	return 0;
}
