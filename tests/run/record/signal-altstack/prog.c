/* A handler on an alternate stack: the program's own stack overflows, it jumps out and goes on, twice. */
#include "../check.h"
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>

static char other[65536];
static sigjmp_buf out;
static volatile int caught;
static volatile int sum;

static void overflowed(int number)
{
	char here;
	IS(number, SIGSEGV);
	CHECK((uintptr_t)&here - (uintptr_t)other < sizeof other);
	caught++;
	siglongjmp(out, 1);
}

static int forever(int n)
{
	volatile char page[4096];
	page[0] = (char)n;
	return n < 0 ? 0 : forever(n + 1) + page[0];
}

int main(void)
{
	stack_t stack = { .ss_sp = other, .ss_size = sizeof other };
	struct sigaction a = { .sa_handler = overflowed, .sa_flags = SA_ONSTACK };
	IS(sigaltstack(&stack, NULL), 0);
	IS(sigaction(SIGSEGV, &a, NULL), 0);
	for (int i = 0; i < 2; i++) {
		if (!sigsetjmp(out, 1))
			sum = forever(0);
		sum += 100;
	}
	IS(caught, 2);
	return done();
}
