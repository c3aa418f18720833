/* Data handed over by a byte that another process carries: who waits for it waits in vain while the other one is held back. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int there[2], back[2];
static volatile int data;

static void *first(void *u)
{
	(void)u;
	data = 4;
	if (write(there[1], "x", 1) != 1)
		abort();
	return NULL;
}

static void *second(void *u)
{
	(void)u;
	char ch;
	if (read(back[0], &ch, 1) != 1)
		abort();
	if (data != 4)
		abort();
	return NULL;
}

int main(void)
{
	char ch;
	if (pipe(there) < 0 || pipe(back) < 0)
		return 1;
	pid_t child = fork();
	if (child == 0)
		_exit(read(there[0], &ch, 1) != 1 || write(back[1], &ch, 1) != 1);
	pthread_t one, two;
	pthread_create(&one, NULL, first, NULL);
	pthread_create(&two, NULL, second, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	waitpid(child, NULL, 0);
	return 0;
}
