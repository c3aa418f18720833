/* Threads that make threads, twice: a stack is given to the next one as soon as its last one has ended, which may be while that one is being made.  Each
 * works on numbers of its own and joins whom it made, so it does the same in any order. */
#include <pthread.h>
#include <stdio.h>

static __thread int mine;
static __thread int *at;

static void *leaf(void *given)
{
	int row[16], sum = 0;
	mine = *(int *)given;
	at = &mine;
	for (int i = 0; i < (mine & 7) + 3; i++)
		row[i] = i * mine;
	for (int i = 0; i <= (mine & 7); i++)
		sum += row[i] + *at;
	*(int *)given = sum;
	return at ? given : NULL;
}

static void *middle(void *given)
{
	int x[2] = { *(int *)given, *(int *)given + 1 };
	for (int round = 0; round < 4; round++) {
		pthread_t t[2];
		for (int i = 0; i < 2; i++)
			pthread_create(&t[i], NULL, leaf, &x[i]);
		for (int i = 0; i < 2; i++) {
			pthread_join(t[i], NULL);
			x[i] %= 13;
		}
	}
	*(int *)given = x[0] * 100 + x[1];
	return NULL;
}

int main(void)
{
	pthread_t t[3];
	int v[3] = { 1, 2, 3 };
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < 3; i++)
			pthread_create(&t[i], NULL, middle, &v[i]);
		for (int i = 0; i < 3; i++) {
			pthread_join(t[i], NULL);
			v[i] %= 11;
		}
	}
	printf("%d %d %d\n", v[0], v[1], v[2]);
	return 0;
}
