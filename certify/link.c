/* certify/link.c -- what the lines of a certificate say together: whose memory is whose, which blocks and objects there are, what nobody notices. */
#include <stdio.h>
#include <string.h>

#include "certify/certificate.h"

#define TOUCHED(thread) ((uint64_t)(thread) + 1)
#define BY_ANOTHER      0x100u
#define IS_WRITTEN      0x200u

bool act_is_access(enum act act) { return act == ACT_READ || act == ACT_WRITE || act == ACT_UPDATE; }

uint32_t spot_child(const struct certificate *c, uint32_t spot, uint64_t told)
{
	uint32_t child = c->spots.at[spot].child;
	while (child != NOWHERE && c->spots.at[child].told != told)
		child = c->spots.at[child].sibling;
	return child;
}

bool spot_is_over(const struct certificate *c, uint32_t spot)
{
	uint32_t up = spot == NOWHERE ? NOWHERE : c->spots.at[spot].parent;
	return up != NOWHERE && (c->spots.at[up].act == ACT_END || c->spots.at[up].act == ACT_EXIT);
}

uint32_t spot_of_class(const struct certificate *c, uint32_t spot)
{
	if (spot != NOWHERE && c->spots.at[spot].act == ACT_BACK)
		spot = c->spots.at[spot].other;         /* where a loop begins, once (2) of certificate.h is known to hold */
	while (spot != NOWHERE && c->spots.at[spot].parent != NOWHERE) {
		const struct spot *up = &c->spots.at[c->spots.at[spot].parent];
		bool is_kept_back = c->model && up->waits && (up->act == ACT_WRITE ? up->cell != NOWHERE : up->act == ACT_UNLOCK);
		if (!up->is_quiet && !is_kept_back && up->act != ACT_EXIT)
			break;
		spot = c->spots.at[spot].parent;
	}
	return spot;
}

static int bad(const struct certificate *c, size_t spot, const char *what, struct err *why)
{
	return err_set(why, "certificate '%s' is damaged: node %zu: %s", c->name, spot, what);
}

/* ---------------------------------------------------------------- memory */

/* A compare-exchange that always fails does not. */
static bool writes(const struct certificate *c, const struct spot *s)
{
	if (s->act != ACT_UPDATE)
		return s->act == ACT_WRITE;
	for (uint32_t child = s->child; child != NOWHERE; child = c->spots.at[child].sibling)
		if (!c->spots.at[child].failed)
			return true;
	return false;
}

/* Which bytes do two threads touch, one of them to write? */
static void touch(const struct certificate *c, struct map *bytes)
{
	for (size_t i = 0; i < c->spots.count; i++) {
		const struct spot *s = &c->spots.at[i];
		for (uint32_t b = 0; b < s->size; b++) {
			uint64_t *byte = map_put(bytes, s->object + b, NULL);
			*byte |= (*byte & 0xff) && (*byte & 0xff) != TOUCHED(s->thread) ? BY_ANOTHER : TOUCHED(s->thread);
			*byte |= writes(c, s) ? IS_WRITTEN : 0;
		}
	}
}

static int link_memory(struct certificate *c, struct err *why)
{
	struct map bytes = { 0 };
	int got = 0;
	touch(c, &bytes);
	for (size_t i = 0; i < c->spots.count && got == 0; i++) {
		struct spot *s = &c->spots.at[i];
		uint32_t listed = 0;
		for (uint32_t b = 0; b < s->size; b++) {
			const uint64_t *cell = map_get(&c->cells, s->object + b);
			bool shared = (*map_get(&bytes, s->object + b) & (BY_ANOTHER | IS_WRITTEN)) == (BY_ANOTHER | IS_WRITTEN);
			if (shared && !cell)
				got = bad(c, i, "threads share memory that is not listed", why);
			if (cell && b && listed == b && *cell != s->cell + b)
				got = bad(c, i, "shared memory is not listed in its order", why);
			if (cell && !b)
				s->cell = (uint32_t)*cell;
			listed += cell != NULL;
		}
		if (got == 0 && listed && listed != s->size)
			got = bad(c, i, "an access to memory of which only a part is listed", why);
	}
	map_release(&bytes);
	return got;
}

static struct block_said *block_at(const struct certificate *c, uint64_t at, uint32_t *number)
{
	size_t low = 0, high = c->blocks.count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (c->blocks.at[middle].at <= at)
			low = middle + 1;
		else
			high = middle;
	}
	*number = (uint32_t)low - 1;
	return low && at - c->blocks.at[low - 1].at < c->blocks.at[low - 1].bytes ? &c->blocks.at[low - 1] : NULL;
}

static bool uses_block(const struct spot *s) { return s->size || s->act == ACT_FREE || s->act == ACT_ALLOC; }

static void link_blocks(struct certificate *c)
{
	uint32_t number;
	for (size_t i = 0; i < c->spots.count; i++) {
		const struct spot *s = &c->spots.at[i];
		struct block_said *b = uses_block(s) ? block_at(c, s->object, &number) : NULL;
		if (!b)
			continue;
		if (s->act != ACT_ALLOC) {
			b->tracked |= b->by != NOWHERE && b->by != s->thread;
			b->by = s->thread;
		}
		b->freed |= s->act == ACT_FREE;
	}
	for (size_t i = 0; i < c->spots.count; i++) {
		struct spot *s = &c->spots.at[i];
		const struct block_said *b = uses_block(s) ? block_at(c, s->object, &number) : NULL;
		s->block = b && b->tracked && b->freed ? number : NOWHERE;
	}
}

/* ---------------------------------------------------------------- the rest */

static void link_words(struct certificate *c)
{
	struct map barriers = { 0 };
	for (size_t i = 0; i < c->spots.count; i++)
		if (c->spots.at[i].act == ACT_ARRIVE)
			map_put(&barriers, c->spots.at[i].object, NULL);
	for (size_t i = 0; i < c->spots.count; i++) {
		struct spot *s = &c->spots.at[i];
		bool is_condition = s->act == ACT_WAIT || s->act == ACT_WAKE, fresh;
		if ((s->act < ACT_LOCK || s->act > ACT_INIT || s->act == ACT_SIGNAL || s->act == ACT_BROADCAST))
			continue;
		uint64_t *word = map_put(&c->words, is_condition ? s->second : s->object, &fresh);
		if (fresh)
			*word = c->words.count - 1;
		s->word = (uint32_t)*word;
		s->is_barrier = s->act == ACT_INIT && map_get(&barriers, s->object);
	}
	map_release(&barriers);
}

static bool is_look(const struct certificate *c, uint32_t spot, uint32_t next)
{
	const struct spot *s = &c->spots.at[spot];
	switch (s->act) {
	case ACT_READ: case ACT_LOCK: case ACT_UNLOCK: case ACT_FENCE: return true;
	case ACT_UPDATE: return c->spots.at[next].written == c->spots.at[next].told;
	case ACT_DOWN: return s->tried;
	default: return false;
	}
}

static int link_back(struct certificate *c, uint32_t back, struct err *why)
{
	uint32_t head = c->spots.at[back].other, at = back;
	while (at != head) {
		uint32_t up = c->spots.at[at].parent;
		if (up == NOWHERE || !is_look(c, up, at))
			return bad(c, back, "a way back that leads past what is no look", why);
		at = up;
	}
	struct spot *s = &c->spots.at[head];
	if (head == back || (s->act != ACT_READ && s->act != ACT_UPDATE) || !s->points)
		return bad(c, back, "a way back to what is no beginning of a loop", why);
	s->is_head = true;
	return 0;
}

static bool is_quiet(const struct certificate *c, const struct spot *s)
{
	switch (s->act) {
	case ACT_READ: case ACT_UPDATE: return s->cell == NOWHERE && s->block == NOWHERE && !s->is_head;
	case ACT_WRITE: return (s->cell == NOWHERE || (c->model && s->waits)) && s->block == NOWHERE;
	case ACT_ALLOC: case ACT_FREE: return s->block == NOWHERE;
	case ACT_UNLOCK: return c->model && s->waits;
	case ACT_CREATE: case ACT_INIT: case ACT_REFUSED: case ACT_FENCE: case ACT_JOIN: case ACT_RESULT: case ACT_END: return true;
	default: return false;
	}
}

/* One result or none: what only its thread decides cannot be told in two ways. */
static bool may_branch(const struct spot *s)
{
	switch (s->act) {
	case ACT_READ: case ACT_UPDATE: return s->cell != NOWHERE;
	case ACT_LOCK: case ACT_DOWN: case ACT_ONCE: case ACT_LEAVE: case ACT_WAKE: case ACT_CHOOSE: case ACT_RESULT: return true;
	default: return false;
	}
}

int certificate_link(struct certificate *c, struct err *why)
{
	if (link_memory(c, why) < 0)
		return -1;
	link_blocks(c);
	link_words(c);
	for (uint32_t i = 0; i < c->spots.count; i++)
		if (c->spots.at[i].act == ACT_BACK && link_back(c, i, why) < 0)
			return -1;
	for (uint32_t i = 0; i < c->spots.count; i++) {
		struct spot *s = &c->spots.at[i];
		if (s->child != NOWHERE && c->spots.at[s->child].sibling != NOWHERE && !may_branch(s))
			return bad(c, i, "it goes on in two ways, and nobody else decides in which", why);
		if ((s->act == ACT_WAKE || s->act == ACT_LEAVE) && (s->parent == NOWHERE || c->spots.at[s->parent].act != (s->act == ACT_WAKE ? ACT_WAIT : ACT_ARRIVE)))
			return bad(c, i, "it stops to wait and did not begin", why);
		s->is_quiet = is_quiet(c, s);
	}
	return 0;
}
