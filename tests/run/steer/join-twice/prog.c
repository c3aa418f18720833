/* Two threads join the same third: one gets it, the other is told EINVAL while the first waits for it.  The third ends only
 * when it is let go, after both have come to join (the loser says so). */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t end;
static pthread_t third;

static void *wait(void *unused)
{
	sem_wait(&end);
	return unused;
}

static void *join(void *result)
{
	*(int *)result = pthread_join(third, NULL);
	sem_post(&end);
	return NULL;
}

static const char *word(int result)
{
	return result == EINVAL ? "EINVAL" : result ? "?" : "0";
}

int main(void)
{
	pthread_t t;
	int here, there;
	sem_init(&end, 0, 0);
	pthread_create(&third, NULL, wait, NULL);
	pthread_create(&t, NULL, join, &there);
	join(&here);
	pthread_join(t, NULL);
	printf("%s %s\n", word(here), word(there));
}
