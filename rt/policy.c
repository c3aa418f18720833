/* rt/policy.c -- who is next, when no script says it.
 *
 * A strand at a point is *eager* when it can go on now, *reluctant* when only its time running out, or trying once more what
 * it tried in vain, would move it.  Reluctant strands run when nobody is eager (and sometimes before, under RANDOM).
 *
 *   FIRST   the running strand while it is eager, then the lowest path; one that yields lets the next path go, in a circle.
 *   RANDOM  at each synchronisation a fair draw among the eager; between plain accesses it stays for a stretch whose mean
 *           length is itself drawn from the seed, from 1 to 512: short stretches find races, long ones broken invariants.
 *   PCT     each strand has a priority, drawn when it begins; the highest eager one runs.  At depth - 1 moments, drawn over the
 *           expected length of the run, the running one falls below all others.  In a run twice as long everybody gets turns.
 *   POS     each event a strand is about to do has a priority, drawn when it comes there; the highest eager one runs, and those that
 *           conflict with it draw again.  So two conflicting events come in either order as often, however long the run is.
 *
 * Who spins lets the others go first.  But a loop that spins a few times and then sleeps must come to its sleep somewhere while another stands still:
 * in one of INSISTS_IN drawn runs (of PCT, where others stand still as long as it does, four times as many), and behind a script, a strand goes on spinning INSISTS times before it gives way.
 *
 * Under a weak memory model stores wait in buffers, and taking one to memory is a choice too.  FIRST takes none before nobody is eager;
 * RANDOM takes one at a point with a chance drawn from the seed, from always to 1 in 512, under PSO any of a strand's; for PCT and POS
 * each store has a priority of its own.  Every other time, a strand about to empty its buffer lets the others go first. */
#include "rt/buffer.h"
#include "rt/children.h"
#include "rt/steer.h"
#include "rt/timers.h"

#define FAIR_STEPS (1u << 16)           /* PCT, nobody knows how long a run is: the events after which it is longer than foretold */
#define PATIENCE   (1u << 14)           /* FIRST: events in a row after which even an eager strand lets others go; half as many the next time, */
#define IMPATIENT  (1u << 12)           /* and no fewer */
#define PCT_MOMENTS 64u
#define LATE_STEPS 1024u                /* the same for PCT, in a run much longer than foretold */
#define LAST_TURNS 32u                  /* a limit of steps is so many turns long, its second half */
#define INSISTS 64u
#define INSISTS_IN 8u
#define SPIN_NAP 200000u               /* nanoseconds between two tries in vain while somebody waits for the outside */

static uint64_t random_state;
static uint64_t stretch_mean, stretch_left, skipped, flush_mean;
static uint64_t moments[PCT_MOMENTS], moments_used;
static uint64_t in_a_row;
static struct strand *last_chosen;
static bool insists;                    /* this run is one in which who spins goes on for a while */
static bool after_flush;                /* the last choice was a store's, not a strand's */

static uint64_t next_random(void)
{
	/* splitmix64: every seed, 0 too, starts a good stream */
	uint64_t z = random_state += 0x9e3779b97f4a7c15ull;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

static uint64_t below(uint64_t n)
{
	return n < 2 ? 0 : next_random() % n;
}

/* Between 1 and 2^30 when nobody knows how long a run is: every order of magnitude as likely as any other. */
static uint64_t draw_moment(void)
{
	if (steer->length)
		return 1 + below(steer->length);
	uint64_t low = 1ull << below(30);
	return low + below(low);
}

void policy_start(void)
{
	random_state = steer->seed ^ 0x5ee5;
	insists = steer->policy == STEER_FIRST ? steer->script_count != 0 : next_random() % (steer->policy == STEER_PCT ? INSISTS_IN / 4 : INSISTS_IN) == 0;
	random_state = steer->seed;
	stretch_mean = 1ull << below(10);
	stretch_left = 1;
	flush_mean = buffers_on ? 1ull << below(10) : 1;
	for (uint32_t i = 0; steer->policy == STEER_PCT && i + 1 < steer->depth && i < PCT_MOMENTS; i++)
		moments[i] = draw_moment();
}

void policy_new_strand(struct strand *s)
{
	s->patience = PATIENCE;
	if (steer->policy == STEER_PCT)
		s->priority = PCT_MOMENTS + 1 + (next_random() >> 16);
	else if (steer->policy == STEER_POS)
		s->priority = next_random();
}

bool policy_insists(struct strand *s)
{
	return insists && s->insisted < INSISTS && ++s->insisted;
}

uint64_t policy_store(void)
{
	return steer->policy == STEER_PCT ? PCT_MOMENTS + 1 + (next_random() >> 16) : steer->policy == STEER_POS ? next_random() : 0;
}

uint32_t policy_number(uint32_t n)
{
	return steer->policy == STEER_FIRST ? 0 : (uint32_t)below(n);
}

/* Nothing is known of a run that came to its limit of steps before others had their turns: from the middle of the limit on turns are short.
 * How many events in a row there may be now, when it would be `usual` without a limit? */
static uint64_t most_in_a_row(uint64_t usual)
{
	uint64_t few = steer->max_steps / LAST_TURNS;
	return steer->max_steps && steer->steps >= steer->max_steps / 2 && few < usual ? few + 1 : usual;
}

static uint64_t until_half(uint64_t quota)
{
	uint64_t half = steer->max_steps / 2;
	return steer->steps < half && half - steer->steps < quota ? half - steer->steps : quota;
}

uint64_t policy_quota(const struct strand *s)
{
	uint64_t quota, most;
	switch (steer->policy) {
	case STEER_RANDOM:
		return stretch_left ? stretch_left - 1 : 0;
	case STEER_PCT:
		quota = until_half(most_in_a_row(LATE_STEPS));
		for (uint32_t i = 0; i < PCT_MOMENTS && i + 1 < steer->depth; i++)
			if (moments[i] > steer->steps && moments[i] - steer->steps - 1 < quota)
				quota = moments[i] - steer->steps - 1;
		return quota;
	case STEER_POS:
		return 0;
	default:
		most = most_in_a_row(s->patience);
		return s == last_chosen && in_a_row < most ? until_half(most - in_a_row) : 0;
	}
}

void policy_used(uint64_t count)
{
	in_a_row += count;
	stretch_left = stretch_left > count ? stretch_left - count : 1;
}

static inline __attribute__((always_inline)) bool is_eager(const struct strand *s)
{
	return s->at_point && !steer_spins(s) && (steer_ways_now(s) & WAY_GO);
}

/* Its own deadline has passed while others ran. */
static bool is_due(const struct strand *s)
{
	return steer_deadlines && s->at_point && s->ask.deadline && s->ask.deadline <= steer_clock() &&
		(steer_ways_now(s) & WAY(ANSWER_TIMEOUT));
}

static struct choice go(struct strand *s)
{
	bool now = steer_ways_now(s) & WAY_GO;
	return (struct choice){ .strand = s, .answer = now ? ANSWER_GO : ANSWER_TIMEOUT };
}

/* The first strand that `wanted` accepts, in the order of paths, beginning behind `from` when it yields. */
static inline __attribute__((always_inline)) struct strand *in_order(const struct strand *from, bool after,
	bool (*wanted)(const struct strand *))
{
	uint32_t count = steer_strand_count(), start = after && from->seen->state != STRAND_ENDED ? from->at + 1 : 0;
	for (uint32_t i = start; i < count; i++)
		if (wanted(steer_strand(i)))
			return steer_strand(i);
	for (uint32_t i = 0; i < start; i++)
		if (wanted(steer_strand(i)))
			return steer_strand(i);
	return NULL;
}

/* The same for who is eager; *spinning: the first that could go on but spins, up to there, or NULL. */
static inline __attribute__((always_inline)) struct strand *first_eager(const struct strand *from, bool after, struct strand **spinning)
{
	uint32_t count = steer_strand_count(), i = after && from->seen->state != STRAND_ENDED ? from->at + 1 : 0;
	*spinning = NULL;
	for (uint32_t left = count; left; left--, i++) {
		struct strand *s = steer_strand(i = i < count ? i : 0);
		if (!s->at_point || !(steer_ways_now(s) & WAY_GO))
			continue;
		if (!steer_spins(s))
			return s;
		*spinning = *spinning ? *spinning : s;
	}
	return NULL;
}

static bool spins(const struct strand *s)
{
	return s->at_point && (steer_ways_now(s) & WAY_GO);
}

static struct strand *earliest_deadline(void)
{
	struct strand *found = NULL;
	for (uint32_t i = 0; steer_deadlines && i < steer_strand_count(); i++) {
		struct strand *s = steer_strand(i);
		if (s->at_point && s->ask.deadline && (steer_ways_now(s) & WAY(ANSWER_TIMEOUT)) &&
			(!found || s->ask.deadline < found->ask.deadline))
			found = s;
	}
	return found;
}

/* Really waits: for the outside, or for real time to pass.  For how long, when some strand spins or has a deadline? */
static void wait_really(const struct strand *spinning, const struct strand *late)
{
	uint64_t now = steer_clock(), most = UINT64_MAX;
	if (late)
		most = late->ask.deadline > now ? late->ask.deadline - now : 0;
	uint64_t due = timers_next();
	if (due && (due <= now || most > due - now))
		most = due <= now ? 0 : due - now;
	if (spinning && most > SPIN_NAP)
		most = SPIN_NAP;
	if (most)
		steer_await_outside(most);
}

/* ---- stores that wait ---- */

static bool can_flush(const struct strand *s)
{
	return buffer_count(s) != 0;
}

/* One of the stores of `s` that may reach memory now, drawn; there is one. */
static struct choice flush_of(struct strand *s)
{
	uint32_t seen = 0, which = 0;
	for (uint32_t i = 0; i < buffer_count(s); i++)
		if (buffer_can_flush(s, i) && below(++seen) == 0)
			which = i;
	return (struct choice){ .strand = s, .flush = true, .which = which };
}

static bool draw_flush(struct choice *c)
{
	uint32_t seen = 0;
	struct strand *found = NULL;
	if (!buffers_on || below(flush_mean) != 0)
		return false;
	for (uint32_t i = 0; i < steer_strand_count(); i++) {
		struct strand *s = steer_strand(i);
		if (can_flush(s) && below(++seen) == 0)
			found = s;
	}
	if (found)
		*c = flush_of(found);
	return found != NULL;
}

/* The store that comes first by priority, if that is higher than `than`. */
static bool best_flush(uint64_t than, struct choice *c)
{
	bool found = false;
	for (uint32_t i = 0; buffers_on && i < steer_strand_count(); i++) {
		struct strand *s = steer_strand(i);
		for (uint32_t k = 0; k < buffer_count(s); k++)
			if (buffer_about(s, k).priority > than && buffer_can_flush(s, k)) {
				*c = (struct choice){ .strand = s, .flush = true, .which = k };
				than = buffer_about(s, k).priority;
				found = true;
			}
	}
	return found;
}

/* It could go on, but would empty its buffer: it was drawn to let the others see memory as it is before. */
static bool holds_back(const struct strand *s)
{
	return s->holds && can_flush(s) && steer_drains(s);
}

/* Nobody is eager: those who tried in vain try again, else time passes.  It passes as it really does while somebody waits for the
 * outside, and with --time=real. */
static __attribute__((noinline)) struct choice reluctant(struct strand *from)
{
	struct strand *buffered = in_order(from, true, can_flush);
	if (buffered)
		return (struct choice){ .strand = buffered, .flush = true, .which = 0 };
	for (;;) {
		struct strand *s = in_order(from, true, spins), *late = earliest_deadline();
		bool outside = steer_awaits_outside() || children_may_tell(), real = steer->time == TIME_REAL;
		bool signal = !outside && !s && !late && signals_can_come();
		if (!outside && s)
			return (struct choice){ .strand = s, .answer = ANSWER_GO };
		if (!outside && !signal && (!real || !late))
			return (struct choice){ .strand = late, .answer = ANSWER_TIMEOUT };
		if (signal)                             /* nothing else can go on */
			signals_await_outside();
		else
			wait_really(s, late);
		signals_due();                          /* what has come, and timers whose time is over */
		struct strand *eager = in_order(from, true, is_eager);
		if (eager || s)
			return (struct choice){ .strand = eager ? eager : s, .answer = ANSWER_GO };
		if (late && late->ask.deadline <= steer_clock())
			return (struct choice){ .strand = late, .answer = ANSWER_TIMEOUT };
	}
}

/* Nobody, or only who spins, is eager; or the running one has had its turn. */
static __attribute__((noinline)) struct choice first_otherwise(struct strand *from, bool tired, bool after, struct strand *found)
{
	struct strand *s, *buffered = tired ? in_order(from, false, can_flush) : NULL;
	if (buffered)
		return (struct choice){ .strand = buffered, .flush = true, .which = 0 };
	if (found)
		return (struct choice){ .strand = found, .answer = ANSWER_GO };
	if (steer_deadlines && (s = in_order(from, after, is_due)))
		return go(s);
	return reluctant(from);
}

/* Nothing but events changes who could go on. */
static bool is_calm(void)
{
	return !steer_deadlines && !buffers_on && !signals_held && !timers_are_armed && !steer_awaits_outside();
}

/* Threads that yield to each other come by here again and again.  Nobody was eager when `from` was chosen, and all it has done since is to
 * yield: so nobody is, and the next one that spins goes on. */
static inline __attribute__((always_inline)) struct strand *next_spinning(const struct strand *from)
{
	uint32_t count = steer_strand_count(), i = from->at + 1;
	for (uint32_t left = count; left; left--, i++) {
		struct strand *s = steer_strand(i = i < count ? i : 0);
		if (s->at_point && (s->ask.ways ? s->yields && (steer_ways_asked(s) & WAY_GO) : !s->unmade))
			return s;
	}
	return NULL;
}

/* It may wait in a loop that nobody takes for one, and may do so again. */
static __attribute__((noinline)) void grow_impatient(struct strand *s)
{
	s->patience = s->patience / 2 > IMPATIENT ? s->patience / 2 : IMPATIENT;
	in_a_row = 0;
}

static inline __attribute__((always_inline)) void choose_first(struct strand *from, struct choice *c)
{
	static struct strand *spun;             /* chosen last, though it spins: nobody was eager */
	struct strand *s = from, *spinning = NULL, *before = spun;
	bool tired = ++in_a_row > most_in_a_row(from->patience), after = tired || from->yields;
	if (rt_unlikely(tired))
		grow_impatient(from);
	if (before == from && !tired && from->last_kind == EV_YIELD && from->at_point && !from->ask.ways && steer_spins(from) && is_calm()) {
		s = spun = next_spinning(from);
	} else if (rt_unlikely(tired) || !is_eager(from)) {
		s = first_eager(from, after, &spinning);
		spun = !s && spinning && after && is_calm() ? spinning : NULL;
		s = spun ? spun : s;
		if (rt_unlikely(!s || (tired && buffers_on))) {
			*c = first_otherwise(from, tired, after, s);
			return;
		}
	} else {
		spun = NULL;
	}
	*c = (struct choice){ .strand = s, .answer = ANSWER_GO };
}

static bool is_plain(const struct strand *s)
{
	return s->ask.kind == EV_READ || s->ask.kind == EV_WRITE;
}

/* Would this time-out skip more time than a machine is likely to lose?  A thread that waits for another in naps must not run
 * out of time only because it is chosen now and then. */
static bool is_too_early(const struct strand *s)
{
	uint64_t now = steer_clock();
	return s->ask.deadline > now && s->ask.deadline - now > STEER_PATIENCE - skipped;
}

/* A program may do much when it is woken for no reason (memcached doubles its table): each time makes the next one 8 times
 * rarer, or such a run would not end. */
static bool is_too_odd(const struct strand *s, uint32_t answer)
{
	uint32_t rarer = 3 * s->woken_idly;
	return answer == ANSWER_TIMEOUT ? is_too_early(s) : below(1ull << (rarer < 60 ? rarer : 60)) != 0;
}

/* Now and then somebody's time runs out, or it wakes for no reason, although others could run. */
static bool draw_odd(struct choice *c)
{
	uint32_t seen = 0;
	if (below(16) != 0)
		return false;
	for (uint32_t i = 0; i < steer_strand_count(); i++) {
		struct strand *s = steer_strand(i);
		uint32_t ways = s->at_point ? steer_ways_now(s) & ~WAY_GO : 0;
		if (steer->time == TIME_REAL && s->ask.deadline > steer_clock())
			ways &= ~WAY(ANSWER_TIMEOUT);
		for (uint32_t answer = ANSWER_TIMEOUT; answer <= ANSWER_SPURIOUS; answer++)
			if (ways & WAY(answer) && !is_too_odd(s, answer) && below(++seen) == 0)
				*c = (struct choice){ .strand = s, .answer = answer };
	}
	if (seen && c->answer == ANSWER_SPURIOUS)
		c->strand->woken_idly++;
	if (seen && c->answer == ANSWER_TIMEOUT && c->strand->ask.deadline > steer_clock())
		skipped += c->strand->ask.deadline - steer_clock();
	return seen != 0;
}

static __attribute__((noinline)) struct choice choose_random(struct strand *from)
{
	struct choice odd;
	if (draw_flush(&odd))
		return odd;
	if (is_plain(from) && is_eager(from) && --stretch_left > 0)
		return (struct choice){ .strand = from, .answer = ANSWER_GO };
	stretch_left = 1 + below(2 * stretch_mean);
	if (draw_odd(&odd))
		return odd;
	struct strand *found = NULL;
	uint32_t seen = 0;
	for (uint32_t i = 0; i < steer_strand_count(); i++) {
		struct strand *s = steer_strand(i);
		if (!is_eager(s) && !is_due(s))
			continue;
		if (found && holds_back(found) && !holds_back(s))
			seen = 0;
		if ((!seen || holds_back(s) == holds_back(found)) && below(++seen) == 0)
			found = s;
	}
	return found ? go(found) : reluctant(from);
}

static bool comes_before(const struct strand *a, const struct strand *b)
{
	return holds_back(a) == holds_back(b) ? a->priority > b->priority : holds_back(b);
}

/* In a run much longer than foretold somebody of high priority may be trying in vain what only others can bring about.  No such
 * run tells anything about a program before they had their turns. */
static void be_fair(struct strand *from)
{
	uint64_t late = steer->length ? 2 * steer->length : FAIR_STEPS;
	if (steer->max_steps && late > steer->max_steps / 2)
		late = steer->max_steps / 2;
	if (++in_a_row <= most_in_a_row(LATE_STEPS) || steer->steps <= late)
		return;
	for (uint32_t i = 0; i < steer_strand_count(); i++)
		if (steer_strand(i) != from)
			steer_strand(i)->priority = PCT_MOMENTS + 1 + (next_random() >> 16);
	from->priority = in_a_row = 0;
}

static __attribute__((noinline)) struct choice choose_pct(struct strand *from)
{
	struct choice flush;
	for (uint32_t i = 0; i < PCT_MOMENTS && i + 1 < steer->depth; i++)
		if (moments[i] == steer->steps)
			from->priority = PCT_MOMENTS - ++moments_used;
	if (from->yields)
		from->priority = 0;
	be_fair(from);
	struct strand *best = NULL;
	for (uint32_t i = 0; i < steer_strand_count(); i++) {
		struct strand *s = steer_strand(i);
		if ((is_eager(s) || is_due(s)) && (!best || comes_before(s, best)))
			best = s;
	}
	return best_flush(best ? best->priority : 0, &flush) ? flush : best ? go(best) : reluctant(from);
}

static bool only_reads(enum event_kind kind)
{
	return kind == EV_READ || kind == EV_ALOAD || kind == EV_LIBREAD;
}

/* Would it matter which of them comes first?  Neighbours in one word count as one object. */
static bool conflict(const struct strand *a, const struct strand *b)
{
	return a->ask.object >> 3 == b->ask.object >> 3 && a->ask.object && !(only_reads(a->ask.kind) && only_reads(b->ask.kind));
}

static __attribute__((noinline)) struct choice choose_pos(struct strand *from)
{
	struct choice flush;
	struct strand *best = NULL;
	if (!after_flush)
		from->priority = next_random();
	if (++in_a_row > most_in_a_row(UINT64_MAX))
		from->priority = 0;
	for (uint32_t i = 0; i < steer_strand_count(); i++) {
		struct strand *s = steer_strand(i);
		if ((is_eager(s) || is_due(s)) && (!best || comes_before(s, best)))
			best = s;
	}
	if (best_flush(best ? best->priority : 0, &flush))
		return flush;
	for (uint32_t i = 0; best && i < steer_strand_count(); i++) {
		struct strand *s = steer_strand(i);
		if (s != best && conflict(s, best))
			s->priority = next_random();
	}
	return best ? go(best) : reluctant(from);
}

static __attribute__((noinline)) struct choice choose_drawn(struct strand *from)
{
	if (buffers_on && !after_flush)
		from->holds = below(2);
	switch (steer->policy) {
	case STEER_RANDOM: return choose_random(from);
	case STEER_PCT:    return choose_pct(from);
	default:           return choose_pos(from);
	}
}

void policy_choose(struct strand *from, struct choice *c)
{
	if (steer->policy == STEER_FIRST)
		choose_first(from, c);
	else
		*c = choose_drawn(from);
	if (rt_unlikely(steer->lingers))
		linger(from, c);
	after_flush = c->flush;
	if (c->flush)
		return;
	if (c->strand != last_chosen)
		in_a_row = 0;
	last_chosen = c->strand;
}
