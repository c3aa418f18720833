/* A stack that overflows is noticed on the alternate stack of that very thread, from where it can be left by a jump. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static char stacks[2][65536];
static _Thread_local int me;
static sigjmp_buf back[2];
static int noticed[2];

static void on_fault(int number)
{
	char here;
	noticed[me] = number == SIGSEGV && &here >= stacks[me] && &here < stacks[me] + sizeof stacks[me];
	siglongjmp(back[me], 1);
}

static int deeper(int n)
{
	volatile char frame[16384];
	frame[0] = (char)n;
	return n < 0 ? 0 : deeper(n + 1) + frame[0];
}

static void *thread(void *number)
{
	me = *(int *)number;
	stack_t mine = { .ss_sp = stacks[me], .ss_size = sizeof stacks[me] };
	sigaltstack(&mine, NULL);
	if (!sigsetjmp(back[me], 1))
		deeper(0);
	return NULL;
}

int main(void)
{
	static int numbers[2] = { 0, 1 };
	pthread_t threads[2];
	pthread_attr_t small;
	struct sigaction action = { .sa_handler = on_fault, .sa_flags = SA_ONSTACK };
	sigaction(SIGSEGV, &action, NULL);
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 131072);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], &small, thread, &numbers[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("%d %d\n", noticed[0], noticed[1]);
}
