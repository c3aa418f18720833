/* drive/races_kept.c -- see races_kept.h. */
#include "drive/races_kept.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "trace/objects.h"

#define NOT_KEPT UINT32_MAX

static uint32_t pair_of(struct races_kept *k, const struct race *r)
{
	char a[300], b[300], both[620];
	place_short(r->side[0].place, a, sizeof a);
	place_short(r->side[1].place, b, sizeof b);
	bool turned = strcmp(a, b) > 0;
	int length = snprintf(both, sizeof both, "%s %s", turned ? b : a, turned ? a : b);
	return names_put(&k->pairs, both, (size_t)length);
}

static char *words(const struct race_list *l, const struct race *r, bool json)
{
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);
	check(to);
	if (json)
		race_json(l, r, to);
	else
		race_print(l, r, to);
	fclose(to);
	return text;
}

/* The number of this pair, seen in `run`. */
static uint32_t number_of(struct races_kept *k, const struct race_list *l, const struct race *r, uint64_t run)
{
	uint32_t id = pair_of(k, r);
	if (id == k->known.count)
		*vec_add(&k->known) = (struct race_known){ .run = UINT64_MAX, .kept = NOT_KEPT };
	struct race_known *known = &k->known.at[id];
	if (known->kept != NOT_KEPT || run >= known->run)
		return id;
	free(known->text);
	free(known->json);
	*known = (struct race_known){ words(l, r, false), words(l, r, true), run, NOT_KEPT };
	return id;
}

static struct races_told *told_new(uint32_t room)
{
	return mem_take(sizeof(struct races_told) + room * sizeof(uint32_t));
}

struct races_told *races_told_of(struct races_kept *k, const struct race_list *l, uint64_t run)
{
	struct races_told *told = told_new((uint32_t)l->all.count);
	for (size_t i = 0; i < l->all.count; i++)
		told->id[told->count++] = number_of(k, l, &l->all.at[i], run);
	told->unseen = l->unseen != 0;
	told->stopped = l->stopped != NULL;
	return told;
}

void row_told_open(struct row_told *t, struct races_kept *k, const struct race_row *row)
{
	size_t bytes = row->first.all.count * sizeof *t->id;
	*t = (struct row_told){ .kept = k, .row = row, .id = mem_take(bytes + 1) };
	memset(t->id, 255, bytes);
}

struct races_told *row_told_next(struct row_told *t, uint64_t nth, uint64_t run)
{
	const struct race_list *first = &t->row->first;
	size_t end = t->next;
	while (end < t->row->hits.count && t->row->hits.at[end].run == nth)
		end++;
	if (end == t->next)
		return NULL;
	struct races_told *told = told_new((uint32_t)(end - t->next));
	for (; t->next < end; t->next++) {
		uint32_t race = t->row->hits.at[t->next].race;
		told->unseen |= race == RACE_UNSEEN;
		told->stopped |= race == RACE_STOPPED;
		if (race >= first->all.count)
			continue;
		if (t->id[race] == NO_NAME)
			t->id[race] = number_of(t->kept, first, &first->all.at[race], run);
		told->id[told->count++] = t->id[race];
	}
	return told;
}

void row_told_close(struct row_told *t)
{
	mem_free(t->id);
}

void races_kept_count(struct races_kept *k, const struct races_told *told, uint64_t run)
{
	for (uint32_t i = 0; i < told->count; i++) {
		struct race_known *known = &k->known.at[told->id[i]];
		if (known->kept == NOT_KEPT) {
			known->kept = (uint32_t)k->all.count;
			vec_push(&k->all, ((struct race_kept){ known->text, known->json, run, 0 }));
			known->text = known->json = NULL;
		}
		k->all.at[known->kept].runs++;
	}
	k->unseen += told->unseen;
	k->stopped += told->stopped;
}

void races_kept_release(struct races_kept *k)
{
	for (size_t i = 0; i < k->all.count; i++) {
		free(k->all.at[i].text);
		free(k->all.at[i].json);
	}
	for (size_t i = 0; i < k->known.count; i++) {
		free(k->known.at[i].text);
		free(k->known.at[i].json);
	}
	vec_release(&k->all);
	vec_release(&k->known);
	names_release(&k->pairs);
}
