/* rt/notify.c -- timers that start threads (SIGEV_THREAD), in a steered run.
 * As in libc there is one thread of our own, made together with the first such timer, that waits for timers to fire and makes a
 * thread for each: detached, with all signals blocked, and with what the program asked for of its stack.  It is a thread of the program's to
 * the scheduler, so when the new one begins is its choice.
 *   (1) a timer owes at most one thread; what it does before that is made counts as overrun (timers.c);
 *   (2) a start is free (run NULL), or waits for its thread to take it over. */
#include "rt/notify.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>

#include "rt/ready.h"
#include "rt/sys.h"

#define STARTS 64u

struct start { void (*run)(union sigval); union sigval value; };

static struct notice { struct start start; size_t stack, guard; bool owed; } notices[NOTIFY_TIMERS];
static struct start starts[STARTS];
static bool has_thread;

static struct start *free_start(void)
{
	for (uint32_t i = 0; i < STARTS; i++)
		if (!starts[i].run)
			return &starts[i];
	return NULL;
}

static struct notice *owed(void)
{
	for (uint32_t i = 0; i < NOTIFY_TIMERS; i++)
		if (notices[i].owed)
			return &notices[i];
	return NULL;
}

static uint32_t ways_to_start(const struct strand *s)
{
	(void)s;
	return owed() && free_start() ? WAY_GO : 0;
}

static void *started(void *start)
{
	struct start mine = *(struct start *)start;
	((struct start *)start)->run = NULL;
	mine.run(mine.value);
	return NULL;
}

static void begin(const struct notice *n)
{
	pthread_attr_t attr;
	pthread_t thread;
	struct start *start = free_start();
	*start = n->start;
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	if (n->stack)
		pthread_attr_setstacksize(&attr, n->stack);
	if (n->guard)
		pthread_attr_setguardsize(&attr, n->guard);
	if (pthread_create(&thread, &attr, started, start) != 0)
		start->run = NULL;                      /* as in libc: nobody is told */
	pthread_attr_destroy(&attr);
}

static void *wait_and_start(void *unused)
{
	struct steer_ask ask = { .kind = EV_INPUT, .ways = ways_to_start };
	own_strand->mask = ~0ull;
	for (;;) {
		steer_stop(&ask);
		struct notice *n = owed();
		if (!n)
			continue;
		n->owed = false;
		ready_taken(NOTIFY_SIGNAL + (int)(n - notices), 0);
		begin(n);
	}
	return unused;
}

int notify_by_thread(uint32_t timer, const struct sigevent *event)
{
	const pthread_attr_t *attr = event->sigev_notify_attributes;
	pthread_t thread;
	struct notice n = { .start = { event->sigev_notify_function, event->sigev_value } };
	if (!n.start.run)
		return EINVAL;
	if (attr) {
		pthread_attr_getstacksize(attr, &n.stack);
		pthread_attr_getguardsize(attr, &n.guard);
	}
	if (!has_thread && pthread_create(&thread, NULL, wait_and_start, NULL) != 0)
		return EAGAIN;
	has_thread = true;
	notices[timer] = n;
	return 0;
}

bool notify_fired(uint32_t timer)
{
	if (notices[timer].owed)
		return false;
	notices[timer].owed = true;
	return true;
}

void notify_forget(uint32_t timer)
{
	notices[timer] = (struct notice){ .owed = false };
}
