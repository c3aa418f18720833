/* A timer at 10 kHz lands in the middle of atomic operations of two threads; its handler performs more of them on the same
 * variables, and now and then leaves by a jump.  Nobody waits for an operation that was interrupted. */
#include "../check.h"
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>

#define RUNS 1500

static atomic_long sum, runs, jumps;
static atomic_int stop;
static _Atomic unsigned __int128 wide __attribute__((aligned(16)));
static _Thread_local sigjmp_buf out;
static _Thread_local volatile int may_jump;

static void tick(int number)
{
	(void)number;
	atomic_fetch_add(&sum, 1);
	if (atomic_fetch_add(&runs, 1) % 8 == 0 && may_jump) {
		atomic_fetch_add(&jumps, 1);
		siglongjmp(out, 1);
	}
}

static void *works(void *unused)
{
	sigsetjmp(out, 1);
	may_jump = 1;
	while (!atomic_load(&stop)) {
		atomic_fetch_add(&sum, 1);
		wide += (unsigned __int128)1 << 64 | 1;
	}
	may_jump = 0;
	return unused;
}

int main(void)
{
	pthread_t t;
	timer_t timer;
	struct sigaction a = { .sa_handler = tick, .sa_flags = SA_RESTART };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM };
	struct itimerspec often = { { 0, 100000 }, { 0, 100000 } }, never = { { 0, 0 }, { 0, 0 } };
	IS(sigaction(SIGALRM, &a, NULL), 0);
	IS(pthread_create(&t, NULL, works, NULL), 0);
	IS(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
	IS(timer_settime(timer, 0, &often, NULL), 0);
	sigsetjmp(out, 1);
	may_jump = 1;
	while (atomic_load(&runs) < RUNS)
		atomic_fetch_add(&sum, 1);
	may_jump = 0;
	IS(timer_settime(timer, 0, &never, NULL), 0);
	atomic_store(&stop, 1);
	IS(pthread_join(t, NULL), 0);
	CHECK((unsigned long)(wide >> 64) == (unsigned long)wide);
	printf("%ld %ld\n", (long)atomic_load(&runs), (long)atomic_load(&jumps));
	return 0;
}
