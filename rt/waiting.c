/* rt/waiting.c -- does a strand only wait for others?  Then it lets them go first (policy.c says what that means).
 *
 * Where a strand comes to a point it has come to before, what it found there is held against what it found then:
 *   SPIN_READS   times the same read with the same result, or the same try in vain, and it has changed nothing: it spins, and gives way at once;
 *   the same     but for locks it took and gave back meanwhile: it gives way where it is about to take a lock, for whom it waits may need that one;
 *   SAME_OFTEN   times in one turn, whatever it wrote meanwhile: a loop that counts while it waits looks like one that works.  So it may be one
 *                that works: to give way is no more than a turn of the others.  Under the policy `first` alone; the others give turns anyway.
 * All of it counts events, so equal seeds give equal runs.  Which places push each other out of the table must not depend on where the program was
 * loaded: page offsets decide it. */
#include "rt/steer.h"

#define SPIN_READS  3u
#define SAME_OFTEN  1024u
#define HIGH_ADDRESSES 0x700000000000ull        /* the first stack lies there, at no fixed offset in its page */
#define SAME_STATES 16u          /* as SPIN_READS, for states of the whole thread, where they are known */

/* What stands there, log2 of its size in the lower bits of `what`. */
uint64_t waiting_value(const void *address, uint32_t what)
{
	switch (what & 0xff) {
	case 0:  return *(const volatile uint8_t *)address;
	case 1:  return *(const volatile uint16_t *)address;
	case 2:  return *(const volatile uint32_t *)address;
	default: return *(const volatile uint64_t *)address;
	}
}

static struct strand_look *look(struct strand *s, uint64_t place, uint64_t what, uint64_t address, uint64_t value)
{
	uint64_t where = address < HIGH_ADDRESSES ? address & 4095 : 0;
	unsigned slot = (unsigned)((((place & 4095) ^ what << 12 ^ where << 24) * 0x9e3779b97f4a7c15ull) >> (64 - STRAND_LOOKS_BITS));
	struct strand_look *l = &s->looks_taken[slot];
	bool same = l->place == (place ^ what << 48) && l->address == address && l->value == value;
	l->times = same && l->changes == s->own_changes ? l->times + 1 : 1;
	l->calm = same && l->writes == s->own_writes ? l->calm + 1 : 1;
	l->often = same && l->turn == s->turns ? l->often + 1 : 1;
	l->place = place ^ what << 48;
	l->address = address;
	l->value = value;
	l->changes = s->own_changes;
	l->writes = s->own_writes;
	l->turn = s->turns;
	return l;
}

void waiting_gives_way(struct strand *s)
{
	if (policy_insists(s))
		return;
	s->yields = true;
	s->yielded_at = steer_changes;
}

static bool is_often(const struct strand_look *l)
{
	return l->often % SAME_OFTEN == 0 && steer->policy == STEER_FIRST;
}

void waiting_looks(struct strand *s, const void *address, uint32_t what, const void *site)
{
	const struct strand_look *l = look(s, (uint64_t)site, what, (uint64_t)address, waiting_value(address, what));
	if (l->times >= SPIN_READS || is_often(l))
		waiting_gives_way(s);
	if (l->calm >= SPIN_READS)
		s->in_vain = s->own_writes + 1;
	if (is_often(l))
		s->in_vain = ANY_WRITES;
}

void waiting_comes(struct strand *s, const struct steer_ask *ask)
{
	if (ask->kind == EV_YIELD || ask->kind == EV_EXIT || ask->kind == EV_END)
		return;
	const struct strand_look *l = look(s, ask->place, ask->kind, ask->object, 0);
	bool under_locks = ask->kind == EV_LOCK && (s->in_vain == ANY_WRITES || s->in_vain == s->own_writes + 1);
	if (under_locks)
		s->in_vain = 0;
	if (under_locks || l->times >= SPIN_READS || is_often(l))
		waiting_gives_way(s);
}

void waiting_state(struct strand *s)
{
	if (s->own_changes != s->rounds_changes)
		s->rounds = 0;
	s->rounds_changes = s->own_changes;
	for (unsigned i = 0; i < sizeof s->states / sizeof *s->states; i++)
		if (s->state && s->states[i] == s->state && ++s->rounds >= SAME_STATES) {
			s->yields = true;
			s->yielded_at = steer_changes;
		}
	s->states[s->next_state++ % (sizeof s->states / sizeof *s->states)] = s->state;
}
