/* bench/canon.c -- how fast a trace is made canonical, and how fast two are compared.
 *   canon GOLDEN OTHER     one line: events of OTHER, CPU seconds to make it canonical (GOLDEN is known already) the first time and at best, what
 *                          is the same being found on the way and kept once, to compare all of the two where it is not, deviating threads */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "analyses/epa/diff.h"

#define COMPARED 9                      /* times */
#define LEAST_S 0.5                     /* of rounds, and three of them: a few milliseconds alone are the machine's, not ours */

static double cpu(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int fail(const char *what)
{
	fprintf(stderr, "canon: %s\n", what);
	return 1;
}

/* OTHER, made canonical: seconds. */
static double make(struct trace **t, struct canon *c, const char *path, struct names_book *book, const struct canon *like)
{
	struct err why;
	double begin = cpu();
	if (trace_open(t, path, &(struct trace_options){ 0 }, &why) < 0 || canon_make(c, *t, book, like, &why) < 0)
		exit(fail(why.text));
	return cpu() - begin;
}

static void drop(struct trace *t, struct canon *c)
{
	canon_release(c);
	trace_close(t);
}

static double compare(const struct canon *golden, const struct canon *other, uint32_t *deviating)
{
	struct diff d;
	double begin = cpu();
	diff_make(&d, golden, other);
	double took = cpu() - begin;
	*deviating = d.deviating;
	diff_release(&d);
	return took;
}

static double least(double a, double b)
{
	return a < b ? a : b;
}

int main(int argc, char **argv)
{
	struct names_book book;
	struct canon golden, other;
	struct trace *a, *b;
	double first = 0, made = 1e9, compared = 1e9;
	uint32_t deviating = 0;
	if (argc != 3)
		return fail("two traces, please");
	book_open(&book);
	make(&a, &golden, argv[1], &book, NULL);
	double start = cpu();
	for (int rounds = 0; rounds < 3 || cpu() - start < LEAST_S; rounds++) {
		double took = make(&b, &other, argv[2], &book, &golden);
		first = rounds ? first : took;
		made = least(made, took);
		drop(b, &other);
	}
	make(&b, &other, argv[2], &book, NULL);
	for (int rounds = 0; rounds < COMPARED; rounds++)
		compared = least(compared, compare(&golden, &other, &deviating));
	printf("%llu %.6f %.6f %.6f %u\n", (unsigned long long)other.events, first, made, compared, deviating);
	drop(b, &other);
	drop(a, &golden);
	book_close(&book);
	return 0;
}
