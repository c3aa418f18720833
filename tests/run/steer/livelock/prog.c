/* Who only reads, or tries, and waits for what nobody will write or post: that is no run that takes long.  Those after `value` do end: what they count, or are told, is in no
 * register and on no stack. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, held = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag, other;
static int guarded[2];
static sem_t none;
static volatile sig_atomic_t told;

static void on_alarm(int number)
{
	told = number;
}

static int get(int which)
{
	pthread_mutex_lock(&lock);
	int value = guarded[which];
	pthread_mutex_unlock(&lock);
	return value;
}

static void *each_other(void *unused)
{
	while (!atomic_load(&other))
		;
	atomic_store(&flag, 1);
	return unused;
}

static void *under_lock(void *unused)
{
	while (!get(0))
		;
	guarded[1] = 1;
	return unused;
}

static void *twice_locked(void *unused)
{
	pthread_mutex_lock(&held);
	pthread_mutex_lock(&held);
	atomic_store(&flag, 1);
	return unused;
}

static void *takes_none(void *unused)
{
	while (sem_trywait(&none))
		;
	atomic_store(&flag, 1);
	return unused;
}

static void *asks_for_value(void *unused)
{
	int value = 0;
	while (!value)
		sem_getvalue(&none, &value);
	atomic_store(&flag, 1);
	return unused;
}

static void *takes_few_times(void *unused)
{
	int value = 0;
	for (int i = 0; i < 3000 && sem_trywait(&none) && !value; i++)
		sem_getvalue(&none, &value);
	atomic_store(&flag, 1);
	return unused;
}

static void *posts_late(void *unused)
{
	for (int i = 0; i < 3000; i++)
		atomic_load(&other);
	sem_post(&none);
	takes_none(NULL);
	return unused;
}

static void *tries(void *unused)
{
	for (int i = 0; i < 20000 && !atomic_load(&other); i++)
		;
	atomic_store(&flag, 1);
	return unused;
}

static _Thread_local int counted;

static void *counts_its_own(void *unused)
{
	while (!atomic_load(&other) && ++counted < 8000)
		;
	atomic_store(&flag, 1);
	return unused;
}

static void *draws(void *unused)
{
	while (!atomic_load(&other) && rand() % 8000)
		;
	atomic_store(&flag, 1);
	return unused;
}

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* A library that nobody watches writes what the other one reads. */
static void *sorts(void *unused)
{
	int two[2] = { 1, 0 };
	for (int i = 0; i < 3000; i++)
		atomic_load(&other);
	qsort(two, 2, sizeof *two, compare);
	atomic_store(&flag, two[1]);
	return unused;
}

/* Main may never find its lock free when it is asked. */
static void *holds_mostly(void *unused)
{
	for (int seen = 0; !seen;) {
		pthread_mutex_lock(&lock);
		for (int i = 0; i < 200; i++)
			seen |= *(volatile int *)&guarded[0];
		pthread_mutex_unlock(&lock);
	}
	atomic_store(&flag, 1);
	return unused;
}

static void give_under_lock(void)
{
	pthread_mutex_lock(&lock);
	guarded[0] = 1;
	pthread_mutex_unlock(&lock);
}

static void wait_for_clock(void)
{
	struct timespec from, now;
	clock_gettime(CLOCK_MONOTONIC, &from);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while (!atomic_load(&other) && now.tv_sec - from.tv_sec < 2);
}

static void *(*start_of(const char *how))(void *)
{
	static const struct { const char *name; void *(*start)(void *); } all[] = {
		{ "atomics", each_other }, { "lock", under_lock }, { "held", twice_locked }, { "tries", tries },
		{ "none", takes_none }, { "value", asks_for_value }, { "few", takes_few_times }, { "late", posts_late },
		{ "own", counts_its_own }, { "draws", draws }, { "sorts", sorts }, { "mostly", holds_mostly },
	};
	size_t i = 0;
	while (strcmp(all[i].name, how))
		i++;
	return all[i].start;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	const char *how = argc > 1 ? argv[1] : "";
	if (!strcmp(how, "alarm")) {
		signal(SIGALRM, on_alarm);
		alarm(1);
		while (!told)
			;
		return 0;
	}
	if (!strcmp(how, "clock")) {
		wait_for_clock();
		return 0;
	}
	sem_init(&none, 0, 0);
	pthread_create(&thread, NULL, start_of(how), NULL);
	if (!strcmp(how, "mostly"))
		give_under_lock();
	while (!strcmp(how, "lock") ? !get(1) : !atomic_load(&flag))
		;
	guarded[0] = 1;
	atomic_store(&other, 1);
	pthread_join(thread, NULL);
	return 0;
}
