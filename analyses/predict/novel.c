/* analyses/predict/novel.c -- see novel.h. */
#include "analyses/predict/novel.h"

#include <string.h>

#include "analyses/predict/shown.h"
#include "base/buffer.h"

/* The ways of its threads and what was put out, as one number. */
static uint64_t behaviour(const struct run_done *run)
{
	const struct steer_result *r = &run->result;
	uint64_t hash = lab_output(run), *way = mem_take((r->threads.count + 1) * sizeof *way);
	for (size_t i = 0; i < r->events.count && i < NOVEL_EVENTS; i++)
		if (r->events.at[i].strand < r->threads.count)
			way[r->events.at[i].strand] = steer_mix(way[r->events.at[i].strand], r->events.at[i].place * EV_COUNT + r->events.at[i].kind);
	for (size_t i = 0; i < r->threads.count; i++)
		hash = steer_mix(steer_mix(hash, r->threads.at[i].done), way[i]);
	mem_free(way);
	return hash;
}

static bool comes_to_new_place(struct work *w, const struct run_done *run)
{
	bool any = false, fresh;
	for (size_t i = 0; i < run->result.events.count && i < NOVEL_EVENTS; i++) {
		const struct steer_event *e = &run->result.events.at[i];
		if (!e->place)
			continue;
		map_put(&w->places, e->place * EV_COUNT + e->kind, &fresh);
		any |= fresh;
	}
	return any;
}

/* Two lines, the lower one first; true: they were not known. */
static bool add_pair(struct work *w, const char *a, const char *b)
{
	struct buffer key = { 0 };
	size_t count = w->pairs.count;
	bool swap = strcmp(a, b) > 0;
	buffer_print(&key, "%s|%s", swap ? b : a, swap ? a : b);
	names_put(&w->pairs, (const char *)key.at, strlen((const char *)key.at));
	buffer_release(&key);
	return w->pairs.count > count;
}

static bool shows_new_race(struct work *w, const struct run_done *run)
{
	bool any = false;
	for (size_t i = 0; i < run->result.races.all.count; i++) {
		struct race_sign sign = sign_of_race(&run->result.races.all.at[i]);
		any |= add_pair(w, sign.lines[0], sign.lines[1]);
	}
	return any;
}

void novel_known(struct work *w, const struct run_done *run)
{
	map_put(&w->seen, behaviour(run), NULL);
	comes_to_new_place(w, run);
}

void novel_candidates(struct work *w, const struct aims *aims)
{
	for (size_t i = 0; i < aims->groups.count; i++) {
		const char *lines = strchr(aims->groups.at[i].key, '|') + 1, *second = strchr(lines, '|'), *end = second ? strchr(second + 1, '|') : NULL;
		if (aims->groups.at[i].kind == AIM_RACE && end)
			names_put(&w->pairs, lines, (size_t)(end - lines));
	}
}

void work_remember(struct work *w, const struct run_done *run)
{
	bool way, place = comes_to_new_place(w, run), race = shows_new_race(w, run);
	map_put(&w->seen, behaviour(run), &way);
	bool room = w->waiting.count < (place || race ? NOVEL_MOST : NOVEL_WAYS);
	if ((way || race) && room)
		work_keep(w, run);
	w->out->dropped += (way || race) && !room;
}
