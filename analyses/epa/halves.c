/* analyses/epa/halves.c -- see halves.h. */
#include "analyses/epa/halves.h"

/* The line of this address; NULL: nothing was written there by four bytes. */
static struct halves_line *line_at(struct halves *h, uint64_t address, bool make)
{
	uint64_t at = address / (4 * HALVES);
	uint32_t *near = &h->near[at & (LINES_NEAR - 1)];
	if (*near && h->lines.at[*near - 1].at == at)
		return &h->lines.at[*near - 1];
	uint64_t *index = make ? map_put(&h->line_of, at, NULL) : map_get(&h->line_of, at);
	if (!index)
		return NULL;
	if (!*index) {
		vec_push(&h->lines, ((struct halves_line){ .at = at }));
		*index = h->lines.count;
	}
	*near = (uint32_t)*index;
	return &h->lines.at[*near - 1];
}

void halves_put(struct halves *h, uint64_t address, uint32_t value)
{
	unsigned half = address / 4 % HALVES;
	if (address % 4)
		return;
	struct halves_line *line = line_at(h, address, true);
	line->halves[half] = value;
	line->written |= 1u << half;
}

void halves_put_word(struct halves *h, uint64_t address, uint64_t word)
{
	halves_put(h, address, (uint32_t)word);
	halves_put(h, address + 4, (uint32_t)(word >> 32));
}

bool halves_word(struct halves *h, uint64_t address, uint64_t *word)
{
	const struct halves_line *line = address % 8 || !h->lines.count ? NULL : line_at(h, address, false);
	unsigned half = address / 4 % HALVES;
	if (!line || (line->written >> half & 3) != 3)
		return false;
	*word = line->halves[half] | (uint64_t)line->halves[half + 1] << 32;
	return true;
}

void halves_release(struct halves *h)
{
	map_release(&h->line_of);
	vec_release(&h->lines);
}
