/* Locals of one thread used by others and by callees; frames that come and go; small structs by value; padding; longjmp. */
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

struct pair { int a; char b; };
struct job { int from, to; long sum; struct pair last; };

static struct pair turn(struct pair p)
{
	struct pair q = { p.b, (char)p.a };
	return q;
}

static void fill(int *at, int count)
{
	for (int i = 0; i < count; i++)
		at[i] = i + count;
}

static long add(const int *at, int count)
{
	long sum = 0;
	for (int i = 0; i < count; i++)
		sum += at[i];
	return sum;
}

static long deep(int n, struct pair *up)
{
	struct pair here = { n, (char)(n + 1) }, other;
	int some[8];
	fill(some, 8);
	memcpy(&other, &here, sizeof other);
	*up = turn(other);
	long below = n ? deep(n - 1, &here) : 0;
	return below + here.a + here.b + add(some, 8);
}

static int jumps(jmp_buf out, int n)
{
	int big[64];
	fill(big, 64);
	if (n == 0)
		longjmp(out, (int)add(big, 64));
	return jumps(out, n - 1) + big[n];
}

static void *runs(void *arg)
{
	struct job *j = arg;
	jmp_buf out;
	for (int i = j->from; i < j->to; i++) {
		j->sum += deep(i % 6, &j->last);
		if (setjmp(out) == 0)
			jumps(out, i % 4);
		j->last = turn(j->last);
	}
	return &j->sum;
}

static long split(int from, int to, int levels)
{
	struct job jobs[2] = { { from, (from + to) / 2, 0, { 0, 0 } }, { (from + to) / 2, to, 0, { 0, 0 } } };
	pthread_t t[2];
	void *sum;
	long all = 0;
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, runs, &jobs[i]);
	if (levels)
		all += split(from, to, levels - 1);
	for (int i = 0; i < 2; i++) {
		pthread_join(t[i], &sum);
		all += *(long *)sum + jobs[i].last.a;
	}
	return all;
}

int main(void)
{
	printf("%ld\n", split(0, 40, 2));
	return 0;
}
