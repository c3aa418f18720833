/* A thread forks a child, which counts in its own copy; another thread counts here, under the lock. */
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *forks(void *unused)
{
	int status;
	(void)unused;
	pthread_mutex_lock(&lock);
	pid_t child = fork();
	if (child == 0) {
		count += 5;
		_exit(count > 0 ? 0 : 1);
	}
	pthread_mutex_unlock(&lock);
	waitpid(child, &status, 0);
	return NULL;
}

static void *counts(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&lock);
	count++;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, forks, NULL);
	pthread_create(&b, NULL, counts, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%d\n", count);
	return 0;
}
