/* analyses/epa/golden_digest.c -- see golden_digest.h.  Numbers of a book of names are given as names come, so what they stand for is hashed instead. */
#include "analyses/epa/golden_digest.h"

#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "analyses/epa/outputs.h"
#include "base/digest.h"

#define AT_ONCE 1024u

struct said { uint8_t kind, size, flags, nest; uint32_t none; uint64_t place, thing, points_to, offset, value; };        /* an event, the same in every book */
_Static_assert(sizeof(struct said) == 48, "no gaps");

typedef VEC(uint64_t) hashes;

static void hash_places(const struct names_book *b, hashes *out)
{
	for (size_t i = 0; i < b->place.count; i++) {
		const char *own = i ? book_say(b, b->place.at[i].own) : "";
		vec_push(out, XXH64(own, strlen(own), 0));
	}
}

static uint64_t thing_hash(const struct names_book *b, uint32_t thing)
{
	return thing ? b->hash.at[thing] : 0;
}

static void digest_lane(struct digest *d, const struct canon *c, const struct canon_lane *lane, const hashes *places)
{
	struct said said[AT_ONCE];
	size_t count = 0;
	digest_text(d, lane->path);
	for (size_t i = 0; i < lane->count; i++) {
		const struct canon_event *e = canon_at(lane, i);
		said[count++] = (struct said){ e->kind, e->size, e->flags, e->nest, 0, places->at[e->place], thing_hash(c->book, e->thing), thing_hash(c->book, e->points_to), e->offset, e->value };
		if (count == AT_ONCE || i + 1 == lane->count) {
			digest_add(d, said, count * sizeof *said);
			count = 0;
		}
	}
}

/* Numbers that may differ a little do. */
static int digest_outputs(struct digest *d, const struct golden_run *g, const struct campaign_config *c, struct err *why)
{
	char path[8400], hash[DIGEST_ROOM];
	for (size_t i = 0; i <= c->outputs.count && c->tolerance == 0; i++) {
		snprintf(path, sizeof path, "%s/%s", g->room, i ? c->outputs.at[i - 1] : OUTPUT_STDOUT);
		if (!i && !c->output_stdout)
			continue;
		if (digest_file(path, hash, why) < 0)
			return -1;
		digest_text(d, hash);
	}
	return 0;
}

int golden_digest(const struct golden_run *g, const struct campaign_config *c, char into[], struct err *why)
{
	struct digest d;
	char exit[16];
	hashes places = { 0 };
	digest_begin(&d);
	snprintf(exit, sizeof exit, "%d", g->exit);
	digest_text(&d, exit);
	hash_places(&g->book, &places);
	for (uint32_t i = 0; i < g->canon.lane_count; i++)
		digest_lane(&d, &g->canon, &g->canon.lanes[i], &places);
	vec_release(&places);
	int got = digest_outputs(&d, g, c, why);
	digest_end(&d, into);
	return got;
}
