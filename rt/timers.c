/* rt/timers.c -- alarm, interval timers, POSIX timers and timer descriptors of a steered program: moments of the virtual clock.
 *
 *   (1) a timer whose time has come fires in front of the next choice; when nobody can run before it, and nobody waits for the
 *       outside, the clock jumps there;
 *   (2) a signal waits as one from anywhere (pending.c), once a timer: what comes meanwhile is counted as overrun;
 *   (3) a timer descriptor is an event descriptor, to which we write how often it fired; we keep a copy of our own, so that what
 *       the program does with its number is its business;
 *   (4) a timer fires in front of the first event for which its time is over, in a replay too; where the clock jumped stands in the
 *       input, since who could run then is not known to a replay.
 * With --time=real all of them are the system's. */
#include "rt/timers.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/time.h>
#include <sys/timerfd.h>

#include "rt/descriptors.h"
#include "rt/children.h"
#include "rt/input.h"
#include "rt/notify.h"
#include "rt/ready.h"
#include "rt/signal.h"

#define TIMERS      NOTIFY_TIMERS
#define NUMBERS     8u                  /* descriptors of one timer that are known */
#define SECOND      1000000000ull
#define FD_LOW      900                 /* our copies of descriptors are above */
#define INTERVALS   3                   /* the first ones: ITIMER_REAL, VIRTUAL, PROF */
#define SIGNAL_MOST 64

static struct timer {
	bool used;
	bool of_cpu;                    /* counts events, not the clock */
	clockid_t clock;
	uint64_t due, interval;         /* nanoseconds, 0 none */
	int number;                     /* signal; 0: none */
	int code;
	union sigval value;
	struct strand *to;              /* NULL: anybody */
	int overrun;
	bool starts;                    /* a thread (notify.c) */
	int copy;                       /* of a descriptor: our own number for it; else -1 */
	uint32_t fd_count;
	int fds[NUMBERS];               /* and the program's */
} timers[TIMERS];
bool timers_are_armed;

static bool is_virtual(void)
{
	return rt_steered() && own_strand && steer->time == TIME_VIRTUAL;
}

static uint64_t now_of(const struct timer *t)
{
	return t->of_cpu ? steer->steps * STEP_NS : steer_clock();
}

static uint64_t left_of(const struct timer *t)
{
	uint64_t now = now_of(t);
	return !t->due ? 0 : t->due > now ? t->due - now : 1;
}

/* ---- firing ---- */

static void send(struct timer *t, uint64_t times, uint32_t index)
{
	siginfo_t info = { .si_signo = t->number, .si_code = t->code };
	if (t->code == SI_TIMER) {
		info.si_timerid = (int)index;
		info.si_overrun = (int)times - 1;
		info.si_value = t->value;
	}
	if (signals_are_held(t->to, t->number)) {
		t->overrun += (int)times;
		return;
	}
	t->overrun = (int)times - 1;
	signals_hold(t->to, t->number, &info);
}

static void fire(struct timer *t, uint32_t index)
{
	uint64_t now = now_of(t), times = 1 + (t->interval ? (now - t->due) / t->interval : 0);
	t->due = t->interval ? t->due + times * t->interval : 0;
	if (t->copy >= 0) {
		if (!input_serving())
			sys3(SYS_write, t->copy, (long)&times, sizeof times);
		await_happened();
	} else if (t->starts) {
		t->overrun = notify_fired(index) ? (int)times - 1 : t->overrun + (int)times;
	} else if (t->number) {
		send(t, times, index);
	}
}

static bool somebody_can_go(uint64_t before)
{
	for (uint32_t i = 0; i < steer_strand_count(); i++) {
		const struct strand *s = steer_strand(i);
		uint32_t ways = s->at_point ? steer_ways_now(s) : 0;
		if ((ways & WAY_GO && !steer_spins(s)) || (ways & WAY(ANSWER_TIMEOUT) && s->ask.deadline < before))
			return true;
	}
	return false;
}

uint64_t timers_next(void)
{
	uint64_t first = 0;
	for (uint32_t i = 0; timers_are_armed && i < TIMERS; i++)
		if (timers[i].due && !timers[i].of_cpu && (!first || timers[i].due < first))
			first = timers[i].due;
	return first;
}

uint64_t timers_quota(void)
{
	uint64_t least = UINT64_MAX;
	for (uint32_t i = 0; timers_are_armed && i < TIMERS; i++)
		if (timers[i].due && left_of(&timers[i]) / STEP_NS < least)
			least = left_of(&timers[i]) / STEP_NS;
	return least;
}

void timers_due(void)
{
	if (rt_likely(!timers_are_armed))
		return;
	uint64_t first = timers_next(), now = steer_clock();
	if (first > now && !input_serving() && !somebody_can_go(first) && !steer_awaits_outside() && !children_may_tell()) {
		steer->clock += first - now;
		input_note_clock();
	}
	for (uint32_t i = 0; i < TIMERS; i++)
		if (timers[i].due && timers[i].due <= now_of(&timers[i]))
			fire(&timers[i], i);
}

/* ---- setting ---- */

static void arm(struct timer *t, uint64_t due, uint64_t interval, uint64_t pc)
{
	if (due)
		ready_prepared(t->starts ? NOTIFY_SIGNAL + (int)(t - timers) : t->number, pc);
	t->due = due;
	t->interval = interval;
	t->overrun = 0;
	timers_are_armed = timers_are_armed || due;
}

static struct timespec to_spec(uint64_t ns)
{
	return (struct timespec){ .tv_sec = (time_t)(ns / SECOND), .tv_nsec = (long)(ns % SECOND) };
}

static bool is_spec(const struct timespec *t)
{
	return t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < (long)SECOND;
}

static struct itimerspec as_spec(const struct timer *t)
{
	return (struct itimerspec){ .it_interval = to_spec(t->interval), .it_value = to_spec(left_of(t)) };
}

/* 0 or -errno */
static long set(struct timer *t, const struct itimerspec *to, bool absolute, struct itimerspec *old, uint64_t pc)
{
	if (!is_spec(&to->it_value) || !is_spec(&to->it_interval))
		return -EINVAL;
	uint64_t value = time_spec(&to->it_value);
	if (old)
		*old = as_spec(t);
	if (value && absolute)
		value = t->of_cpu ? value : steer_deadline(t->clock, &to->it_value);
	else if (value)
		value += now_of(t);
	arm(t, value, time_spec(&to->it_interval), pc);
	return 0;
}

/* ---- alarm and interval timers ---- */

static struct timer *interval_timer(int which)
{
	static const int numbers[INTERVALS] = { SIGALRM, SIGVTALRM, SIGPROF };
	struct timer *t = &timers[which];
	*t = (struct timer){ .used = true, .of_cpu = which != ITIMER_REAL, .due = t->due, .interval = t->interval, .number = numbers[which],
		.code = SI_KERNEL, .copy = -1 };
	return t;
}

static uint64_t from_timeval(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * SECOND + (uint64_t)t->tv_usec * 1000u;
}

static struct timeval to_timeval(uint64_t ns)
{
	return (struct timeval){ .tv_sec = (time_t)(ns / SECOND), .tv_usec = (suseconds_t)((ns % SECOND + 999) / 1000u) };
}

static bool is_timeval(const struct timeval *t)
{
	return t->tv_sec >= 0 && t->tv_usec >= 0 && t->tv_usec < 1000000;
}

INTERPOSE(unsigned, alarm, (unsigned seconds))
{
	if (!is_virtual())
		return REAL(alarm)(seconds);
	struct timer *t = interval_timer(ITIMER_REAL);
	uint64_t left = left_of(t);
	arm(t, seconds ? steer_clock() + seconds * SECOND : 0, 0, RT_PC);
	return (unsigned)((left + SECOND - 1) / SECOND);
}

static struct itimerval as_interval(const struct timer *t)
{
	return (struct itimerval){ .it_interval = to_timeval(t->interval), .it_value = to_timeval(left_of(t)) };
}

INTERPOSE(int, getitimer, (__itimer_which_t which, struct itimerval *out))
{
	if (!is_virtual() || (unsigned)which >= INTERVALS)
		return REAL(getitimer)(which, out);
	*out = as_interval(interval_timer((int)which));
	return 0;
}

INTERPOSE(int, setitimer, (__itimer_which_t which, const struct itimerval *restrict to, struct itimerval *restrict old))
{
	if (!is_virtual() || (unsigned)which >= INTERVALS || !to || !is_timeval(&to->it_value) || !is_timeval(&to->it_interval))
		return REAL(setitimer)(which, to, old);
	struct timer *t = interval_timer((int)which);
	uint64_t value = from_timeval(&to->it_value), interval = from_timeval(&to->it_interval);
	if (old)
		*old = as_interval(t);
	arm(t, value ? now_of(t) + value : 0, interval, RT_PC);
	return 0;
}

/* ---- POSIX timers ----  What the program holds is a number of ours. */

static struct timer *free_timer(uint32_t *index)
{
	for (*index = INTERVALS; *index < TIMERS; ++*index)
		if (!timers[*index].used)
			return &timers[*index];
	return NULL;
}

static struct timer *timer_of(timer_t id)
{
	uint64_t index = (uint64_t)id - 1;
	return index < TIMERS && timers[index].used && timers[index].copy < 0 ? &timers[index] : NULL;
}

static bool is_known_clock(clockid_t clock)
{
	return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME || clock == CLOCK_TAI ||
		clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID;
}

static int fail(int error)
{
	errno = error;
	return -1;
}

INTERPOSE(int, timer_create, (clockid_t clock, struct sigevent *event, timer_t *id))
{
	uint32_t index;
	if (!is_virtual())
		return REAL(timer_create)(clock, event, id);
	int how = event ? event->sigev_notify : SIGEV_SIGNAL, number = event ? event->sigev_signo : SIGALRM;
	bool signals = how == SIGEV_SIGNAL || how == SIGEV_THREAD_ID;
	struct strand *to = how == SIGEV_THREAD_ID ? signals_strand(event->_sigev_un._tid) : NULL;
	if (!is_known_clock(clock) || (signals && (number < 1 || number > SIGNAL_MOST)) || (how == SIGEV_THREAD_ID && !to) ||
		(!signals && how != SIGEV_NONE && how != SIGEV_THREAD))
		return fail(EINVAL);
	struct timer *t = free_timer(&index);
	if (!t)
		return fail(EAGAIN);
	t->used = true;                         /* others may come here while its thread is made */
	int failed = how == SIGEV_THREAD ? notify_by_thread(index, event) : 0;
	if (failed) {
		t->used = false;
		return fail(failed);
	}
	*t = (struct timer){ .used = true, .of_cpu = clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID, .clock = clock,
		.number = signals ? number : 0, .code = SI_TIMER, .to = to, .starts = how == SIGEV_THREAD, .copy = -1 };
	if (event)
		t->value = event->sigev_value;
	else
		t->value.sival_int = (int)index;
	*id = (timer_t)(uint64_t)(index + 1);
	return 0;
}

INTERPOSE(int, timer_settime, (timer_t id, int flags, const struct itimerspec *restrict to, struct itimerspec *restrict old))
{
	if (!is_virtual())
		return REAL(timer_settime)(id, flags, to, old);
	struct timer *t = timer_of(id);
	long failed = t && to ? set(t, to, flags & TIMER_ABSTIME, old, RT_PC) : -EINVAL;
	return failed ? fail((int)-failed) : 0;
}

INTERPOSE(int, timer_gettime, (timer_t id, struct itimerspec *out))
{
	if (!is_virtual())
		return REAL(timer_gettime)(id, out);
	struct timer *t = timer_of(id);
	if (!t)
		return fail(EINVAL);
	*out = as_spec(t);
	return 0;
}

INTERPOSE(int, timer_getoverrun, (timer_t id))
{
	if (!is_virtual())
		return REAL(timer_getoverrun)(id);
	struct timer *t = timer_of(id);
	return t ? t->overrun : fail(EINVAL);
}

INTERPOSE(int, timer_delete, (timer_t id))
{
	if (!is_virtual())
		return REAL(timer_delete)(id);
	struct timer *t = timer_of(id);
	if (!t)
		return fail(EINVAL);
	notify_forget((uint32_t)(t - timers));
	*t = (struct timer){ .used = false };
	return 0;
}

/* ---- descriptors ---- */

static struct timer *timer_of_fd(long fd)
{
	for (uint32_t i = INTERVALS; i < TIMERS; i++)
		for (uint32_t k = 0; k < timers[i].fd_count; k++)
			if (timers[i].fds[k] == (int)fd)
				return &timers[i];
	return NULL;
}

static void forget_fd(struct timer *t)
{
	if (!input_serving())
		sys3(SYS_close, t->copy, 0, 0);
	*t = (struct timer){ .used = false };
}

/* The program closes this number, or gives it to something else. */
static void drop_number(long fd)
{
	struct timer *t = timer_of_fd(fd);
	uint32_t at = 0;
	if (!t)
		return;
	while (t->fds[at] != (int)fd)
		at++;
	t->fds[at] = t->fds[--t->fd_count];
	if (!t->fd_count)
		forget_fd(t);
}

static void add_number(struct timer *t, long fd)
{
	drop_number(fd);
	if (t && t->fd_count < NUMBERS)
		t->fds[t->fd_count++] = (int)fd;
}

void timers_after(const struct world_call *c, long result)
{
	switch (c->number) {
	case SYS_close:
		drop_number(c->a[0]);
		break;
	case SYS_dup: case SYS_dup2: case SYS_dup3:
		if (result != c->a[0])
			add_number(timer_of_fd(c->a[0]), result);
		break;
	case SYS_fcntl:
		if (c->a[1] == F_DUPFD || c->a[1] == F_DUPFD_CLOEXEC)
			add_number(timer_of_fd(c->a[0]), result);
		break;
	default:
		break;
	}
}

static long create(const struct world_call *c)
{
	uint32_t index;
	clockid_t clock = (clockid_t)c->a[0];
	if (!is_known_clock(clock) || c->a[1] & ~(long)(TFD_CLOEXEC | TFD_NONBLOCK))
		return kernel_call(c);
	struct world_call like = { .number = SYS_eventfd2, .a = { 0, c->a[1] } };
	long fd = input_serving() ? input_next(INPUT_CALL, c)->result : kernel_call(&like);
	if (fd < 0)
		return fd;
	drop_number(fd);
	struct timer *t = free_timer(&index);
	if (!t) {
		sys3(SYS_close, fd, 0, 0);
		return -ENFILE;
	}
	int copy = input_serving() ? INT32_MAX : (int)sys3(SYS_fcntl, fd, F_DUPFD_CLOEXEC, FD_LOW);
	*t = (struct timer){ .used = true, .clock = clock, .fd_count = 1, .fds = { (int)fd }, .copy = copy };
	input_note(INPUT_CALL, c, fd, NULL, 0, 0, 0);
	fds_after(c, fd);
	return fd;
}

static void drain(const struct timer *t)
{
	struct world_call ask = { .number = SYS_fcntl, .a = { t->copy, F_GETFL } };
	uint64_t times;
	long flags = input_serving() ? -1 : kernel_call(&ask);
	if (flags < 0)
		return;
	sys3(SYS_fcntl, t->copy, F_SETFL, flags | O_NONBLOCK);
	sys3(SYS_read, t->copy, (long)&times, sizeof times);
	sys3(SYS_fcntl, t->copy, F_SETFL, flags);
	await_happened();
}

long timerfd_call(struct world_call *c)
{
	if (c->number == SYS_timerfd_create)
		return create(c);
	struct timer *t = timer_of_fd(c->a[0]);
	if (!t)
		return world_logged(c);
	if (c->number == SYS_timerfd_gettime) {
		*(struct itimerspec *)c->a[1] = as_spec(t);
		return 0;
	}
	long failed = set(t, (const struct itimerspec *)c->a[2], c->a[1] & TFD_TIMER_ABSTIME, (struct itimerspec *)c->a[3], c->pc);
	if (!failed)
		drain(t);
	return failed;
}

INTERPOSE(int, timerfd_create, (clockid_t clock, int flags))
{
	return world_wanted() ? (int)WORLD(RT_PC, SYS_timerfd_create, clock, flags) : REAL(timerfd_create)(clock, flags);
}

INTERPOSE(int, timerfd_settime, (int fd, int flags, const struct itimerspec *to, struct itimerspec *old))
{
	return world_wanted() ? (int)WORLD(RT_PC, SYS_timerfd_settime, fd, flags, (long)to, (long)old) : REAL(timerfd_settime)(fd, flags, to, old);
}

INTERPOSE(int, timerfd_gettime, (int fd, struct itimerspec *out))
{
	return world_wanted() ? (int)WORLD(RT_PC, SYS_timerfd_gettime, fd, (long)out) : REAL(timerfd_gettime)(fd, out);
}
