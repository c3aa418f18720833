/* SA_RESETHAND, SA_NODEFER, siginterrupt, and signals whose default action raddle looks at. */
#include "../check.h"
#include <signal.h>

static volatile sig_atomic_t runs, deepest, depth;

static void counts(int number)
{
	(void)number;
	runs++;
}

static void again(int number)
{
	depth++;
	if (depth > deepest)
		deepest = depth;
	if (depth < 3)
		raise(number);
	depth--;
}

static void is_default(int number)
{
	struct sigaction now;
	IS(sigaction(number, NULL, &now), 0);
	CHECK(now.sa_handler == SIG_DFL);
}

int main(void)
{
	struct sigaction once = { .sa_handler = counts, .sa_flags = SA_RESETHAND }, now;
	struct sigaction nested = { .sa_handler = again, .sa_flags = SA_NODEFER };
	int failing[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP };
	for (int i = 0; i < 6; i++) {
		is_default(failing[i]);
		CHECK(signal(failing[i], SIG_IGN) == SIG_DFL);
		CHECK(signal(failing[i], SIG_DFL) == SIG_IGN);
		IS(sigaction(failing[i], &once, &now), 0);
		CHECK(now.sa_handler == SIG_DFL);
		IS(sigaction(failing[i], NULL, &now), 0);
		CHECK(now.sa_handler == counts && now.sa_flags & (int)SA_RESETHAND);
		raise(failing[i]);
		is_default(failing[i]);
	}
	IS(runs, 6);
	IS(sigaction(SIGUSR1, &once, NULL), 0);
	raise(SIGUSR1);
	is_default(SIGUSR1);
	IS(runs, 7);
	IS(sigaction(SIGUSR2, &nested, NULL), 0);
	raise(SIGUSR2);
	IS(deepest, 3);
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
	IS(siginterrupt(SIGUSR2, 0), 0);
	IS(sigaction(SIGUSR2, NULL, &now), 0);
	CHECK(now.sa_handler == again && now.sa_flags & SA_RESTART && now.sa_flags & SA_NODEFER);
	return done();
}
