/* tests/models/agree.c -- do steered runs of a litmus test have exactly the outcomes the axioms of the memory model allow?
 *   agree [-v] [-m sc|tso|pso] [-c] [-p <accesses>,<threads>,<every>] [-x <accesses>,<threads>,<every>] <litmus program> [<shape>...]
 * The shapes given, and those of tests/models/family.c: -p plain ones of so many accesses and threads, -x their variants, of them
 * the first and then one in so many.  Without -m under all three models; -c only counts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/models/explore.h"
#include "tests/models/family.h"

static const char *const names[] = { "sc", "tso", "pso" };
static bool verbose;
static uint64_t passed, failed, runs;

static void print_missing(const char *said, const struct outcomes *a, const struct outcomes *b)
{
	for (size_t i = 0; i < a->count; i++) {
		bool found = false;
		for (size_t k = 0; k < b->count; k++)
			found |= strcmp(a->at[i], b->at[k]) == 0;
		if (!found)
			printf("  %s: %s\n", said, a->at[i]);
	}
}

static void compare(const char *program, const char *text, enum shape_model model)
{
	struct shape s;
	struct explored came;
	struct outcomes allowed = { 0 };
	bool good = explore(program, text, model, &came) && shape_parse(&s, text);
	runs += came.runs;
	if (good) {
		axioms_outcomes(&s, model, &allowed);
		outcomes_sort(&allowed);
		outcomes_sort(&came.outcomes);
		good = allowed.count == came.outcomes.count;
		for (size_t i = 0; good && i < allowed.count; i++)
			good = strcmp(allowed.at[i], came.outcomes.at[i]) == 0;
	}
	if (!good || verbose)
		printf("%s %s: %s: %zu outcomes, %llu runs\n", good ? "ok" : "FAIL", names[model], text, came.outcomes.count, (unsigned long long)came.runs);
	if (!good && *came.trouble)
		printf("  a run ended otherwise: %s\n", came.trouble);
	if (!good) {
		print_missing("allowed, never seen", &allowed, &came.outcomes);
		print_missing("seen, not allowed", &came.outcomes, &allowed);
	}
	*(good ? &passed : &failed) += 1;
	outcomes_release(&allowed);
	outcomes_release(&came.outcomes);
}

/* ---- families ---- */

struct family { unsigned accesses, threads, every; bool variants; };

static const char *program;
static int only = -1;
static bool counts;
static uint64_t made;

static void check_shape(const char *text)
{
	for (int m = 0; m < 3; m++)
		if (only < 0 || only == m)
			compare(program, text, (enum shape_model)m);
}

static void one_in(void *with, const char *text)
{
	const struct family *f = with;
	if (made++ % f->every == 0 && !counts)
		check_shape(text);
}

static void variants_of(void *with, const char *text)
{
	family_variants(text, one_in, with);
}

static void check_family(struct family *f)
{
	made = 0;
	family_plain(f->accesses, f->threads, f->variants ? variants_of : one_in, f);
	if (counts)
		printf("%u accesses, %u threads: %llu %s\n", f->accesses, f->threads, (unsigned long long)made, f->variants ? "variants" : "plain");
}

int main(int argc, char **argv)
{
	struct family families[32];
	unsigned count = 0;
	for (int c; (c = getopt(argc, argv, "+vcm:p:x:")) != -1;) {
		struct family *f = &families[count];
		switch (c) {
		case 'v': verbose = true; break;
		case 'c': counts = true; break;
		case 'm': only = strcmp(optarg, "sc") == 0 ? SHAPE_SC : strcmp(optarg, "tso") == 0 ? SHAPE_TSO : SHAPE_PSO; break;
		case 'p': case 'x':
			f->variants = c == 'x';
			if (count == 31 || sscanf(optarg, "%u,%u,%u", &f->accesses, &f->threads, &f->every) != 3 || f->accesses > 6 ||
				f->threads > SHAPE_THREADS || !f->every)
				return 2;
			count++;
			break;
		default: return 2;
		}
	}
	if (optind >= argc)
		return 2;
	program = argv[optind];
	for (int i = optind + 1; i < argc; i++)
		check_shape(argv[i]);
	for (unsigned i = 0; i < count; i++)
		check_family(&families[i]);
	if (verbose)
		fprintf(stderr, "%llu runs\n", (unsigned long long)runs);
	printf("%llu passed, %llu failed\n", (unsigned long long)passed, (unsigned long long)failed);
	return failed != 0;
}
