/* Fails in its third run alone, whatever the order: what it does depends on a file that its runs leave behind. */
#include <pthread.h>
#include <stdio.h>

static void *nothing(void *arg)
{
	return arg;
}

int main(void)
{
	pthread_t thread;
	FILE *file = fopen("runs", "a+");
	if (!file)
		return 1;
	fputc('.', file);
	long runs = ftell(file);
	fclose(file);
	pthread_create(&thread, NULL, nothing, NULL);
	pthread_join(thread, NULL);
	if (runs != 3)
		return 0;
	puts("the third run");
	return 7;
}
