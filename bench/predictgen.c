/* bench/predictgen.c -- made-up runs with races planted in them, as text twins on standard output.
 *   predictgen EVENTS [PLANTED [CHANGING [SEED]]]
 * 16 threads, 64 locks nested to 3, about 30 % of the accesses in sections, 10,000 variables.  Shared variables are touched under
 * their lock only, so there is no race but those planted: two writes of one variable, nothing around them in common, between which
 * one lock was handed over in the run.  Of CHANGING of them both sections count the same variable up: the reads see another
 * value when the sections change places. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS   16u
#define LOCKS     64u
#define VARIABLES 10000u

static uint64_t seed, made;

static uint32_t rnd(uint32_t n)
{
	seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
	return (uint32_t)(seed >> 20) % n;
}

static void event(uint32_t thread, const char *what, uint32_t object, uint32_t line)
{
	printf("T_0_%u %s 0x%x at=gen.c:%u in=work\n", thread, what, object, line);
	made++;
}

static void access_shared(uint32_t thread, uint32_t lock)
{
	uint32_t variable = lock + LOCKS * rnd(VARIABLES / LOCKS / 2);
	event(thread, rnd(2) ? "w" : "r", 0x2000000 + 8 * variable, 30 + rnd(8));
}

/* Up to three locks inside each other, always in one order, accesses inside each. */
static void section(uint32_t thread)
{
	uint32_t depth = 1 + rnd(3), lock[3];
	for (uint32_t i = 0, at = rnd(LOCKS - 8); i < depth; i++, at += 1 + rnd(3)) {
		lock[i] = at;
		event(thread, "lock", 0x10000 + 64 * lock[i], 20 + i);
		access_shared(thread, lock[i]);
	}
	for (uint32_t i = depth; i-- > 0;) {
		access_shared(thread, lock[i]);
		event(thread, "unlock", 0x10000 + 64 * lock[i], 24 + i);
	}
}

static void own(uint32_t thread, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		event(thread, i % 3 ? "r" : "w", 0x4000000 + 8 * (thread * 320 + rnd(320)), 10 + rnd(4));
}

static void plant(uint32_t i, int changes)
{
	uint32_t a = rnd(THREADS), b = (a + 1 + rnd(THREADS - 1)) % THREADS, lock = 0x20000 + 64 * i, word = 0x6000000 + 8 * i, counted = 0x7000000 + 16 * i;
	event(a, "w", word, 1000 + 2 * i);
	for (int side = 0; side < 2; side++) {
		uint32_t t = side ? b : a, v = changes || !side ? counted : counted + 8;
		event(t, "lock", lock, 50);
		event(t, "r", v, 51);
		event(t, "w", v, 52);
		event(t, "unlock", lock, 53);
	}
	event(b, "w", word, 1001 + 2 * i);
}

int main(int argc, char **argv)
{
	uint64_t events = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000, planted = argc > 2 ? strtoull(argv[2], NULL, 10) : 500;
	uint64_t changing = argc > 3 ? strtoull(argv[3], NULL, 10) : 100, done = 0;
	static char buffer[1 << 20];
	seed = (argc > 4 ? strtoull(argv[4], NULL, 10) : 1) * 0x9e3779b97f4a7c15ull | 1;
	setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
	puts("order: total\nthread: T_0");
	for (uint32_t t = 0; t < THREADS; t++)
		printf("thread: T_0_%u parent=T_0\n", t);
	for (uint32_t t = 0; t < THREADS; t++)
		printf("T_0 fork T_0_%u\n", t);
	while (made < events || done < planted) {
		uint32_t t = rnd(THREADS);
		own(t, 14);
		section(t);
		while (done < planted && made * planted >= done * events)
			plant((uint32_t)done, done < changing), done++;
	}
	for (uint32_t t = 0; t < THREADS; t++)
		printf("T_0 join T_0_%u\n", t);
	return 0;
}
