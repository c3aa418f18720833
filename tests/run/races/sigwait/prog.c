#include "../two.h"
#include <signal.h>

static int right, wrong;
static sigset_t one;

static void *a(void *x)
{
	int number;
	sigwait(&one, &number);
	wrong++;
	return (void *)(long)right;
}

int main(void)
{
	pthread_t t;
	sigemptyset(&one);
	sigaddset(&one, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &one, NULL);
	pthread_create(&t, NULL, a, NULL);
	right = 1;
	pthread_kill(t, SIGUSR1);
	wrong++;
	pthread_join(t, NULL);
	return wrong - 2;
}
