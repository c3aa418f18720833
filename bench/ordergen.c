/* bench/ordergen.c -- made-up runs for the order engine, as text twins on standard output.
 *   ordergen EVENTS SECTIONS THREADS [LOCKS [SEED]]
 * Threads are created and joined by the first; each works on words of its own and, in critical sections, on a few words that
 * belong to the section's lock. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t seed;

static uint32_t rnd(uint32_t n)
{
	seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
	return (uint32_t)(seed >> 20) % n;
}

int main(int argc, char **argv)
{
	if (argc < 4) {
		fputs("usage: ordergen EVENTS SECTIONS THREADS [LOCKS [SEED]]\n", stderr);
		return 2;
	}
	uint64_t events = strtoull(argv[1], NULL, 10), sections = strtoull(argv[2], NULL, 10);
	uint32_t threads = (uint32_t)atoi(argv[3]), locks = argc > 4 ? (uint32_t)atoi(argv[4]) : 64;
	seed = (argc > 5 ? strtoull(argv[5], NULL, 10) : 1) * 0x9e3779b97f4a7c15ull | 1;
	static char buffer[1 << 20];
	setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
	puts("order: total\nthread: T_0");
	for (uint32_t t = 0; t < threads; t++)
		printf("thread: T_0_%u parent=T_0\n", t);
	for (uint32_t t = 0; t < threads; t++)
		printf("T_0 fork T_0_%u\n", t);
	uint64_t left = events > sections * 2 ? events - sections * 2 : 0, inside = sections ? left / 2 / sections : 0;
	uint64_t own = sections ? left / sections - inside : left;
	for (uint64_t s = 0; s < (sections ? sections : 1); s++) {
		uint32_t t = rnd(threads), m = rnd(locks);
		for (uint64_t i = 0; i < own; i++)
			printf("T_0_%u %c 0x%x at=gen.c:%u in=own\n", t, i % 3 ? 'r' : 'w', 0x1000000 + t * 4096 + 8 * rnd(64), 10 + rnd(4));
		if (!sections)
			continue;
		printf("T_0_%u lock 0x%x type=mutex at=gen.c:20 in=work\n", t, 0x10000 + m * 64);
		for (uint64_t i = 0; i < inside; i++)
			printf("T_0_%u %c 0x%x at=gen.c:%u in=work\n", t, i % 2 ? 'w' : 'r', 0x2000000 + m * 4096 + 8 * rnd(4), 21 + (unsigned)(i % 2));
		printf("T_0_%u unlock 0x%x type=mutex at=gen.c:24 in=work\n", t, 0x10000 + m * 64);
	}
	for (uint32_t t = 0; t < threads; t++)
		printf("T_0 join T_0_%u\n", t);
	return 0;
}
