/* A handler interrupted by another handler: three levels, each with accesses and allocations of its own. */
#include "../check.h"
#include <signal.h>

static volatile int order[8], count;

static void third(int number)  { (void)number; order[count++] = 3; }
static void second(int number) { (void)number; order[count++] = 2; raise(SIGHUP); order[count++] = 22; }
static void first(int number)  { (void)number; order[count++] = 1; raise(SIGUSR2); order[count++] = 11; }

int main(void)
{
	signal(SIGUSR1, first);
	signal(SIGUSR2, second);
	signal(SIGHUP, third);
	raise(SIGUSR1);
	IS(count, 5);
	int expected[] = { 1, 2, 3, 22, 11 };
	for (int i = 0; i < 5; i++)
		IS(order[i], expected[i]);
	return done();
}
