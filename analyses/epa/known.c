/* analyses/epa/known.c -- see known.h.
 * Objects of few pages are cut at the pages' ends and stand in one row a page, others in one row for all; where both have something, the later one counts. */
#include "analyses/epa/known.h"

#define PAGE  4096ull
#define FEW   8u                                /* pages */

/* The first part that does not end in front of the address. */
static size_t row_from(const struct known_row *row, uint64_t address)
{
	size_t low = 0, high = row->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (row->at[middle].last < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void row_put(struct known_row *row, struct known_part part)
{
	size_t from = row_from(row, part.first), to = from, count = 0;
	struct known_part put[3];
	if (from == row->count) {               /* behind all others */
		vec_push(row, part);
		return;
	}
	while (to < row->count && row->at[to].first <= part.last)
		to++;
	if (from < to && row->at[from].first < part.first) {            /* what juts out in front of it stays, */
		put[count] = row->at[from];
		put[count++].last = part.first - 1;
	}
	put[count++] = part;
	if (from < to && row->at[to - 1].last > part.last) {            /* and behind it */
		put[count] = row->at[to - 1];
		put[count++].first = part.last + 1;
	}
	for (size_t more = from + count; more > to; more--)             /* as many as it takes; what they are is written over */
		vec_push(row, part);
	size_t behind = row->count - (from + count > to ? from + count - to : 0) - to;
	memmove(&row->at[from + count], &row->at[to], behind * sizeof part);
	memcpy(&row->at[from], put, count * sizeof part);
	row->count = from + count + behind;
}

static struct known_row *row_of(struct known *k, uint64_t page)
{
	uint64_t *index = map_put(&k->pages, page, NULL);
	if (!*index) {
		vec_add(&k->rows);
		*index = k->rows.count;
	}
	return &k->rows.at[*index - 1];
}

void known_put(struct known *k, uint64_t start, uint64_t end, uint32_t id)
{
	if (end <= start)
		return;
	struct known_part part = { start, end - 1, id, ++k->when };
	uint64_t first = start / PAGE, last = (end - 1) / PAGE;
	if (last - first >= FEW) {
		row_put(&k->large, part);
		return;
	}
	for (uint64_t page = first; page <= last; page++) {
		part.first = page == first ? start : page * PAGE;
		part.last = page == last ? end - 1 : page * PAGE + (PAGE - 1);
		row_put(row_of(k, page), part);
	}
}

/* The part there, and as far as this row has nothing else to say. */
static bool row_at(const struct known_row *row, uint64_t address, struct known_part *out)
{
	size_t at = row_from(row, address);
	if (at < row->count && row->at[at].first <= address) {
		*out = row->at[at];
		return true;
	}
	out->first = at ? row->at[at - 1].last + 1 : 0;
	out->last = at < row->count ? row->at[at].first - 1 : UINT64_MAX;
	return false;
}

bool known_at(const struct known *k, uint64_t address, struct known_part *out)
{
	const uint64_t *index = map_get(&k->pages, address / PAGE);
	struct known_part small, large, page = { .first = address & ~(PAGE - 1), .last = address | (PAGE - 1) };
	bool in_small = index && row_at(&k->rows.at[*index - 1], address, &small), in_large = row_at(&k->large, address, &large);
	if (!index)
		small = page;
	bool is_small = in_small && (!in_large || small.when > large.when);
	*out = is_small ? small : large;
	uint64_t first = small.first > large.first ? small.first : large.first, last = small.last < large.last ? small.last : large.last;
	out->first = first > page.first ? first : page.first;
	out->last = last < page.last ? last : page.last;
	return in_small || in_large;
}

void known_release(struct known *k)
{
	for (size_t i = 0; i < k->rows.count; i++)
		vec_release(&k->rows.at[i]);
	vec_release(&k->rows);
	vec_release(&k->large);
	map_release(&k->pages);
	*k = (struct known){ 0 };
}
