/* The stack overflows; the program has an alternate stack but no handler. */
#include "../check.h"
#include <signal.h>

static char other[65536];

static int forever(int n)
{
	volatile char page[4096];
	page[0] = (char)n;
	return n < 0 ? 0 : forever(n + 1) + page[0];
}

int main(void)
{
	stack_t stack = { .ss_sp = other, .ss_size = sizeof other };
	IS(sigaltstack(&stack, NULL), 0);
	return forever(0);
}
