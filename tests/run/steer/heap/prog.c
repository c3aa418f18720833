/* Each thread has a block of its own; who frees last makes no difference, and a pointer handed over may be freed by the other. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char order[3];

static void *add(void *letter)
{
	char *own = malloc(2);
	own[0] = *(char *)letter;
	own[1] = 0;
	pthread_mutex_lock(&m);
	strcat(order, own);
	pthread_mutex_unlock(&m);
	return own;
}

int main(void)
{
	pthread_t t;
	void *theirs;
	pthread_create(&t, NULL, add, "b");
	free(add("a"));
	pthread_join(t, &theirs);
	free(theirs);
	puts(order);
}
