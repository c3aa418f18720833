/* A function called __VERIFIER_atomic_... is one atomic section, at every level of optimisation; one of another name is none. */
#include <pthread.h>
extern void __VERIFIER_error(void) __attribute__((noreturn));
static volatile int sum;
static int __VERIFIER_atomic_add(int n)
{
	if (n > 9)
		return 0;
	sum = sum + n;
	return 1;
}
static void add(int n) { sum = sum + n; }
static void *adds(void *plainly)
{
	if (plainly)
		add(1);
	else
		__VERIFIER_atomic_add(1);
	return 0;
}
int main(int argc, char **argv)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], 0, adds, argc > 1 ? argv : 0);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], 0);
	if (sum != 2)
		__VERIFIER_error();
	return 0;
}
