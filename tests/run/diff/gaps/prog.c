/* Structures with gaps between their fields, all fields set, copied by assignment through memory that had something else before: what is in the gaps is nobody's. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row { char c; long v; short h; };
struct bits { unsigned a : 3, b : 20; char c; double d; struct { short s; int i; } in; };
union either { char c; long v; };
struct with { short s; union either e; char c; };

struct wide { char c; long double v; };                 /* ten bytes of sixteen */

static struct row rows[3];
static struct bits bits[3];
static struct with withs[3];
static struct wide wides[3];

static void *work(void *given)
{
	long k = (long)given;
	struct row x, *y = malloc(sizeof *y);
	struct bits p, *q = malloc(sizeof *q);
	struct with m, *n = malloc(sizeof *n);
	struct wide a, *b = malloc(sizeof *b);
	x.c = (char)k; x.v = k * 3; x.h = (short)(k * 5);
	p.a = 5; p.b = (unsigned)k + 9; p.c = 'c'; p.d = 1.5; p.in.s = (short)k; p.in.i = 7;
	m.s = 2; m.e.v = 0x1234567890l + k; m.c = 'm';
	a.c = 0; a.v = 1.5l * (long double)k;
	*y = x; *q = p; *n = m; *b = a;
	rows[k] = *y; bits[k] = *q; withs[k] = *n; wides[k] = *b;
	free(y); free(q); free(n); free(b);
	return NULL;
}

int main(void)
{
	pthread_t t[3];
	long sum = 0;
	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < 3; i++)
		sum += rows[i].c + rows[i].v + rows[i].h + (long)bits[i].a + (long)bits[i].b + bits[i].c + (long)(2 * bits[i].d) + bits[i].in.s + bits[i].in.i +
			withs[i].s + (withs[i].e.v & 0xffff) + withs[i].c + wides[i].c + (long)wides[i].v;
	printf("%ld\n", sum);
	return 0;
}
