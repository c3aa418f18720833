/* trace/ahead.c -- the versions in blocks a lane has not come to, told to who merges lanes (versions.c).
 *
 *   (1) every block is told of once, in the order of the lane: when the lane comes to it, or before that if the merger looks ahead;
 *   (2) of a block that is only looked into nothing is kept but its versions: it is decoded again when the lane comes to it. */
#include <string.h>

#include "trace/inside.h"

#define HANDLERS_MAX (256u << 20)               /* bytes of handlers' records looked at ahead */

static void expect_block(struct versions *v, uint32_t lane, unsigned level, const struct loaded *b)
{
	const struct decoded *d = &b->decoded;
	for (size_t i = 0; i < d->record_count; i++) {
		uint64_t w[3];
		if (d->records[i].site != RECORD_IS_CONTROL)
			continue;
		memcpy(w, d->bytes + d->records[i].at, sizeof w);
		uint32_t stripe = stripe_of_version(w[0] >> 48 & 127, w[0] & RECORD_ADDRESS_MASK, w[1], w[2]);
		if (stripe != NO_STRIPE)
			versions_expect(v, lane, level, stripe, w[2]);
	}
}

/* Handlers run at any moment, so theirs must be known before their blocks are due: looked at once, ahead of everything. */
void ahead_tell_handlers(struct versions *v, struct trace *t, uint32_t lane, unsigned level, struct block_range range)
{
	struct loaded block = { 0 };
	struct err ignored;
	uint64_t bytes = 0;
	for (uint32_t i = 0; i < range.count && bytes < HANDLERS_MAX; i++) {
		const struct data_block *b = &t->blocks.at[range.first + i];
		bytes += b->head.decoded;
		if (loaded_fill(&block, t, t->codec, b, &ignored) == 0)
			expect_block(v, lane, level, &block);
	}
	loaded_release(&block);
}

void ahead_tell(struct ahead *a, struct versions *v, uint32_t lane, uint32_t nth, const struct loaded *b)
{
	if (nth < a->told)
		return;
	expect_block(v, lane, 0, b);
	a->told = nth + 1;
}

void ahead_peek(struct ahead *a, struct versions *v, struct trace *t, uint32_t lane, struct block_range range, uint32_t nth)
{
	struct err ignored;
	if (loaded_fill(&a->peeked, t, t->codec, &t->blocks.at[range.first + nth], &ignored) < 0) {
		a->blind = true;
		return;
	}
	ahead_tell(a, v, lane, nth, &a->peeked);
	a->blind = a->peeked.cut;
}
