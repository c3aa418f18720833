/* rt/waiting.c -- does a strand only wait for others?  Then it lets them go first (policy.c says what that means).
 *
 * Where a strand comes to a point it has come to before, what it found there is held against what it found then:
 *   SPIN_READS   times the same read with the same result, or the same try in vain, and it has changed nothing: it spins, and gives way at once;
 *   the same     but for locks it took and gave back meanwhile: it gives way where it is about to take a lock, for whom it waits may need that one;
 *   SAME_OFTEN   times in one turn, whatever it wrote meanwhile: a loop that counts while it waits looks like one that works.  So it may be one
 *                that works: to give way is no more than a turn of the others.  Under the policy `first` alone; the others give turns anyway.
 * All of it counts events, so equal seeds give equal runs.  Which places push each other out of the table must not depend on where the program was
 * loaded: page offsets decide it.
 *
 * When nobody has changed anything but locks for a while, states of threads are looked at (state.h).  Once each thread that can go on has been in one state
 * twice, it will be for ever: whatever the order, all of them only read what does not change.  Who waits for a lock one of them takes and gives back can
 * go on now and then: so all of them go round once more, and if at no step of that anybody else can go on the run is a livelock.  Unless something may
 * still come: time that runs out, a signal, the outside, another process that has the memory too, a store that waits.
 *
 * A loop may wait where nothing is seen of it: in assembly, or because the compiler has left nothing in it.  Its rounds are counted (raddle_round), and so many of
 * them without an event are a yield. */
#include "rt/access.h"
#include "rt/buffer.h"
#include "rt/children.h"
#include "rt/state.h"
#include "rt/steer.h"
#include "rt/world.h"

#define SPIN_READS  3u
#define SAME_OFTEN  1024u
#define LOOKS_BESIDE 4u                         /* a power of two */
#define HIGH_ADDRESSES 0x700000000000ull        /* the first stack lies there, at no fixed offset in its page */
#define WATCH_AFTER 1024u                       /* steps nobody changed anything in */
#define WATCH_EVERY 64u
#define ROUNDS      (1ull << 14)                /* of loops without an event; twice as many the next time, */
#define MOST_ROUNDS (1ull << 16)                /* and no more */
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

/* The entry of this place and address: among LOOKS_BESIDE, so that two points of one loop do not push each other out; the one least lately
 * used makes way. */
static struct strand_look *entry(struct strand *s, unsigned slot, uint64_t place, uint64_t address)
{
	struct strand_look *oldest = &s->looks_taken[slot];
	for (unsigned i = 0; i < LOOKS_BESIDE; i++) {
		struct strand_look *l = &s->looks_taken[slot ^ i];
		if (l->place == place && l->address == address)
			return l;
		if (l->used < oldest->used)
			oldest = l;
	}
	return oldest;
}

static struct strand_look *look(struct strand *s, uint64_t place, uint64_t what, uint64_t address, uint64_t value)
{
	uint64_t where = address < HIGH_ADDRESSES ? address & 4095 : 0;
	unsigned slot = (unsigned)((((place & 4095) ^ what << 12 ^ where << 24) * 0x9e3779b97f4a7c15ull) >> (64 - STRAND_LOOKS_BITS));
	place ^= what << 48;
	struct strand_look *l = entry(s, slot, place, address);
	bool same = l->place == place && l->address == address && l->value == value;
	l->times = same && l->changes == s->own_changes ? l->times + 1 : 1;
	l->calm = same && l->writes == s->own_writes ? l->calm + 1 : 1;
	l->often = same && l->turn == s->turns ? l->often + 1 : 1;
	l->place = place;
	l->address = address;
	l->value = value;
	l->changes = s->own_changes;
	l->writes = s->own_writes;
	l->turn = s->turns;
	l->used = ++s->looks_used;
	return l;
}

void waiting_gives_way(struct strand *s)
{
	s->gave_way = s->seen->done;
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
	s->watch.tried |= ask->kind == EV_LOCK && !ask->ways;
	const struct strand_look *l = look(s, ask->place, ask->kind, ask->object, 0);
	bool under_locks = ask->kind == EV_LOCK && (s->in_vain == ANY_WRITES || s->in_vain == s->own_writes + 1);
	if (under_locks)
		s->in_vain = 0;
	if (under_locks || l->times >= SPIN_READS || is_often(l))
		waiting_gives_way(s);
}

/* ---- for ever ---- */

static bool is_watched_still(const struct strand *s)
{
	const struct strand_watch *w = &s->watch;
	return w->writes == steer_writes && w->unseen == access_unseen && !(w->tried && w->changes != steer_changes);
}

bool waiting_in_vain(const struct strand *s)
{
	return rt_unlikely(states_on) && !steer->states && s->watch.for_ever && is_watched_still(s);
}

static void watch(struct strand *s, uint64_t address)
{
	struct strand_watch *w = &s->watch;
	bool lent = map_is_lent(address);
	if (!is_watched_still(s) || lent)
		*w = (struct strand_watch){ .writes = steer_writes, .changes = steer_changes, .unseen = access_unseen };
	bool known = false;
	for (unsigned i = 0; i < WATCH_STATES && i < w->count && s->state; i++)
		known |= w->states[i] == s->state;
	w->for_ever |= known;
	if (s->state && !lent)
		w->states[w->count++ % WATCH_STATES] = s->state;
	w->again |= s->state && w->mark == s->state;
	w->mark = w->mark || !known ? w->mark : s->state;
}

static void goes_round(struct strand *s)
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

void waiting_state(struct strand *s, uint64_t address)
{
	watch(s, address);
	s->watch.looked = true;
	goes_round(s);
}

static bool something_may_come(void)
{
	return steer_deadlines || timers_are_armed || signals_held || steer->time == TIME_REAL || steer_awaits_outside() || children_may_tell() ||
		signals_can_come() || signals_handled() || steer_waits_for_process() || (waiting_asked_value && map_some_lent()) || !steer->dispatched;
}

static bool goes_for_ever(const struct strand *s)
{
	return s->watch.for_ever && is_watched_still(s);
}

/* Whoever can go on now. */
static bool all_go_round(void)
{
	bool some = false;
	for (uint32_t i = 0; i < steer_strand_count(); i++) {
		const struct strand *s = steer_strand(i);
		if (s->unmade || !s->at_point || buffer_count(s) || s->unbroken)
			return false;
		bool can = steer_ways_now(s) & WAY_GO;
		if (can && !goes_for_ever(s))
			return false;
		some |= can;
	}
	return some;
}

static bool all_went_round_again(void)
{
	for (uint32_t i = 0; i < steer_strand_count(); i++)
		if (goes_for_ever(steer_strand(i)) && !steer_strand(i)->watch.again)
			return false;
	return true;
}

static void go_round_again(void)
{
	for (uint32_t i = 0; i < steer_strand_count(); i++) {
		steer_strand(i)->watch.again = false;
		steer_strand(i)->watch.mark = 0;
	}
}

/* Nothing but locks has changed since it was last asked. */
static uint64_t watch_calm(void)
{
	static bool certain;                    /* at each step since they began to go round again */
	states_on = true;
	access_states = !steer->states;
	bool was = certain;
	certain = all_go_round() && !something_may_come();
	if (!certain)
		return WATCH_EVERY;
	if (!was)
		go_round_again();
	else if (all_went_round_again())
		steer_give_up(OUTCOME_LIVELOCK, "every thread that can run only reads, again and again, what nobody will change");
	return 1;
}

uint64_t waiting_watch(void)
{
	static uint64_t before;
	bool calm = steer_writes == before;
	before = steer_writes;
	if (calm)
		return watch_calm();
	states_on = steer->states;
	access_states = false;
	return WATCH_AFTER;
}

/* ---- rounds ---- */

__thread uint64_t access_rounds __attribute__((tls_model("initial-exec"))) = ROUNDS;
__thread uint64_t access_own __attribute__((tls_model("initial-exec")));
uint64_t access_unseen;
bool access_states;
bool waiting_asked_value;

/* The door has put away all registers: five words, and the rest above rax. */
static void watch_round(struct strand *s, uint64_t door)
{
	state_frame = (struct state_frame){ .registers = door - 13 * sizeof(uint64_t), .from = door - 8 * sizeof(uint64_t) };
	s->state = state_taken(s);
	watch(s, 0);
}

/* A round is over: the last that was counted, or states are looked at, which a loop that only tries, or asks a library, shows nowhere else. */
void access_round(uint64_t place, uint64_t door)
{
	struct strand *s = own_strand;
	if (access_rounds) {
		if (s && rt_steered() && !s->watch.looked)
			watch_round(s, door);
		if (s)
			s->watch.looked = false;
		return;
	}
	access_rounds = ROUNDS;
	if (!s || !rt_steered())
		return;
	uint64_t done = s->seen->done + (s->quota - access_quota);
	bool progress = done != s->rounds_done, unseen = access_own != s->rounds_own;
	s->rounds_own = access_own;
	s->rounds_done = done;
	s->rounds_most = progress || !s->rounds_most ? ROUNDS : s->rounds_most < MOST_ROUNDS ? 2 * s->rounds_most : MOST_ROUNDS;
	access_rounds = s->rounds_most;
	if (progress)
		return;
	watch_round(s, door);
	if (s->watch.for_ever)
		steer_watch();
	else if (steer->states && !unseen)      /* it computes, and for raddle check a yield is a look in vain */
		return;
	waiting_gives_way(s);
	steer_point(EV_YIELD, 0, place);
	s->rounds_done = s->seen->done;
}
