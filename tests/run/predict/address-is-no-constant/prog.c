/* The flag is made from where a block lies, and that hangs on who asked for memory first: nobody else writes to it, and yet it is up or not. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

static int up, data;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *x)
{
	char *block = malloc(48), *next = malloc(48);
	int is = ((uintptr_t)block >> 6 & 1) ^ (BIT);
	pthread_mutex_lock(&m);
	up = is;
	pthread_mutex_unlock(&m);
	free(next);
	free(block);
	return x;
}

static void *second(void *x)
{
	usleep(2000);
	char *block = malloc(48);
	usleep(2000);
	free(block);
	return x;
}

static void *third(void *x)
{
	usleep(8000);
	pthread_mutex_lock(&m);
	int is = up;
	pthread_mutex_unlock(&m);
	if (is)
		data++;
	return x;
}

int main(void)
{
	pthread_t t[3];
	pthread_create(&t[0], NULL, first, NULL);
	pthread_create(&t[1], NULL, second, NULL);
	pthread_create(&t[2], NULL, third, NULL);
	usleep(9000);
	data++;
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
