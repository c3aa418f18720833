/* rt/once.c -- pthread_once and call_once (std::call_once ends in the former).
 *   ONCERUN  by the thread that runs the routine, before it;
 *   ONCE     with arg 1 by that thread when the routine has returned and before anybody else can see it done,
 *            with arg 0 by every other thread that passed: its version is greater.
 * A routine that is left by an exception, cancellation or pthread_exit: ONCE with arg 1 and ECANCELED, before anybody else can see that it
 * was; the next thread runs it again.
 *
 * The routine takes no argument, so what it stands for is left in a thread-local word between our call of the real
 * function and its call of ours; nothing else reads the word, so an unwinding that skips the clean-up does no harm.
 * It is called in a frame whose personality is once_left() (once_frame.S): an unwinder asks that, without code of its own in here. */
#include <unwind.h>

#include "rt/buffer.h"
#include "rt/steer.h"
#include "rt/sync.h"

struct running {
	uint64_t control, pc;
	void (*routine)(void);
	bool ran, waits;                /* somebody else was running it: waits, until its own turn comes or it is done */
	struct running *outer;          /* whose routine called this once */
};

static __thread struct running *about_to_run __attribute__((tls_model("initial-exec"))), *innermost __attribute__((tls_model("initial-exec")));

void once_framed(void (*routine)(void));
_Unwind_Reason_Code once_left(int version, _Unwind_Action actions, _Unwind_Exception_Class kind, struct _Unwind_Exception *exception, struct _Unwind_Context *context);

/* Called when the frame of the innermost routine is looked at, and when it is left. */
_Unwind_Reason_Code once_left(int version, _Unwind_Action actions, _Unwind_Exception_Class kind, struct _Unwind_Exception *exception, struct _Unwind_Context *context)
{
	struct running *r = innermost;
	(void)version, (void)kind, (void)exception, (void)context;
	if (r && actions & _UA_CLEANUP_PHASE) {
		innermost = r->outer;
		steer_point(EV_ONCE, r->control, r->pc);
		rt_event(EV_ONCE, r->control, 1, rt_version(r->control), ECANCELED, r->pc);
	}
	return _URC_CONTINUE_UNWIND;
}

static void stop_waiting(struct running *r)
{
	if (r->waits)
		rt_wait_end();
	r->waits = false;
}

static void run(void)
{
	struct running *r = about_to_run;
	r->ran = true;
	stop_waiting(r);
	r->outer = innermost;
	innermost = r;
	rt_event(EV_ONCERUN, r->control, AS_OBJECT(r->routine), rt_version(r->control), 0, r->pc);
	once_framed(r->routine);
	innermost = r->outer;
	steer_point(EV_ONCE, r->control, r->pc);
	rt_event(EV_ONCE, r->control, 1, rt_version(r->control), 0, r->pc);
}

static void passed(struct running *r)
{
	stop_waiting(r);
	if (!r->ran)
		rt_event(EV_ONCE, r->control, 0, rt_version(r->control), 0, r->pc);
}

enum { IN_PROGRESS = 1, DONE = 2 };     /* the lower two bits of glibc's control word: somebody runs the routine; it was run */

static bool is_busy(const void *control)
{
	return (__atomic_load_n((const int *)control, __ATOMIC_RELAXED) & 3) == IN_PROGRESS;
}

static bool is_done(const void *control)
{
	return __atomic_load_n((const int *)control, __ATOMIC_RELAXED) & DONE;
}

static uint32_t ways_to_pass(const struct strand *s)
{
	return is_busy(s->ask.first) ? 0 : WAY_GO;
}

static struct running arrive(const void *control, void (*routine)(void), uint64_t pc)
{
	struct steer_ask ask = { .kind = EV_ONCE, .object = AS_OBJECT(control), .place = pc, .ways = ways_to_pass, .first = control, .keeps = true };
	steer_point_until(&ask);
	if (rt_steered() && !is_done(control))  /* else it only looks */
		buffer_drain();
	struct running r = { .control = AS_OBJECT(control), .pc = pc, .routine = routine, .waits = is_busy(control) };
	if (r.waits)
		rt_wait_begin(EV_ONCE, r.control, pc);
	return r;
}

INTERPOSE(int, pthread_once, (pthread_once_t *control, void (*routine)(void)))
{
	if (!rt_on())
		return REAL(pthread_once)(control, routine);
	struct running r = arrive(control, routine, RT_PC), *outer = about_to_run;
	about_to_run = &r;
	int result = REAL(pthread_once)(control, run);
	about_to_run = outer;
	passed(&r);
	return result;
}

INTERPOSE(void, call_once, (once_flag *control, void (*routine)(void)))
{
	if (!rt_on()) {
		REAL(call_once)(control, routine);
		return;
	}
	struct running r = arrive(control, routine, RT_PC), *outer = about_to_run;
	about_to_run = &r;
	REAL(call_once)(control, run);
	about_to_run = outer;
	passed(&r);
}
