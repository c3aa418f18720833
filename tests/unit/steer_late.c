/* tests/unit/steer_late.c -- a run whose time is over is a livelock only if it was ended for that: one that a signal of its own had ended, or that
 * had exited, and was not gone yet, is told by what it came to. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "drive/steer.h"

static void is_told(int status, enum steer_outcome before, enum steer_outcome after, bool late)
{
	struct steer_result *r = calloc(1, sizeof *r);
	r->status = status;
	r->outcome = before;
	steer_result_is_late(r, 2);
	assert_int_equal(r->outcome, after);
	assert_int_equal(r->late, late);
	free(r);
}

static void ended_for_it(void **state)
{
	(void)state;
	is_told(W_EXITCODE(0, SIGKILL), OUTCOME_SIGNAL, OUTCOME_LIVELOCK, true);
}

static void ended_before(void **state)
{
	(void)state;
	is_told(W_EXITCODE(0, SIGSEGV), OUTCOME_SIGNAL, OUTCOME_SIGNAL, false);
	is_told(W_EXITCODE(0, SIGSEGV | WCOREFLAG), OUTCOME_SIGNAL, OUTCOME_SIGNAL, false);
	is_told(W_EXITCODE(3, 0), OUTCOME_EXIT, OUTCOME_EXIT, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(ended_for_it), cmocka_unit_test(ended_before) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
