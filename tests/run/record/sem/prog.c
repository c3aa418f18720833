/* Semaphores: taken free, refused, waited for, too full. */
#include "../check.h"
#include <limits.h>
#include <semaphore.h>

static sem_t s;
static volatile pid_t tid;

static void *waits(void *unused)
{
	here(&tid);
	IS(sem_wait(&s), 0);
	return unused;
}

int main(void)
{
	pthread_t t;
	IS(sem_init(&s, 0, 1), 0);
	IS(sem_wait(&s), 0);
	errno = 0;
	IS(sem_trywait(&s), -1);
	IS(errno, EAGAIN);
	IS(pthread_create(&t, NULL, waits, NULL), 0);
	asleep(&tid);
	IS(sem_post(&s), 0);
	IS(pthread_join(t, NULL), 0);
	IS(sem_destroy(&s), 0);
	errno = 0;
	IS(sem_init(&s, 0, (unsigned)SEM_VALUE_MAX + 1), -1);
	IS(errno, EINVAL);
	IS(sem_init(&s, 0, SEM_VALUE_MAX), 0);
	errno = 0;
	IS(sem_post(&s), -1);
	IS(errno, EOVERFLOW);
	return done();
}
