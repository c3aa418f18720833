/* Who only reads, and waits for what nobody will write: that is no run that takes long.  `alarm`, `tries`, `clock` do end. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, held = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag, other;
static int guarded[2];
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

static void *tries(void *unused)
{
	for (int i = 0; i < 20000 && !atomic_load(&other); i++)
		;
	atomic_store(&flag, 1);
	return unused;
}

static void wait_for_clock(void)
{
	struct timespec from, now;
	clock_gettime(CLOCK_MONOTONIC, &from);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while (!atomic_load(&other) && now.tv_sec - from.tv_sec < 2);
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
	pthread_create(&thread, NULL, !strcmp(how, "lock") ? under_lock : !strcmp(how, "held") ? twice_locked : !strcmp(how, "tries") ? tries : each_other, NULL);
	while (!strcmp(how, "lock") ? !get(1) : !atomic_load(&flag))
		;
	guarded[0] = 1;
	atomic_store(&other, 1);
	pthread_join(thread, NULL);
	return 0;
}
