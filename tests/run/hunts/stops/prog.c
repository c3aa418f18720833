/* Stops until somebody continues it, as programs do that tell their supervisor so that they are ready; then two threads add without a lock. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static int count;

static void *add(void *arg)
{
	int seen = count;
	count = seen + 1;
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	pthread_create(&thread, NULL, add, NULL);
	if (argc > 1 && !strcmp(argv[1], "kill"))
		kill(getpid(), SIGSTOP);
	else
		raise(SIGTSTP);
	add(NULL);
	pthread_join(thread, NULL);
	assert(count == 2);
	return 0;
}
