/* rt/virtual.c -- the time a steered program sees: it stands still but for the events that happen (STEP_NS each) and the sleeps
 * nobody needs to wait for.  A sleep is a timed wait that only its time ends.
 *
 *   process and thread CPU clocks  count events: of all strands, of one
 *   a clock that is read again and again with nothing else happening moves on at each reading, faster and faster, and after
 *   some readings lets others run: loops that wait for the clock come to an end
 *   a place that reads a clock many times, whatever it does in between, and nobody else runs: the same, but slower
 * With --time=real the clocks are the system's (and part of the log), and a sleep is really slept when nobody else can run. */
#include <sys/time.h>
#include <sys/times.h>

#include "rt/input.h"
#include "rt/world.h"

#define SECOND        1000000000ull
#define READING_NS    20u
#define READINGS_MANY 64u             /* readings with nothing in between after which it counts as waiting */
#define READING_MOST  1000000u        /* nanoseconds one reading may move the clock on */
#define LOOK_MOST     65536u          /* the same where other things happen in between */
#define TICKS         100u            /* of times(), per second */

/* Which base a clock has, as the kernel numbers clocks. */
uint64_t time_base(clockid_t clock)
{
	switch (clock) {
	case CLOCK_REALTIME: case CLOCK_REALTIME_COARSE: case CLOCK_REALTIME_ALARM:
		return steer->realtime_base;
	case CLOCK_TAI:
		return steer->realtime_base + 37 * SECOND;
	default:
		return steer->monotonic_base;
	}
}

/* Clocks of processes and threads made from their numbers: bit 2 says thread, the rest is the number, inverted. */
static const struct strand *strand_of_clock(clockid_t clock)
{
	int32_t tid = ~(clock >> 3);
	if (!(clock & 4))
		return NULL;
	for (uint32_t i = 0; tid && i < steer_strand_count(); i++)
		if (steer_strand(i)->tid == tid)
			return steer_strand(i);
	return own_strand;
}

uint64_t time_now(clockid_t clock)
{
	if (clock == CLOCK_PROCESS_CPUTIME_ID)
		return steer->steps * STEP_NS;
	if (clock == CLOCK_THREAD_CPUTIME_ID)
		return own_strand->seen->done * STEP_NS;
	if (clock < 0) {
		const struct strand *s = strand_of_clock(clock);
		return (s ? s->seen->done : steer->steps) * STEP_NS;
	}
	return time_base(clock) + steer_clock();
}

uint64_t time_spec(const struct timespec *t)
{
	return (uint64_t)t->tv_sec >= UINT64_MAX / 2 / SECOND ? UINT64_MAX / 2 : (uint64_t)t->tv_sec * SECOND + (uint64_t)t->tv_nsec;
}

static uint64_t faster(uint64_t readings, uint64_t most)
{
	uint64_t doublings = readings / READINGS_MANY, step = (uint64_t)READING_NS << (doublings < 16 ? doublings : 16);
	return step < most ? step : most;
}

/* The strand looks at a clock.  A loop that does so each round waits for time to pass or for somebody else, even if it also takes a lock or
 * wakes others in it: in the order of a policy that stays with who can go on those others would not get a turn for a million events. */
static void reading(uint64_t pc)
{
	struct strand *s = own_strand;
	if (s->readings_done != s->seen->done || s->readings_changes != s->own_changes) {
		s->readings = 0;
		s->readings_changes = s->own_changes;
	}
	if (s->looks_place != pc || s->looks_switches != steer->switches) {
		s->looks = 0;
		s->looks_place = pc;
		s->looks_switches = steer->switches;
	}
	uint64_t idle = faster(s->readings, READING_MOST), busy = faster(s->looks, LOOK_MOST);
	steer->clock += idle > busy ? idle : busy;
	s->readings++;
	s->looks++;
	if (s->readings % READINGS_MANY == 0 || s->looks % READINGS_MANY == 0)
		steer_yield(pc);
	s->readings_done = s->seen->done;
}

/* ---- sleeping ---- */

static uint32_t ways_to_sleep(const struct strand *s)
{
	(void)s;
	return WAY(ANSWER_TIMEOUT);
}

static void time_sleep(uint64_t deadline, uint64_t pc)
{
	struct steer_ask ask = { .kind = EV_YIELD, .place = pc, .ways = ways_to_sleep, .deadline = deadline ? deadline : 1 };
	steer_point_until(&ask);
}

static bool spec_is_valid(const struct timespec *t)
{
	return t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < (long)SECOND;
}

static long sleep_call(const struct world_call *c)
{
	bool plain = c->number == SYS_nanosleep, until = !plain && c->a[1] & TIMER_ABSTIME;
	const struct timespec *t = (const struct timespec *)c->a[plain ? 0 : 2];
	clockid_t clock = plain ? CLOCK_MONOTONIC : (clockid_t)c->a[0];
	if (!t)
		return -EFAULT;
	if (!spec_is_valid(t) || clock == CLOCK_THREAD_CPUTIME_ID)
		return -EINVAL;
	time_sleep(until ? steer_deadline(clock, t) : steer_clock() + time_spec(t), c->pc);
	return 0;
}

/* ---- asking ---- */

static long gettime(const struct world_call *c)
{
	clockid_t clock = (clockid_t)c->a[0];
	struct timespec *t = (struct timespec *)c->a[1];
	if (clock >= 0 && (clock > CLOCK_TAI || clock == 10))
		return -EINVAL;
	reading(c->pc);
	uint64_t now = time_now(clock);
	*t = (struct timespec){ .tv_sec = (time_t)(now / SECOND), .tv_nsec = (long)(now % SECOND) };
	return 0;
}

static long day_time(const struct world_call *c)
{
	struct timeval *t = (struct timeval *)c->a[0];
	struct timezone *zone = (struct timezone *)c->a[1];
	reading(c->pc);
	uint64_t now = time_now(CLOCK_REALTIME);
	if (t)
		*t = (struct timeval){ .tv_sec = (time_t)(now / SECOND), .tv_usec = (suseconds_t)(now % SECOND / 1000) };
	if (zone)
		*zone = (struct timezone){ 0, 0 };
	return 0;
}

static long seconds(const struct world_call *c)
{
	reading(c->pc);
	long now = (long)(time_now(CLOCK_REALTIME) / SECOND);
	if (c->a[0])
		*(long *)c->a[0] = now;
	return now;
}

static long cpu_times(const struct world_call *c)
{
	reading(c->pc);
	if (c->a[0])
		*(struct tms *)c->a[0] = (struct tms){ .tms_utime = (clock_t)(time_now(CLOCK_PROCESS_CPUTIME_ID) / (SECOND / TICKS)) };
	return (long)(time_now(CLOCK_MONOTONIC) / (SECOND / TICKS));
}

long time_call(struct world_call *c)
{
	switch (c->number) {
	case SYS_nanosleep: case SYS_clock_nanosleep:
		return sleep_call(c);
	case SYS_sched_yield:
		steer_yield(c->pc);
		return 0;
	case SYS_clock_getres:
		return kernel_call(c);
	case SYS_clock_gettime: return gettime(c);
	case SYS_gettimeofday:  return day_time(c);
	case SYS_time:          return seconds(c);
	default:                return cpu_times(c);
	}
}
