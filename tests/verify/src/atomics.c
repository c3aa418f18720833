/* Atomics of all sizes and orders, flags that publish, a spinlock and a stack made of them, plain and atomic mixed. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define THREADS 4
#define ROUNDS 200

static atomic_int ready, spin;
static _Atomic unsigned char small;
static _Atomic unsigned short medium;
static _Atomic unsigned long large;
static int data[16], guarded;
static struct node { struct node *next; int value; } nodes[THREADS * ROUNDS];
static struct node *_Atomic top;

static void push(struct node *n)
{
	struct node *old = atomic_load_explicit(&top, memory_order_relaxed);
	do
		n->next = old;
	while (!atomic_compare_exchange_weak_explicit(&top, &old, n, memory_order_release, memory_order_relaxed));
}

static void *works(void *arg)
{
	int id = (int)(long)arg, seen = 0;
	if (id == 0) {
		for (int i = 0; i < 16; i++)
			data[i] = i * i;
		atomic_store_explicit(&ready, 1, memory_order_release);
	}
	while (!atomic_load_explicit(&ready, memory_order_acquire))
		;
	for (int i = 0; i < ROUNDS; i++) {
		seen += data[i % 16];
		atomic_fetch_add(&small, 1);
		atomic_fetch_xor_explicit(&medium, 0x5a5a, memory_order_relaxed);
		atomic_fetch_or(&large, 1ul << i % 64);
		if (i % 32 == 31)
			atomic_exchange(&large, 0);
		while (atomic_exchange_explicit(&spin, 1, memory_order_acquire))
			;
		guarded++;
		atomic_store_explicit(&spin, 0, memory_order_release);
		nodes[id * ROUNDS + i].value = i;
		push(&nodes[id * ROUNDS + i]);
		atomic_thread_fence(memory_order_seq_cst);
	}
	return (void *)(long)seen;
}

int main(void)
{
	pthread_t t[THREADS];
	long sum = 0;
	atomic_init(&large, 7);
	for (long i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, works, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	for (struct node *n = top; n; n = n->next)
		sum += n->value;
	printf("%ld %d\n", sum, guarded);
	return 0;
}
