/* Locals lent to threads that are done with them first: joined, waited for by a semaphore in the local itself, by a lock and a condition, by a flag; and a local of main, used until the end. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>

struct job { int number; sem_t done; pthread_mutex_t lock; pthread_cond_t over; int is_over; atomic_int flag; };

static int sum;

static void *joined(void *handed)
{
	sum += *(int *)handed;
	return NULL;
}

static void *posts(void *handed)
{
	struct job *j = handed;
	sum += j->number;
	sem_post(&j->done);
	return NULL;
}

static void *signals(void *handed)
{
	struct job *j = handed;
	pthread_mutex_lock(&j->lock);
	sum += j->number;
	j->is_over = 1;
	pthread_cond_signal(&j->over);
	pthread_mutex_unlock(&j->lock);
	return NULL;
}

static void *flags(void *handed)
{
	struct job *j = handed;
	sum += j->number;
	atomic_store(&j->flag, 1);
	return NULL;
}

static __attribute__((noinline)) void and_joins(void)
{
	pthread_t t;
	int number = 1;
	pthread_create(&t, NULL, joined, &number);
	pthread_join(t, NULL);
}

static __attribute__((noinline)) void and_waits(pthread_t *t, void *(*what)(void *))
{
	struct job j = { .number = 2 };
	sem_init(&j.done, 0, 0);
	pthread_mutex_init(&j.lock, NULL);
	pthread_cond_init(&j.over, NULL);
	pthread_create(t, NULL, what, &j);
	if (what == posts)
		sem_wait(&j.done);
	while (what == flags && !atomic_load(&j.flag))
		;
	if (what == signals) {
		pthread_mutex_lock(&j.lock);
		while (!j.is_over)
			pthread_cond_wait(&j.over, &j.lock);
		pthread_mutex_unlock(&j.lock);
	}
}

static void *to_the_end(void *handed)
{
	atomic_int *turns = handed;
	for (int i = 0; i < 3; i++)
		++*turns;
	return NULL;
}

int main(void)
{
	pthread_t t, end;
	atomic_int turns = 0;
	and_joins();
	and_waits(&t, posts);
	pthread_join(t, NULL);
	and_waits(&t, signals);
	pthread_join(t, NULL);
	and_waits(&t, flags);
	pthread_join(t, NULL);
	pthread_create(&end, NULL, to_the_end, &turns);
	pthread_detach(end);
	printf("%d\n", sum);
	return 0;
}
