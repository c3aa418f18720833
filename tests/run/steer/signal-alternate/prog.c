/* Handlers asked to run on an alternate stack do, each thread's on its own, and see that they do; others do not. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static char stacks[2][65536];
static _Thread_local int me;
static int on[2], beside[2], refused[2];

static int is_on(void)
{
	char here;
	stack_t now;
	sigaltstack(NULL, &now);
	return (&here >= stacks[me] && &here < stacks[me] + sizeof stacks[me]) + 2 * !!(now.ss_flags & SS_ONSTACK);
}

static void on_alternate(int number)
{
	stack_t none = { .ss_flags = SS_DISABLE };
	on[me] = is_on() + 4 * (number == SIGUSR1);
	refused[me] = sigaltstack(&none, NULL);         /* not while it is in use */
}

static void on_own(int number)
{
	beside[me] = is_on() + (number == SIGUSR2 ? 0 : 8);
}

static void *thread(void *number)
{
	me = number != NULL;
	stack_t mine = { .ss_sp = stacks[me], .ss_size = sizeof stacks[me] };
	sigaltstack(&mine, NULL);
	raise(SIGUSR1);
	raise(SIGUSR2);
	return NULL;
}

int main(void)
{
	pthread_t a;
	struct sigaction action = { .sa_handler = on_alternate, .sa_flags = SA_ONSTACK };
	sigaction(SIGUSR1, &action, NULL);
	signal(SIGUSR2, on_own);
	pthread_create(&a, NULL, thread, &a);
	thread(NULL);
	pthread_join(a, NULL);
	printf("%d %d, %d %d, %d %d\n", on[0], on[1], beside[0], beside[1], refused[0], refused[1]);
}
