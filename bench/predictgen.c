/* bench/predictgen.c -- a run of predictgen.h as a text twin on standard output.
 *   predictgen EVENTS [PLANTED [CHANGING [SEED]]] */
#include <stdio.h>
#include <stdlib.h>

#include "predictgen.h"

static void name(uint32_t thread, char into[16])
{
	if (thread)
		snprintf(into, 16, "T_0_%u", thread - 1);
	else
		snprintf(into, 16, "T_0");
}

static void put(struct gen *g, uint32_t thread, enum gen_what what, uint32_t object, uint32_t line)
{
	static const char *const words[] = { "r", "w", "lock", "unlock", "fork", "join" };
	char who[16], whom[16];
	(void)g;
	name(thread, who);
	if (what >= GEN_FORK)
		name(object, whom);
	else
		snprintf(whom, sizeof whom, "0x%x", object);
	printf("%s %s %s at=gen.c:%u in=work\n", who, words[what], whom, line);
}

static uint64_t number(int argc, char **argv, int i, uint64_t usual)
{
	return argc > i ? strtoull(argv[i], NULL, 10) : usual;
}

int main(int argc, char **argv)
{
	struct gen g = { .seed = number(argc, argv, 4, 1) * 0x9e3779b97f4a7c15ull | 1, .put = put };
	static char buffer[1 << 20];
	setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
	puts("order: total\nthread: T_0");
	for (uint32_t t = 0; t < GEN_THREADS; t++)
		printf("thread: T_0_%u parent=T_0\n", t);
	gen_run(&g, number(argc, argv, 1, 1000000), (uint32_t)number(argc, argv, 2, 500), (uint32_t)number(argc, argv, 3, 100));
	return 0;
}
