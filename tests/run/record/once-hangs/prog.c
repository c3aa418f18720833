/* The routine of a once does not come back: who waits for it is told. */
#include "../check.h"
#include <signal.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static volatile pid_t tid;
static pthread_t second;

static void *waits(void *unused)
{
	here(&tid);
	pthread_once(&control, NULL);
	return unused;
}

static void routine(void)
{
	pthread_create(&second, NULL, waits, NULL);
	asleep(&tid);
	raise(SIGKILL);
}

int main(void)
{
	return pthread_once(&control, routine);
}
