/* 0: main leaves before its thread does, and all comes to an end; 1: a thread reads what is freed, where a steered run ends. */
#include <pthread.h>
#include <stdlib.h>

static int *block;
volatile int result;

static void *reads(void *freed)
{
	result = freed ? *block : 1;
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	block = malloc(sizeof *block);
	if (argc > 1 && argv[1][0] == '1')
		free(block);
	pthread_create(&thread, NULL, reads, argc > 1 && argv[1][0] == '1' ? argv : NULL);
	pthread_exit(NULL);
}
