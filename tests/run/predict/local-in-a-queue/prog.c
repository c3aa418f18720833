/* Messages on the stack of who sends them: he waits until the message was taken, not until it was read. */
#include <pthread.h>
#include <stdio.h>

struct message { int number; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct message *queue;

static void *takes(void *unused)
{
	pthread_mutex_lock(&lock);
	while (!queue)
		pthread_cond_wait(&changed, &lock);
	struct message *m = queue;
#ifdef OK
	printf("%d\n", m->number);
#endif
	queue = NULL;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
#ifndef OK
	printf("%d\n", m->number); /*@A*/
#endif
	return unused;
}

static __attribute__((noinline)) void sends(int number)
{
	struct message m = { number };
	pthread_mutex_lock(&lock);
	queue = &m;
	pthread_cond_signal(&changed);
	while (queue)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
} /*@B*/

static void *sender(void *unused)
{
	sends(1);
	return unused;
}

int main(void)
{
	pthread_t taking, sending;
	pthread_create(&taking, NULL, takes, NULL);
	pthread_create(&sending, NULL, sender, NULL);
	pthread_join(taking, NULL);
	pthread_join(sending, NULL);
	return 0;
}
