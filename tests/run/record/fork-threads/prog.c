/* The child of fork makes threads of its own; the parent's other threads are not there. */
#include "../check.h"
#include <semaphore.h>
#include <sys/wait.h>

static sem_t s;

static void *stays(void *value)
{
	sem_wait(&s);
	return value;
}

static void *returns(void *value)
{
	return value;
}

int main(void)
{
	pthread_t t[3], mine;
	void *value;
	int status;
	sem_init(&s, 0, 0);
	for (int i = 0; i < 3; i++)
		IS(pthread_create(&t[i], NULL, stays, NULL), 0);
	pid_t child = fork();
	if (child == 0) {
		for (long i = 0; i < 5; i++) {
			IS(pthread_create(&mine, NULL, returns, (void *)i), 0);
			IS(pthread_join(mine, &value), 0);
			CHECK(value == (void *)i);
		}
		_exit(0);
	}
	IS(waitpid(child, &status, 0), child);
	IS(status, 0);
	for (int i = 0; i < 3; i++)
		sem_post(&s);
	for (int i = 0; i < 3; i++)
		IS(pthread_join(t[i], NULL), 0);
	return done();
}
