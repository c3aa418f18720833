/* analyses/predict/aims.c -- groups of aims: the same kind, source lines and object. */
#include "analyses/predict/aims.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "trace/objects.h"

#define ALIKE_MOST 2u                   /* from the same places by the same threads */

static const char *const words[] = { "race", "waits", "between", "turn", "late", "handled" };

/* Which of the moments' lines stands first does not matter for what it is. */
static int by_line(const void *a, const void *b)
{
	return strcmp((const char *)a, (const char *)b);
}

static uint32_t group_of(struct aims *a, const struct aim *aim, const char *object)
{
	char lines[AIM_MOMENTS][160];
	struct buffer key = { 0 };
	for (uint32_t i = 0; i < aim->count; i++)
		place_short(aim->at[i].place, lines[i], sizeof lines[i]);
	if (aim->kind != AIM_BETWEEN && aim->kind != AIM_HANDLED)
		qsort(lines, aim->count, sizeof lines[0], by_line);
	buffer_print(&key, "%s", words[aim->kind]);
	for (uint32_t i = 0; i < aim->count; i++)
		buffer_print(&key, "|%s", lines[i]);
	buffer_print(&key, "|%s", object);
	buffer_add(&key, "", 1);
	uint32_t number = names_put(&a->keys, (const char *)key.at, key.count - 1);
	buffer_release(&key);
	if (number == a->groups.count) {
		uint32_t name = names_put(&a->objects, object, strlen(object));
		*vec_add(&a->groups) = (struct aims_group){ .kind = aim->kind, .key = names_text(&a->keys, number),
			.object = names_text(&a->objects, name) };
	}
	return number;
}

/* The same places, kinds and threads: another of the kind. */
static bool alike(const struct aim *a, const struct aim *b)
{
	if (a->count != b->count)
		return false;
	for (uint32_t i = 0; i < a->count; i++)
		if (a->at[i].place != b->at[i].place || a->at[i].kind != b->at[i].kind || a->at[i].spot.thread != b->at[i].spot.thread)
			return false;
	return true;
}

static void keep_further(struct aims_group *g, const struct aim *aim)
{
	if (aim->kind == AIM_RACE && g->further.count < AIMS_FURTHER)
		vec_push(&g->further, ((struct further){ { aim->at[0], aim->at[1] } }));
	else
		g->unasked = true;
}

struct aim further_aim(const struct aims_group *g, size_t number)
{
	const struct further *f = &g->further.at[number];
	return (struct aim){ .kind = g->kind, .count = 2, .at = { f->at[0], f->at[1] } };
}

void aims_add_further(struct aims *a, const struct aim *aim, const char *object)
{
	uint32_t number = group_of(a, aim, object);
	a->groups.at[number].times++;
	keep_further(&a->groups.at[number], aim);
}

bool aims_add(struct aims *a, const struct aim *aim, const char *object)
{
	uint32_t number = group_of(a, aim, object);
	struct aims_group *g = &a->groups.at[number];
	g->times++;
	uint32_t like = 0;
	struct aim *last = NULL;
	for (size_t i = 0; i < g->aims.count; i++)
		if (alike(&g->aims.at[i], aim)) {
			last = &g->aims.at[i];
			like++;
		}
	if (like >= ALIKE_MOST) {
		keep_further(g, last);
		*last = *aim;                           /* the first ones and the last */
		return true;
	}
	if (g->aims.count >= AIMS_A_GROUP) {
		keep_further(g, aim);
		return false;
	}
	vec_push(&g->aims, *aim);
	return true;
}

void aims_release(struct aims *a)
{
	for (size_t i = 0; i < a->groups.count; i++) {
		vec_release(&a->groups.at[i].aims);
		vec_release(&a->groups.at[i].further);
	}
	vec_release(&a->groups);
	names_release(&a->keys);
	names_release(&a->objects);
}
