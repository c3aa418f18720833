/* tests/models/agree.c -- do steered runs of a litmus test have exactly the outcomes the axioms of the memory model allow?
 *   agree [-v] [-m sc|tso|pso] [-c] [-p <accesses>,<threads>,<every>[,<from>]] [-x <the same>] [-r <count>,<seed>] <litmus program> [<shape>...]
 * The shapes given, and those of tests/models/family.c: -p plain ones of so many accesses and threads, -x their variants; of them
 * the first, or the one with that number, and then one in so many; -r so many mixtures.  Without -m under all three models, variants only where the model
 * can tell them from the plain one; -c only counts. */
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

static void compare(struct explorer *explorer, const char *text, enum shape_model model)
{
	struct shape s;
	struct explored came;
	struct outcomes allowed = { 0 };
	bool good = explore(explorer, text, &came) && shape_parse(&s, text);
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

struct family { unsigned accesses, threads, every, from; bool variants; unsigned mixtures; };

static struct explorer *explorers[3];
static int only = -1;
static bool counts;
static uint64_t made;

/* Nothing is early or late under sc, and under tso stores stay in order anyway. */
static bool matters(const char *text, enum shape_model model)
{
	return model == SHAPE_PSO || !strpbrk(text, model == SHAPE_TSO ? "Lf" : "LfSF");
}

static void check_shape(const char *text, bool always)
{
	for (int m = 0; m < 3; m++)
		if (explorers[m] && (always || matters(text, (enum shape_model)m)))
			compare(explorers[m], text, (enum shape_model)m);
}

static void one_in(void *with, const char *text)
{
	const struct family *f = with;
	if ((f->mixtures || made++ % f->every == f->from) && !counts)
		check_shape(text, false);
}

static void variants_of(void *with, const char *text)
{
	family_variants(text, one_in, with);
}

static void check_family(struct family *f)
{
	made = 0;
	if (f->mixtures) {
		family_mixtures(f->mixtures, f->from, one_in, f);
		return;
	}
	family_plain(f->accesses, f->threads, f->variants ? variants_of : one_in, f);
	if (counts)
		printf("%u accesses, %u threads: %llu %s\n", f->accesses, f->threads, (unsigned long long)made, f->variants ? "variants" : "plain");
}

int main(int argc, char **argv)
{
	struct family families[32];
	char trouble[512];
	unsigned count = 0;
	for (int c; (c = getopt(argc, argv, "+vcm:p:x:r:")) != -1;) {
		struct family *f = &families[count];
		switch (c) {
		case 'v': verbose = true; break;
		case 'c': counts = true; break;
		case 'm': only = strcmp(optarg, "sc") == 0 ? SHAPE_SC : strcmp(optarg, "tso") == 0 ? SHAPE_TSO : SHAPE_PSO; break;
		case 'p': case 'x':
			*f = (struct family){ .variants = c == 'x' };
			if (count == 31 || sscanf(optarg, "%u,%u,%u,%u", &f->accesses, &f->threads, &f->every, &f->from) < 3 || f->accesses > 6 ||
				f->threads > SHAPE_THREADS || !f->every)
				return 2;
			count++;
			break;
		case 'r':
			*f = (struct family){ .every = 1 };
			if (count == 31 || sscanf(optarg, "%u,%u", &f->mixtures, &f->from) != 2 || !f->mixtures)
				return 2;
			count++;
			break;
		default: return 2;
		}
	}
	if (optind >= argc)
		return 2;
	for (int m = 0; m < 3 && !counts; m++)
		if ((only < 0 || only == m) && !(explorers[m] = explorer_open(argv[optind], (enum shape_model)m, trouble)))
			return printf("%s\n", trouble), 3;
	for (int i = optind + 1; i < argc; i++)
		check_shape(argv[i], true);
	for (unsigned i = 0; i < count; i++)
		check_family(&families[i]);
	for (int m = 0; m < 3; m++)
		explorer_close(explorers[m]);
	if (verbose)
		fprintf(stderr, "%llu runs\n", (unsigned long long)runs);
	printf("%llu passed, %llu failed\n", (unsigned long long)passed, (unsigned long long)failed);
	return failed != 0;
}
