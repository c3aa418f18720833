/* A signal sent to another thread runs its handler on that thread, at some step of it, or never if it has ended by then. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_t thread;
static atomic_int wrote, seen = -1;

static void handler(int number)
{
	(void)number;
	if (!pthread_equal(pthread_self(), thread))
		seen = 9;
	else
		seen = wrote;
}

static void *write_it(void *unused)
{
	thread = pthread_self();
	wrote = 1;
	return unused;
}

int main(void)
{
	pthread_t t;
	signal(SIGUSR1, handler);
	pthread_create(&t, NULL, write_it, NULL);
	thread = t;
	pthread_kill(t, SIGUSR1);
	pthread_join(t, NULL);
	puts(seen == -1 ? "not at all" : seen == 0 ? "before the write" : seen == 1 ? "after the write" : "elsewhere");
}
