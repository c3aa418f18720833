/* certify/cover.c -- see cover.h.
 * Depth first over all states; of one that was seen a hash of 128 bits is kept.  Threads that are never told anything, write the same and are joined
 * by the same row of joins may stand for each other: such a state counts with what each of them has yet to write, in order of that. */
#include "certify/cover.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "certify/buffer.h"

#define MOST_STATES ((size_t)1 << 28)
#define ASK_EVERY   4096u

enum { MUTE_END = 1, MUTE_OVER, MUTE_FIRST };   /* about to end; ended; others */

struct seen { uint64_t (*at)[2]; size_t count, room; };
struct open { size_t at, count; };

struct covering {
	struct certificate *c;
	struct machine m;
	struct seen seen;
	VEC(uint32_t) store;            /* states that are open, one behind the other */
	VEC(struct open) open;
	struct map classes;             /* hash of where threads ended -> number of the class + 1 */
	VEC(uint32_t) mute;             /* per place: a number for all its thread will write, 0: it does more than that */
	struct names tails;             /* their numbers */
	uint32_t group[MOST_THREADS];   /* threads that may stand for each other have the same one, others 0 */
	words key;
	bool has_races, has_bugs, plain;
	struct cover *out;
};

/* ---------------------------------------------------------------- states that were seen */

static bool put(struct seen *s, XXH128_hash_t h)
{
	if (2 * s->count >= s->room) {
		struct seen old = *s;
		*s = (struct seen){ mem_take((old.room ? 2 * old.room : 1024) * sizeof *s->at), 0, old.room ? 2 * old.room : 1024 };
		for (size_t i = 0; i < old.room; i++)
			if (old.at[i][0] | old.at[i][1])
				put(s, (XXH128_hash_t){ old.at[i][0], old.at[i][1] });
		mem_free(old.at);
	}
	h.low64 |= !(h.low64 | h.high64);
	size_t i = h.low64 & (s->room - 1);
	for (; s->at[i][0] | s->at[i][1]; i = (i + 1) & (s->room - 1))
		if (s->at[i][0] == h.low64 && s->at[i][1] == h.high64)
			return false;
	s->at[i][0] = h.low64;
	s->at[i][1] = h.high64;
	s->count++;
	return true;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

/* A number for a store and all that comes behind it. */
static uint32_t mute_with(struct covering *v, uint32_t spot, uint32_t rest)
{
	const struct spot *s = &v->c->spots.at[spot];
	uint64_t all[] = { s->value, s->object, s->size, (uint64_t)s->waits << 3 | (uint64_t)s->release << 2 | (uint64_t)s->plain << 1 | (s->points != 0), rest };
	return names_put(&v->tails, (const char *)all, sizeof all) + MUTE_FIRST;
}

/* What is hashed: threads of one group by what they have yet to bring to memory. */
static void key_of(struct covering *v, const words *state)
{
	uint32_t tails[MOST_THREADS];
	vec_clear(&v->key);
	for (size_t i = 0; i < state->count; i++)
		vec_push(&v->key, state->at[i]);
	for (uint32_t g = 1; g <= v->c->threads.count; g++) {
		uint32_t count = 0, next = 0;
		for (uint32_t i = 0; i < v->c->threads.count; i++) {
			uint32_t spot = state->at[v->m.threads + i];
			if (v->group[i] != g || spot == NOWHERE)
				continue;
			uint32_t tail = spot_is_over(v->c, spot) ? MUTE_OVER : v->mute.at[spot];
			for (uint32_t k = buffer_count(&v->m, state, i); k-- > 0;)
				tail = mute_with(v, buffer_spot(&v->m, state, i, k), tail);
			tails[count++] = tail;
		}
		qsort(tails, count, sizeof *tails, by_number);
		for (uint32_t i = 0; i < v->c->threads.count && next < count; i++)
			if (v->group[i] == g && state->at[v->m.threads + i] != NOWHERE) {
				v->key.at[v->m.threads + i] = tails[next++];
				while (buffer_count(&v->m, &v->key, i))
					buffer_pull(&v->m, &v->key, i, 0);
			}
	}
}

static void visit(struct covering *v, const words *state)
{
	key_of(v, state);
	if (!put(&v->seen, XXH3_128bits(v->key.at, v->key.count * sizeof *v->key.at)))
		return;
	vec_push(&v->open, ((struct open){ v->store.count, state->count }));
	for (size_t i = 0; i < state->count; i++)
		vec_push(&v->store, state->at[i]);
}

/* ---------------------------------------------------------------- threads that may stand for each other */

/* Where the row of joins begins that this one is in. */
static uint32_t row_of(const struct certificate *c, uint32_t join)
{
	for (uint32_t up = c->spots.at[join].parent; up != NOWHERE; up = c->spots.at[up].parent) {
		if (!c->spots.at[up].is_quiet || c->spots.at[up].act == ACT_CREATE)
			break;
		join = c->spots.at[up].act == ACT_JOIN ? up : join;
	}
	return join;
}

/* Numbers of places from which threads only write and end. */
static void find_mute(struct covering *v)
{
	const struct certificate *c = v->c;
	for (size_t i = 0; i < c->spots.count; i++)
		vec_push(&v->mute, 0);
	for (size_t i = c->spots.count; i-- > 0;) {
		const struct spot *s = &c->spots.at[i];
		uint32_t rest = s->child == NOWHERE ? 0 : v->mute.at[s->child];
		if (s->act == ACT_END)
			v->mute.at[i] = MUTE_END;
		else if (rest && s->act == ACT_WRITE && s->cell != NOWHERE && s->block == NOWHERE)
			v->mute.at[i] = mute_with(v, (uint32_t)i, rest);
		else if (rest && act_is_access(s->act) && s->cell == NOWHERE && s->block == NOWHERE && s->points)
			v->mute.at[i] = rest;
	}
}

static void find_groups(struct covering *v)
{
	const struct certificate *c = v->c;
	uint64_t rows[MOST_THREADS] = { 0 };
	uint32_t groups = 0;
	find_mute(v);
	for (uint32_t i = 0; i < c->spots.count; i++)
		if (c->spots.at[i].act == ACT_JOIN)
			rows[c->spots.at[i].other] += XXH3_64bits(&(uint32_t){ row_of(c, i) }, sizeof(uint32_t)) | 1;
	for (uint32_t i = 1; i < c->threads.count; i++) {
		if (!v->mute.at[c->roots[i]] || !rows[i])
			continue;
		for (uint32_t k = 1; k < i && !v->group[i]; k++)
			if (v->group[k] && rows[k] == rows[i])
				v->group[i] = v->group[k];
		if (!v->group[i])
			v->group[i] = ++groups;
	}
}

/* ---------------------------------------------------------------- classes */

static uint64_t ends_of(const struct covering *v, const uint32_t *spots, uint32_t *out)
{
	for (uint32_t i = 0; i < v->c->threads.count; i++)
		out[i] = spot_of_class(v->c, spots[i]);
	return XXH3_64bits(out, v->c->threads.count * sizeof *out);
}

static int refuse(struct covering *v, const char *what, uint32_t line)
{
	if (line)
		snprintf(v->out->why, sizeof v->out->why, "line %u: %s", line, what);
	else
		snprintf(v->out->why, sizeof v->out->why, "%s", what);
	return 0;
}

/* 1; 0: two are the same. */
static int list_classes(struct covering *v)
{
	uint32_t ends[MOST_THREADS];
	for (size_t i = 0; i < v->c->classes.count; i++) {
		bool fresh;
		uint64_t *number = map_put(&v->classes, ends_of(v, v->c->ends.at + v->c->classes.at[i].ends, ends), &fresh);
		if (!fresh)
			return refuse(v, "a class is listed twice", v->c->classes.at[i].line);
		if (memcmp(v->c->ends.at + v->c->classes.at[i].ends, ends, v->c->threads.count * sizeof *ends))
			return refuse(v, "a thread of a class ends behind what nobody notices", v->c->classes.at[i].line);
		*number = i + 1;
	}
	return 1;
}

/* What is wrong with an end of the program; NULL: nothing. */
static const char *bug_at(const struct covering *v, const words *state)
{
	if (!machine_is_over(&v->m, state)) {
		for (uint32_t i = 0; i < v->c->threads.count; i++)
			if (machine_waits(&v->m, state, i))
				return "a deadlock can be come to";
		return NULL;
	}
	for (uint32_t i = 0; i < v->c->threads.count; i++) {
		uint32_t spot = state->at[v->m.threads + i], up = spot == NOWHERE ? NOWHERE : v->c->spots.at[spot].parent;
		if (up != NOWHERE && v->c->spots.at[up].act == ACT_EXIT && v->c->spots.at[up].value)
			return "the program can fail, or exit with another code than 0";
	}
	return NULL;
}

/* The program ends here, or goes round for ever. */
static int take_class(struct covering *v, const words *state, bool spins)
{
	uint32_t ends[MOST_THREADS];
	const uint64_t *number = map_get(&v->classes, ends_of(v, state->at + v->m.threads, ends));
	struct class_said *x = number ? &v->c->classes.at[*number - 1] : NULL;
	const char *bug = spins ? "threads can wait in loops for ever" : bug_at(v, state);
	if (!x || memcmp(v->c->ends.at + x->ends, ends, v->c->threads.count * sizeof *ends))
		return refuse(v, "the program can end in a class that is not listed", 0);
	if (x->spins != spins)
		return refuse(v, spins ? "threads go round for ever in a class that is said to end" : "a class ends that is said to go round for ever", x->line);
	x->found = true;
	v->has_bugs |= bug != NULL;
	return bug && !v->c->is_bug ? refuse(v, bug, x->line) : 1;
}

/* ---------------------------------------------------------------- all of it */

/* Whatever can happen in this state.  1 go on, 0 and -1 as cover_all(). */
static int look_at(struct covering *v, words *state, words *then, happenings *can)
{
	uint32_t one, other;
	machine_ask(&v->m, state, can);
	v->out->results += can->count;
	if (v->plain && !machine_is_over(&v->m, state) && machine_races(&v->m, state, &one, &other)) {
		v->has_races = true;
		if (!v->c->races)
			return refuse(v, "two threads can race, and it says that none do", 0);
	}
	if (!can->count && !*v->m.trouble)
		return take_class(v, state, false);
	if (!*v->m.trouble && machine_spins(&v->m, state)) {
		int got = take_class(v, state, true);
		if (got != 1)
			return got;
	}
	for (size_t i = 0; i < can->count && !*v->m.trouble; i++) {
		vec_clear(then);
		for (size_t k = 0; k < state->count; k++)
			vec_push(then, state->at[k]);
		machine_take(&v->m, then, can->at[i]);
		if (v->m.failed)
			return refuse(v, "memory can be used that was freed", 0);
		if (!*v->m.trouble)
			visit(v, then);
	}
	return *v->m.trouble ? refuse(v, v->m.trouble, 0) : 1;
}

static int search(struct covering *v, bool (*goes_on)(void))
{
	words state = { 0 }, then = { 0 };
	happenings can = { 0 };
	int got = 1;
	machine_begin(&v->m, &state);
	if (*v->m.trouble)
		got = refuse(v, v->m.trouble, 0);
	else
		visit(v, &state);
	for (uint64_t turn = 0; v->open.count && got == 1; turn++) {
		struct open x = v->open.at[--v->open.count];
		vec_clear(&state);
		for (size_t i = 0; i < x.count; i++)
			vec_push(&state, v->store.at[x.at + i]);
		v->store.count = x.at;
		got = look_at(v, &state, &then, &can);
		if (got == 1 && (v->seen.count >= MOST_STATES || (turn % ASK_EVERY == 0 && goes_on && !goes_on()))) {
			refuse(v, v->seen.count >= MOST_STATES ? "there are too many states" : "it was interrupted", 0);
			got = -1;
		}
	}
	vec_release(&state);
	vec_release(&then);
	vec_release(&can);
	return got;
}

/* All states were seen: is everything that is said so? */
static int compare(struct covering *v)
{
	for (size_t i = 0; i < v->c->classes.count; i++)
		if (!v->c->classes.at[i].found)
			return refuse(v, "the program cannot end so", v->c->classes.at[i].line);
	for (size_t i = 0; i < v->c->loops.count; i++)
		v->m.came_back[v->c->loops.at[i].spot] = false;
	for (size_t i = 0; i < v->c->spots.count; i++)
		if (v->m.came_back[i])
			return refuse(v, "there is no witness of a thread that comes back in a loop", 0);
	if (v->c->races && !v->has_races)
		return refuse(v, "it says that threads race, and none can", 0);
	if (v->c->is_bug && !v->has_bugs && !v->has_races) {
		refuse(v, "its bug is of a kind that is not checked here", 0);
		return -1;
	}
	return 1;
}

int cover_all(struct certificate *c, bool (*goes_on)(void), struct cover *out)
{
	struct covering v = { .c = c, .out = out };
	memset(out, 0, sizeof *out);
	machine_init(&v.m, c);
	v.m.came_back = mem_take(c->spots.count * sizeof *v.m.came_back);
	for (size_t i = 0; i < c->spots.count; i++)
		v.plain |= c->spots.at[i].plain && c->spots.at[i].cell != NOWHERE;
	find_groups(&v);
	int got = list_classes(&v);
	if (got == 1)
		got = search(&v, goes_on);
	if (got == 1)
		got = compare(&v);
	out->states = v.seen.count;
	mem_free(v.seen.at);
	mem_free(v.m.came_back);
	vec_release(&v.store);
	vec_release(&v.open);
	vec_release(&v.mute);
	vec_release(&v.key);
	names_release(&v.tails);
	map_release(&v.classes);
	return got;
}
