/* Two threads under one mutex: either may be first, nothing else can happen. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char order[3];
static int count;

static void *add(void *letter)
{
	pthread_mutex_lock(&m);
	order[count++] = *(char *)letter;
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, add, "a");
	pthread_create(&b, NULL, add, "b");
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	puts(order);
}
