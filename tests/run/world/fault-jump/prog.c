/* A handler leaves a fault by siglongjmp, which puts the mask back; so the next fault is handled too.  By longjmp it would not be. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static __thread sigjmp_buf back;
static int faults;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void leave(int number)
{
	siglongjmp(back, number);
}

static void *reads(void *nothing)
{
	for (volatile int i = 0; i < 3; i++)
		if (sigsetjmp(back, 1) == 0) {
			*(volatile int *)nothing = 1;
		} else {
			pthread_mutex_lock(&lock);
			faults++;
			pthread_mutex_unlock(&lock);
		}
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	signal(SIGSEGV, leave);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, reads, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("%d faults\n", faults);
	return 0;
}
