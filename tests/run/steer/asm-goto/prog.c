/* Accesses of a function with asm goto are events like any others: somebody may come between its read and its write. */
#include <pthread.h>
#include <stdio.h>

static int jumped, straight, turns, first;

__attribute__((noinline)) static void jump(int who)
{
	jumped = jumped + 1;
	__asm__ goto("testl %0, %0\n\tjz %l[over]" : : "r"(who) : "cc" : over);
	if (__atomic_fetch_add(&turns, 1, __ATOMIC_SEQ_CST) == 0)
		first = who;
over:
	return;
}

__attribute__((noinline)) static void go(void)
{
	straight = straight + 1;
}

static void *other(void *unused)
{
	jump(2);
	go();
	return unused;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, other, NULL);
	jump(1);
	go();
	pthread_join(t, NULL);
	printf("jumped %d, straight %d, first %d\n", jumped, straight, first);
}
