/* rt/cancel.c -- cancellation: requests, and when a thread acts on them.
 * CANCEL is written before the request: a thread that cancels itself may not come back.  Refused: a second one with the errno.
 *
 * In a steered run libc does all the work of a deferred cancellation: the request is a bit in struct pthread, and a strand that
 * comes to a cancellation point acts on it there.  Those that wait at one are let go by steer.c.  An asynchronous cancellation is
 * one that may be acted on at any point: libc is not told of it, since it would send a signal to a kernel thread. */
#include "rt/steer.h"
#include "rt/sync.h"

/* One of asynchronous type acts without being asked. */
static void act_if_asynchronous(void)
{
	if (rt_steered() && own_strand->cancel_async && steer_is_cancelled(own_strand))
		steer_act_on_cancel();
}

/* libc may load a library now; nobody else is to run meanwhile. */
static int undisturbed_cancel(pthread_t thread)
{
	rt_enter();
	int result = REAL(pthread_cancel)(thread);
	rt_leave();
	return result;
}

INTERPOSE(int, pthread_cancel, (pthread_t thread))
{
	if (!rt_on())
		return REAL(pthread_cancel)(thread);
	steer_point(EV_CANCEL, 0, RT_PC);
	uint32_t uid = thread_uid(thread);
	struct strand *other = rt_steered() ? thread == pthread_self() ? own_strand : thread_strand(thread) : NULL;
	rt_event(EV_CANCEL, uid, 0, 0, 0, RT_PC);
	int result = other ? undisturbed_cancel(thread) : REAL(pthread_cancel)(thread);
	if (result)
		rt_event(EV_CANCEL, uid, 0, 0, result, RT_PC);
	else if (other)
		other->cancel_sent = true;
	act_if_asynchronous();
	return result;
}

/* Whether a request has come is what others did: a point. */
INTERPOSE(void, pthread_testcancel, (void))
{
	if (rt_steered()) {
		struct steer_ask ask = { .kind = EV_CANCEL, .place = RT_PC, .cancels = CANCEL_AT_ONCE };
		steer_stop(&ask);
		steer_unchanged();
	}
	REAL(pthread_testcancel)();
}

INTERPOSE(int, pthread_setcancelstate, (int state, int *old))
{
	int result = REAL(pthread_setcancelstate)(state, old);
	if (result == 0 && rt_steered()) {
		own_strand->cancel_off = state == PTHREAD_CANCEL_DISABLE;
		act_if_asynchronous();
	}
	return result;
}

INTERPOSE(int, pthread_setcanceltype, (int type, int *old))
{
	bool asked = rt_steered() && type == PTHREAD_CANCEL_ASYNCHRONOUS, was = own_strand && own_strand->cancel_async;
	int result = REAL(pthread_setcanceltype)(asked ? PTHREAD_CANCEL_DEFERRED : type, old);
	if (result == 0 && rt_steered()) {
		own_strand->cancel_async = asked;
		if (old && was)
			*old = PTHREAD_CANCEL_ASYNCHRONOUS;
		act_if_asynchronous();
	}
	return result;
}
