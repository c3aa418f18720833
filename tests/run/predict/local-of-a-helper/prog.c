/* A helper hands a new thread the address of its own variable, and returns: the thread is usually in time. */
#include <pthread.h>
#include <stdio.h>

static pthread_t thread;
static int sum;

static void *adds(void *handed)
{
	const int *numbers = handed;
	sum += numbers[1]; /*@A*/
	return NULL;
}

static __attribute__((noinline)) int starts(int first)
{
	int numbers[4] = { first, 2, 3, 4 };
	return pthread_create(&thread, NULL, adds, numbers);
} /*@B*/

int main(void)
{
	if (starts(1) != 0)
		return 1;
	pthread_join(thread, NULL);
	printf("%d\n", sum);
	return 0;
}
