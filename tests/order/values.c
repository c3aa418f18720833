/* tests/order/values.c -- values for the accesses of a small run, as its observed order leaves them.
 * Variables and atomic cells have two bytes each; a plain access touches one or both, so that accesses overlap in part.  A write that
 * covers both cells otherwise (WIDE) writes bytes of the first one here. */
#include <string.h>

#include "tests/order/small.h"
#include "wire/kinds.h"

bool small_reads(const struct small_event *e)
{
	return e->kind == EV_READ || e->kind == EV_ALOAD || e->kind == EV_RMW || e->kind == EV_CAS;
}

bool small_writes(const struct small_event *e)
{
	return e->kind == EV_WRITE || e->kind == EV_ASTORE || e->kind == EV_RMW || (e->kind == EV_CAS && !e->arg);
}

int small_byte(const struct small_event *e, int i)
{
	int object = e->kind == EV_READ || e->kind == EV_WRITE ? e->object : 2 + e->object;
	return (small_reads(e) || small_writes(e)) && e->bytes >> i & 1 ? 2 * object + i : -1;
}

static int draw(uint64_t *seed, int n)
{
	*seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
	return (int)((*seed >> 33) % (uint64_t)n);
}

void small_values(struct small *s, uint64_t *seed)
{
	int memory[MOST_BYTES] = { 0 };
	for (int k = 0; k < s->count; k++) {
		struct small_event *e = &s->ev[k];
		bool plain = e->kind == EV_READ || e->kind == EV_WRITE;
		e->bytes = plain ? 1 + draw(seed, 3) : 3;
		for (int i = 0; i < 2; i++) {
			int byte = small_byte(e, i);
			if (byte < 0)
				continue;
			e->got[i] = memory[byte];
			e->put[i] = draw(seed, 3);
			if (small_writes(e))
				memory[byte] = e->put[i];
		}
	}
}
