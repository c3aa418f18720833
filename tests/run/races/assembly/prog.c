/* Two hand data on by assembly, which nobody sees; 'beside' has only assembly of no instructions, and what
 * the runtime stands in front of, around it. */
#include "../two.h"
#include <sched.h>
#include <signal.h>

long by_exchange, by_store;
int data, later, beside;

static long exchange(long *p, long v)
{
	__asm__ volatile("xchgq %0, %1" : "+r"(v), "+m"(*p) : : "memory");
	return v;
}

static void store(long *p, long v)
{
	__asm__ volatile("movq %1, %0" : "=m"(*p) : "r"(v) : "memory");
}

static void *a(void *x)
{
	beside = 1;
	__asm__ volatile("" : : : "memory");
	sched_yield();
	data = 42;
	exchange(&by_exchange, 1);
	later = 42;
	store(&by_store, 1);
	return x;
}

static void *c(void *x)
{
	signal(SIGUSR1, SIG_IGN);
	__asm__ volatile("" : : : "memory");
	beside = 2;
	return x;
}

static void *b(void *x)
{
	while (exchange(&by_exchange, 0) != 1)
		sched_yield();
	data++;
	while (*(volatile long *)&by_store != 1)
		sched_yield();
	later++;
	return x;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, c, NULL);
	two(a, b);
	pthread_join(t, NULL);
	return 0;
}
