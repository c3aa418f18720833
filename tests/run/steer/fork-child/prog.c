/* The child of fork is not steered and works: it makes threads, which run side by side, and ends; the parent takes its code. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int set;

static void *add(void *number)
{
	pthread_mutex_lock(&m);
	*(int *)number += 3;
	pthread_mutex_unlock(&m);
	return NULL;
}

static void *mark(void *unused)
{
	set = 1;
	return unused;
}

int main(void)
{
	pthread_t t;
	int status = 0;
	pthread_create(&t, NULL, mark, NULL);
	pid_t pid = fork();
	if (pid == 0) {
		pthread_t a, b;
		int number = 1;
		pthread_create(&a, NULL, add, &number);
		pthread_create(&b, NULL, add, &number);
		pthread_join(a, NULL);
		pthread_join(b, NULL);
		_exit(number);
	}
	waitpid(pid, &status, 0);
	pthread_join(t, NULL);
	printf("child %d, thread %d\n", WEXITSTATUS(status), set);
}
