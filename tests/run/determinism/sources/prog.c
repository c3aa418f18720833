/* Everything that decides a run and comes from outside, one a line. */
#define _GNU_SOURCE
#include <cpuid.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

uint64_t kept;
pthread_t owner;

static void instructions(void)
{
	unsigned a, b, c, d;
	uint32_t low, high;
	kept += __rdtsc();
	kept += __rdtscp(&a);
	__asm__ volatile("lfence; rdtsc" : "=a"(low), "=d"(high));
	__asm__ volatile("rep; nop" ::: "memory");
	__asm__ volatile("incq %0" : "+m"(kept));  __asm__ goto("incq %0; jz %l1" : : "m"(kept) : "memory", "cc" : over); over:
	__cpuid(0, a, b, c, d);
	kept += low + high + a + b + c + d;
}

__attribute__((target("rdrnd"))) static void drawn_by_processor(void)
{
	unsigned long long number = 0;
	_rdrand64_step(&number);
	kept += number;
}

/* Apart, or one call would serve both. */
__attribute__((noinline)) static void compared(void)
{
	if (pthread_equal(pthread_self(), owner))
		kept++;
}

__attribute__((noinline)) static void stored(void)
{
	owner = pthread_self();
}

static void devices(void)
{
	unsigned char bytes[4] = { 0 };
	int fd = open("/dev/urandom", O_RDONLY);
	if (read(fd, bytes, sizeof bytes) > 0)
		kept += bytes[0];
	close(fd);
	FILE *file = fopen("/dev/random", "r");
	if (file)
		kept += (uint64_t)fgetc(file);
}

static void functions(void)
{
	struct timeval now;
	struct timespec t;
	unsigned char bytes[8] = { 0 };
	unsigned seed = 3;
	srand(5);
	srandom(5);
	srand48(5);
	kept += (uint64_t)rand() + (uint64_t)random() + (uint64_t)lrand48() + (uint64_t)rand_r(&seed) + (uint64_t)(drand48() * 9);
	kept += (uint64_t)time(NULL);
	gettimeofday(&now, NULL);
	clock_gettime(CLOCK_MONOTONIC, &t);
	kept += (uint64_t)now.tv_usec + (uint64_t)t.tv_nsec + (uint64_t)getpid();
	kept += (uint64_t)gettid();
	if (getrandom(bytes, sizeof bytes, 0) > 0)
		kept += bytes[0];
	if (getentropy(bytes, sizeof bytes) == 0)
		kept += bytes[0];
}

int main(void)
{
	instructions();
	if (__builtin_cpu_supports("rdrnd"))
		drawn_by_processor();
	compared();
	stored();
	devices();
	functions();
	return 0;
}
