/* Locks taken by inline assembly: a loop of C around it, a loop inside it, a ticket drawn in front of a loop inside it; and asm goto with a
 * loop of C around it, and with one inside it. */
#include <pthread.h>

static int word, inside, next, served, bits, jumps, shared;

static void take_around(void)
{
	int old;
	do {
		old = 1;
		__asm__ volatile("xchgl %0, %1" : "+r"(old), "+m"(word) : : "memory");
	} while (old);
}

static void take_inside(void)
{
	__asm__ volatile("1: movl $1, %%eax\n xchgl %%eax, %0\n testl %%eax, %%eax\n jz 3f\n2: pause\n cmpl $0, %0\n jne 2b\n jmp 1b\n3:"
		: "+m"(inside) : : "eax", "memory", "cc");
}

static void take_ticket(void)
{
	int mine = 1;
	__asm__ volatile("lock xaddl %0, %1\n1: cmpl %0, %2\n je 2f\n pause\n jmp 1b\n2:"
		: "+r"(mine), "+m"(next) : "m"(served) : "memory", "cc");
}

static void take_bit(void)
{
again:
	__asm__ goto("lock btsl $0, %0\n jc %l1" : : "m"(bits) : "memory", "cc" : again);
}

/* What it waits for is 1 or 2. */
static int take_jump(void)
{
	__asm__ goto("1: cmpl $0, %0\n je 1b\n cmpl $2, %0\n je %l1" : : "m"(jumps) : "memory", "cc" : second);
	return 1;
second:
	return 2;
}

static void give(int *lock)
{
	__asm__ volatile("movl $0, %0" : "=m"(*lock) : : "memory");
}

static void *work(void *unused)
{
	for (int i = 0; i < 2; i++) {
		take_around();
		take_inside();
		take_ticket();
		take_bit();
		shared += take_jump() == 2;
		give(&bits);
		__asm__ volatile("lock incl %0" : "+m"(served) : : "memory");
		give(&inside);
		give(&word);
	}
	return unused;
}

int main(void)
{
	pthread_t t[2];
	take_inside();
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], 0, work, 0);
	give(&inside);
	jumps = 2;
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], 0);
	return shared != 4;
}
