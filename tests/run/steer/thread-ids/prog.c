/* Each thread has a number of its own, by which others can send it a signal: by name and by system call. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Thread_local int me;
static atomic_int other, taken[2];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void on_signal(int number)
{
	atomic_fetch_add(&taken[me], number == SIGUSR1 ? 1 : 10);
}

static void *thread(void *unused)
{
	me = 1;
	atomic_store(&other, gettid());
	pthread_mutex_lock(&m);                 /* its creator lets go of it when it has sent */
	pthread_mutex_unlock(&m);
	return unused;
}

int main(void)
{
	pthread_t a;
	signal(SIGUSR1, on_signal);
	signal(SIGUSR2, on_signal);
	pthread_mutex_lock(&m);
	pthread_create(&a, NULL, thread, NULL);
	while (!atomic_load(&other))
		;
	int first = tgkill(getpid(), other, SIGUSR1);
	long second = syscall(SYS_tgkill, getpid(), other, SIGUSR2);
	long third = syscall(SYS_tkill, gettid(), SIGUSR1);
	pthread_mutex_unlock(&m);
	pthread_join(a, NULL);
	printf("own %d, first %d; %d %ld %ld; %d %d\n", other != getpid(), gettid() == getpid(), first, second, third, taken[0], taken[1]);
}
