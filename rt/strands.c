/* rt/strands.c -- the strands of a steered run: which there are, in which order, and where they wait to be picked by another.
 *   (1) a strand keeps its number for ever; steer_by_path has those that have not ended, in the order of their paths;
 *   (2) a strand waits at one place at most. */
#include "rt/strands.h"

#include "rt/sys.h"

struct strand strands[STEER_STRANDS];
uint32_t strand_count;
struct strand *steer_by_path[STEER_STRANDS];
uint32_t steer_by_path_count;
static uint64_t arrivals;

static struct steer_strand *seen_strand(uint32_t i)
{
	return (struct steer_strand *)((char *)steer + steer->strands_at) + i;
}

/* ---- the life of a strand ---- */

/* T_0 < T_0_0 < T_0_1 < T_0_1_0 < T_0_10: by numbers, not by letters. */
static int compare_paths(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	if (!*a || !*b)
		return (*a != 0) - (*b != 0);
	unsigned digits_a = 0, digits_b = 0;
	while (a[digits_a] >= '0' && a[digits_a] <= '9')
		digits_a++;
	while (b[digits_b] >= '0' && b[digits_b] <= '9')
		digits_b++;
	if (digits_a != digits_b)
		return digits_a < digits_b ? -1 : 1;
	return *a < *b ? -1 : 1;
}

/* The number the script has given this path, or the next free one; STEER_STRANDS: there is none. */
static uint32_t number_for(const char *path)
{
	for (uint32_t i = 0; i < strand_count; i++)
		if (strands[i].seen->state == STRAND_NONE && compare_paths(strands[i].seen->path, path) == 0)
			return i;
	if (strand_count < STEER_STRANDS)
		steer->strand_count = ++strand_count;
	else
		return STEER_STRANDS;
	return strand_count - 1;
}

struct strand *steer_new_strand(const char *path)
{
	uint32_t number = number_for(path);
	if (number == STEER_STRANDS)
		return NULL;
	struct strand *s = &strands[number];
	*s = (struct strand){ .number = number, .seen = seen_strand(number) };
	*s->seen = (struct steer_strand){ .parent = own_strand ? own_strand->number + 1 : 0, .kind = EV_BEGIN };
	copy_bytes(s->seen->path, path, PATH_BYTES);
	s->ask.kind = EV_BEGIN;
	s->mask = own_strand ? own_strand->mask : 0;
	s->alive = 1;
	uint32_t at = steer_by_path_count++;
	while (at && compare_paths(steer_by_path[at - 1]->seen->path, path) > 0) {
		steer_by_path[at] = steer_by_path[at - 1];
		steer_by_path[at]->at = at;
		at--;
	}
	steer_by_path[at] = s;
	s->at = at;
	if (number)                             /* the first one exists before there is a policy */
		policy_new_strand(s);
	s->unmade = true;
	s->seen->state = STRAND_AT_POINT;
	s->at_point = true;
	return s;
}

void strand_has_ended(struct strand *s)
{
	s->seen->state = STRAND_ENDED;
	s->at_point = false;
	for (uint32_t at = s->at; at + 1 < steer_by_path_count; at++) {
		steer_by_path[at] = steer_by_path[at + 1];
		steer_by_path[at]->at = at;
	}
	steer_by_path_count--;
}

void steer_forget_strand(struct strand *s)
{
	strand_has_ended(s);
}

bool steer_tid_has_ended(int32_t tid)
{
	for (uint32_t i = 0; i < strand_count; i++)
		if (strands[i].tid == tid && steer_has_ended(&strands[i]))
			return true;
	return false;
}

/* ---- waiting to be picked ---- */

void steer_wait_at(uint64_t place, uint32_t bits)
{
	own_strand->waits_at = place;
	own_strand->waits_for = bits;
	own_strand->arrived = ++arrivals;
}

void steer_wait_over(void)
{
	own_strand->waits_at = 0;
}

/* One that is about to act on a cancellation cannot be picked any more. */
static bool waits_there(const struct strand *s, uint64_t place, uint32_t bits)
{
	return s->waits_at == place && (s->waits_for & bits) && !steer_is_cancelled(s);
}

uint32_t steer_waiters(uint64_t place, uint32_t bits)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < strand_count; i++)
		count += waits_there(&strands[i], place, bits);
	return count;
}

/* The which-th that waits there, in the order they came. */
static struct strand *waiter(uint64_t place, uint32_t bits, uint32_t which)
{
	uint64_t after = 0;
	for (;; which--) {
		struct strand *next = NULL;
		for (uint32_t i = 0; i < strand_count; i++)
			if (waits_there(&strands[i], place, bits) && strands[i].arrived > after && (!next || strands[i].arrived < next->arrived))
				next = &strands[i];
		if (!next || which == 0)
			return next;
		after = next->arrived;
	}
}

struct strand *steer_wake_one(uint64_t place, uint32_t bits, uint32_t which)
{
	struct strand *s = waiter(place, bits, which);
	if (s)
		s->waits_at = 0;
	return s;
}

bool steer_move_one(uint64_t place, uint64_t to, uint32_t which)
{
	struct strand *s = waiter(place, WAITS_FOR_ANY, which);
	if (!s)
		return false;
	s->waits_at = to;
	s->arrived = ++arrivals;
	return true;
}

/* ---- the script's names ---- */

void strands_named(void)
{
	uint32_t named = steer->named < STEER_STRANDS ? steer->named : STEER_STRANDS;
	for (; strand_count < named; strand_count++) {
		strands[strand_count].seen = seen_strand(strand_count);
		strands[strand_count].seen->state = STRAND_NONE;
		strands[strand_count].seen->path[PATH_BYTES - 1] = 0;
	}
	steer->strand_count = strand_count;
}
