/* Sleeps of hours, loops that wait for the clock, clocks of the process and of threads: no real time passes. */
#include <pthread.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static void *sleeper(void *hours)
{
	sleep((unsigned)(3600 * (long)hours));
	printf("%ld hours\n", (long)hours);
	return NULL;
}

static long seconds(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (long)t.tv_sec;
}

int main(void)
{
	pthread_t t[3];
	struct timeval day;
	long start = seconds(CLOCK_MONOTONIC), booted = seconds(CLOCK_BOOTTIME), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
	gettimeofday(&day, NULL);
	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, sleeper, (void *)(long[]){ 3, 1, 2 }[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	printf("%ld %ld %ld hours later\n", (seconds(CLOCK_MONOTONIC) - start) / 3600, (seconds(CLOCK_BOOTTIME) - booted) / 3600,
		((long)time(NULL) - (long)day.tv_sec) / 3600);
	for (time_t end = time(NULL) + 60; time(NULL) < end;)
		;
	printf("cpu %ld, thread %ld\n", seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu, seconds(CLOCK_THREAD_CPUTIME_ID));
	struct timespec until = { .tv_sec = seconds(CLOCK_REALTIME) + 1000 };
	clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, NULL);
	printf("late %ld\n", seconds(CLOCK_REALTIME) - (long)until.tv_sec);
	return 0;
}
