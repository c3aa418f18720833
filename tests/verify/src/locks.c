/* Everything well synchronised: mutex, recursive, rwlock, spin, condition, barrier, semaphore, once. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

#define THREADS 4
#define ROUNDS 60

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, again;
static pthread_cond_t some = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_spinlock_t spin;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t sem;
static int queue[16], waiting, done, made, phase[THREADS], sum_of_phases, depth, counted, taken;
static long table[32];
static struct { char a; int b; short c; double d; } mixed;

static void make(void) { made = 42; }

static void deeper(int n)
{
	pthread_mutex_lock(&again);
	depth++;
	if (n)
		deeper(n - 1);
	depth--;
	pthread_mutex_unlock(&again);
}

static void put(int value)
{
	pthread_mutex_lock(&lock);
	while (waiting == 16)
		pthread_cond_wait(&some, &lock);
	queue[waiting++] = value;
	mixed.a = (char)value;
	mixed.b += value;
	mixed.c = (short)waiting;
	mixed.d = mixed.b / 2.0;
	pthread_cond_broadcast(&some);
	pthread_mutex_unlock(&lock);
}

static long use_table(int id, int i)
{
	long seen;
	if (i % 5 == 0) {
		pthread_rwlock_wrlock(&rw);
		table[i % 32] += id;
		pthread_rwlock_unlock(&rw);
	}
	pthread_rwlock_rdlock(&rw);
	seen = table[(i + id) % 32];
	pthread_rwlock_unlock(&rw);
	return seen;
}

static void *works(void *arg)
{
	int id = (int)(long)arg;
	long seen = 0;
	pthread_once(&once, make);
	seen += made;
	for (int i = 0; i < ROUNDS; i++) {
		put(i);
		seen += use_table(id, i);
		deeper(i % 3);
		pthread_spin_lock(&spin);
		counted++;
		pthread_spin_unlock(&spin);
		sem_wait(&sem);
		taken += id;
		sem_post(&sem);
		if (i % 10 == 0) {
			phase[id] = i;
			pthread_barrier_wait(&barrier);
			for (int k = 0; k < THREADS; k++)
				seen += phase[k];
			pthread_barrier_wait(&barrier);
		}
	}
	return (void *)seen;
}

static void *takes(void *unused)
{
	long got = 0;
	pthread_mutex_lock(&lock);
	while (!done || waiting) {
		if (!waiting) {
			pthread_cond_wait(&some, &lock);
			continue;
		}
		got += queue[--waiting];
		pthread_cond_signal(&some);
	}
	pthread_mutex_unlock(&lock);
	return (void *)(got + (unused != NULL));
}

int main(void)
{
	pthread_t t[THREADS], taker;
	pthread_mutexattr_t attr;
	void *value;
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&again, &attr);
	pthread_barrier_init(&barrier, NULL, THREADS);
	pthread_spin_init(&spin, 0);
	sem_init(&sem, 0, 1);
	pthread_create(&taker, NULL, takes, NULL);
	for (long i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, works, (void *)i);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(t[i], &value);
		sum_of_phases += (int)(long)value;
	}
	pthread_mutex_lock(&lock);
	done = 1;
	pthread_cond_broadcast(&some);
	pthread_mutex_unlock(&lock);
	pthread_join(taker, &value);
	printf("%d %d\n", (int)(long)value, depth);
	return 0;
}
