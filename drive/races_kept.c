/* drive/races_kept.c -- see races_kept.h. */
#include "drive/races_kept.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "trace/objects.h"

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

void races_kept_add(struct races_kept *k, const struct race_list *l, uint64_t run)
{
	for (size_t i = 0; i < l->all.count; i++) {
		const struct race *r = &l->all.at[i];
		uint32_t id = pair_of(k, r);
		if (id == k->all.count)
			vec_push(&k->all, ((struct race_kept){ words(l, r, false), words(l, r, true), run, 0 }));
		k->all.at[id].runs++;
	}
	k->unseen += l->unseen != 0;
	k->stopped += l->stopped != NULL;
}

void races_kept_release(struct races_kept *k)
{
	for (size_t i = 0; i < k->all.count; i++) {
		free(k->all.at[i].text);
		free(k->all.at[i].json);
	}
	vec_release(&k->all);
	names_release(&k->pairs);
}
