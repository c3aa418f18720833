/* tests/unit/model_pointers.c -- points-to sets of a small program, reasoned by hand.  The program is compiled by the raddle-cc beside. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/model.h"

static const char program[] =
	"#include <pthread.h>\n#include <stdlib.h>\n#include <string.h>\n"
	"#define APART __attribute__((noinline))\n"
	"int x, y, z, *p, *elsewhere;\n"
	"struct pair { int *first, *second; } one, copy, many[10];\n"
	"int **a, **b, ***chain; struct pair *grown;\n"
	"void outside_function(int **);\n"
	"APART int *get_first(void) { return one.first; }\n"
	"APART int *get_second(void) { return one.second; }\n"
	"APART int *get_copied(void) { return copy.second; }\n"
	"APART int *get_many(int i) { return many[i].second; }\n"
	"int *(*volatile pointer)(void);\n"
	"APART int *by_pointer(void) { return pointer(); }\n"
	"APART void *alloc(void) { void *m = malloc(8); if (!m) abort(); return m; }\n"
	"APART int *get_a(void) { return *a; }\n"
	"APART int *get_b(void) { return *b; }\n"
	"APART int *get_grown(int i) { return grown[i].first; }\n"
	"APART void *run(void *arg) { elsewhere = arg; return arg; }\n"
	"APART int *get_elsewhere(void) { return elsewhere; }\n"
	"APART int *get_escaped(void) { return p; }\n"
	"static int less(const void *l, const void *r) { return l < r; }\n"
	"int main(int n, char **v) { (void)v; pthread_t t;\n"
	"  one.first = &x; one.second = &y; memcpy(&copy, &one, sizeof one);\n"
	"  many[n].first = &x; many[n + 1].second = &z; pointer = n > 2 ? get_first : get_second;\n"
	"  a = alloc(); b = alloc(); *a = &x; *b = &y;\n"
	"  grown = malloc(16); grown = realloc(grown, 16 * n); grown[n].first = &z;\n"
	"  pthread_create(&t, 0, run, &y); pthread_join(t, 0); outside_function(&p);\n"
	"  qsort(many, 10, sizeof *many, less);\n"
	"  return by_pointer() == get_many(n) || get_copied() == get_a() || get_b() == get_grown(n) || get_elsewhere() == get_escaped(); }\n";

static struct model *model;
static char folder[] = "/tmp/raddle-unit.XXXXXX";

static int build(void **state)
{
	char command[8192], self[4096], path[4200];
	struct err why;
	(void)state;
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	if (n < 0 || !mkdtemp(folder))
		return -1;
	self[n] = 0;
	for (int i = 0; i < 2; i++)                     /* build/unit/model_pointers -> build */
		*strrchr(self, '/') = 0;
	snprintf(path, sizeof path, "%s/p.c", folder);
	FILE *f = fopen(path, "w");
	if (!f || fputs(program, f) < 0 || fclose(f))
		return -1;
	snprintf(command, sizeof command, "'%s/raddle-cc' -O1 -pthread -Wl,--unresolved-symbols=ignore-all %s/p.c -o %s/p", self, folder, folder);
	snprintf(path, sizeof path, "%s/p", folder);
	const char *const paths[] = { path };
	return system(command) || model_open(&model, paths, 1, MODEL_AS_BUILT, &why) ? -1 : 0;
}

static int clean(void **state)
{
	char command[256];
	(void)state;
	model_close(model);
	snprintf(command, sizeof command, "rm -rf %s", folder);
	return system(command);
}

/* What the function returns may point to exactly these variables, named with spaces between; "outside" is one. */
static void returns(const char *function, const char *wanted)
{
	const struct code *c = model_code(model);
	const struct pointers *p = model_pointers(model);
	char found[256] = "";
	for (uint32_t f = 0; f < c->functions.count; f++)
		for (uint32_t i = 0; !strcmp(code_text(c, c->functions.at[f].name), function) && i < points_count(p->points, p->return_node[f]); i++) {
			struct thing t = p->things.at[points_at(p->points, p->return_node[f], i).object];
			const char *name = t.kind == THING_OUTSIDE ? "outside" : t.kind == THING_GLOBAL ? code_text(c, c->globals.at[t.index].name) : "other";
			char word[64];
			snprintf(word, sizeof word, "%s ", name);
			if (!strstr(found, word))
				strcat(found, word);
			if (!strstr(wanted, name))
				fail_msg("%s returns a pointer to %s, not only to %s", function, name, wanted);
		}
	if (strlen(found) != strlen(wanted) + 1)
		fail_msg("%s returns pointers to '%s', not '%s'", function, found, wanted);
}

static void fields_are_apart(void **state)
{
	(void)state;
	returns("get_first", "x");
	returns("get_second", "y");
	returns("get_copied", "y");
}

static void calls_through_pointers_are_found(void **state)
{
	(void)state;
	returns("by_pointer", "x y");
}

static void each_call_of_a_wrapper_is_an_object(void **state)
{
	(void)state;
	returns("get_a", "x");
	returns("get_b", "y");
}

static void memory_that_moved_keeps_what_it_holds(void **state)
{
	(void)state;
	returns("get_grown", "z");
}

static void a_thread_gets_its_argument(void **state)
{
	(void)state;
	returns("get_elsewhere", "y");
	returns("run", "y");
}

/* qsort moves whole elements, the model only knows: words of the array. */
static void sorting_mixes(void **state)
{
	(void)state;
	returns("get_many", "x z");
}

static void what_is_handed_out_comes_back_from_outside(void **state)
{
	(void)state;
	returns("get_escaped", "outside");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_are_apart),
		cmocka_unit_test(calls_through_pointers_are_found),
		cmocka_unit_test(each_call_of_a_wrapper_is_an_object),
		cmocka_unit_test(memory_that_moved_keeps_what_it_holds),
		cmocka_unit_test(a_thread_gets_its_argument),
		cmocka_unit_test(sorting_mixes),
		cmocka_unit_test(what_is_handed_out_comes_back_from_outside),
	};
	return cmocka_run_group_tests(tests, build, clean);
}
