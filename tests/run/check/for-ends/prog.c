/* A thread goes round without any event, another polls without end: --for ends the runs, and what is told after them. */
#include <pthread.h>
static int flag, other;
static void *spins(void *a) { if (flag) for (volatile int local = 0;;) local++; return a; }
static void *polls(void *a) { for (;;) if (__atomic_load_n(&other, __ATOMIC_RELAXED) > 1) return a; }
int main(int argc, char **argv)
{
	pthread_t t;
	(void)argv;
	pthread_create(&t, 0, argc > 1 ? polls : spins, 0);
	flag = 1;
	for (; argc > 1; other ^= 1)
		;
	pthread_join(t, 0);
	return 0;
}
