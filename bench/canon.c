/* bench/canon.c -- how fast a trace is made canonical, and how fast two are compared.
 *   canon GOLDEN OTHER     one line: events of OTHER, CPU seconds to make it canonical (GOLDEN is known already) the first time and at best,
 *                          to compare the two, deviating threads */
#include <stdio.h>
#include <time.h>

#include "analyses/epa/diff.h"

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

int main(int argc, char **argv)
{
	struct err why = { .text = "two traces, please" };
	struct names_book book;
	struct canon golden, other;
	struct trace *a, *b;
	struct diff d;
	double first = 0, made = 1e9, compared = 1e9;
	book_open(&book);
	if (argc != 3 || trace_open(&a, argv[1], &(struct trace_options){ 0 }, &why) < 0 || canon_make(&golden, a, &book, NULL, &why) < 0)
		return fail(why.text);
	uint64_t events = 0;
	uint32_t deviating = 0;
	int rounds = 0;
	for (double start = cpu(), begin = start; begin - start < LEAST_S || rounds < 3; begin = cpu(), rounds++) {
		if (trace_open(&b, argv[2], &(struct trace_options){ 0 }, &why) < 0 || canon_make(&other, b, &book, &golden, &why) < 0)
			return fail(why.text);
		double middle = cpu();
		diff_make(&d, &golden, &other);
		double end = cpu();
		first = first > 0 ? first : middle - begin;
		made = middle - begin < made ? middle - begin : made;
		compared = end - middle < compared ? end - middle : compared;
		events = other.events;
		deviating = d.deviating;
		diff_release(&d);
		canon_release(&other);
		trace_close(b);
	}
	printf("%llu %.6f %.6f %.6f %u\n", (unsigned long long)events, first, made, compared, deviating);
	canon_release(&golden);
	trace_close(a);
	book_close(&book);
	return 0;
}
