/* bench/predictgen.h -- made-up runs with races planted in them, event by event, for whoever writes them down.
 *
 * 16 threads, 64 locks nested to 3, 30 % of the accesses in sections, 10,000 variables.  Shared variables are touched under their lock only,
 * so there is no race but those planted: two writes of one variable, nothing around them in common, between which one lock was handed over in
 * the run.  Of some of them both sections count the same variable up: the reads see another value when the sections change places. */
#ifndef BENCH_PREDICTGEN_H
#define BENCH_PREDICTGEN_H

#include <stdint.h>

#define GEN_THREADS   16u                       /* numbered from 1; 0 creates and joins them */
#define GEN_LOCKS     64u
#define GEN_VARIABLES 10000u

enum gen_what { GEN_READ, GEN_WRITE, GEN_LOCK, GEN_UNLOCK, GEN_FORK, GEN_JOIN };

struct gen {
	uint64_t seed, made;
	void (*put)(struct gen *g, uint32_t thread, enum gen_what what, uint32_t object, uint32_t line);
	void *with;
};

static inline uint32_t gen_random(struct gen *g, uint32_t n)
{
	g->seed ^= g->seed << 13, g->seed ^= g->seed >> 7, g->seed ^= g->seed << 17;
	return (uint32_t)(g->seed >> 20) % n;
}

static inline void gen_event(struct gen *g, uint32_t thread, enum gen_what what, uint32_t object, uint32_t line)
{
	g->put(g, thread, what, object, line);
	g->made++;
}

static inline void gen_shared(struct gen *g, uint32_t thread, uint32_t lock)
{
	uint32_t variable = lock + GEN_LOCKS * gen_random(g, GEN_VARIABLES / GEN_LOCKS / 2);
	gen_event(g, thread, gen_random(g, 2) ? GEN_WRITE : GEN_READ, 0x2000000 + 8 * variable, 30 + gen_random(g, 8));
}

/* Up to three locks inside each other, always in one order, accesses inside each. */
static inline void gen_section(struct gen *g, uint32_t thread)
{
	uint32_t depth = 1 + gen_random(g, 3), lock[3];
	for (uint32_t i = 0, at = gen_random(g, GEN_LOCKS - 6); i < depth; i++, at += 1 + gen_random(g, 3)) {
		lock[i] = at;
		gen_event(g, thread, GEN_LOCK, 0x10000 + 64 * lock[i], 20 + i);
		gen_shared(g, thread, lock[i]);
	}
	for (uint32_t i = depth; i-- > 0;) {
		gen_shared(g, thread, lock[i]);
		gen_event(g, thread, GEN_UNLOCK, 0x10000 + 64 * lock[i], 24 + i);
	}
}

static inline void gen_own(struct gen *g, uint32_t thread, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		gen_event(g, thread, i % 3 ? GEN_READ : GEN_WRITE, 0x4000000 + 8 * (thread * 320 + gen_random(g, 320)), 10 + gen_random(g, 4));
}

static inline void gen_plant(struct gen *g, uint32_t i, int changes)
{
	uint32_t a = gen_random(g, GEN_THREADS), b = (a + 1 + gen_random(g, GEN_THREADS - 1)) % GEN_THREADS;
	uint32_t lock = 0x20000 + 64 * i, word = 0x6000000 + 8 * i, counted = 0x7000000 + 16 * i;
	gen_event(g, a + 1, GEN_WRITE, word, 1000 + 2 * i);
	for (int side = 0; side < 2; side++) {
		uint32_t t = 1 + (side ? b : a), v = changes || !side ? counted : counted + 8;
		gen_event(g, t, GEN_LOCK, lock, 50);
		gen_event(g, t, GEN_READ, v, 51);
		gen_event(g, t, GEN_WRITE, v, 52);
		gen_event(g, t, GEN_UNLOCK, lock, 53);
	}
	gen_event(g, b + 1, GEN_WRITE, word, 1001 + 2 * i);
}

/* `changing` of the `planted` races need a read to see another value. */
static inline void gen_run(struct gen *g, uint64_t events, uint32_t planted, uint32_t changing)
{
	uint32_t done = 0;
	for (uint32_t t = 1; t <= GEN_THREADS; t++)
		gen_event(g, 0, GEN_FORK, t, 1);
	while (g->made < events || done < planted) {
		uint32_t t = 1 + gen_random(g, GEN_THREADS);
		gen_own(g, t, 9);
		gen_section(g, t);
		for (; done < planted && g->made * planted >= done * events; done++)
			gen_plant(g, done, done < changing);
	}
	for (uint32_t t = 1; t <= GEN_THREADS; t++)
		gen_event(g, 0, GEN_JOIN, t, 2);
}

#endif
