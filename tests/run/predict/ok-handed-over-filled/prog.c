/* Thirty boxes handed over one by one, neighbours in memory: each is filled before. */
#include <pthread.h>
#include <stdio.h>
#define LATE -1
#define BOXES 30
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int box[BOXES], *handed[BOXES];
static void fill(int i)
{
	box[i] = 1; /*@A*/
}
static void *gives(void *unused)
{
	for (int i = 0; i < BOXES; i++) {
		if (i != LATE)
			fill(i);
		pthread_mutex_lock(&m);
		handed[i] = &box[i];
		pthread_mutex_unlock(&m);
		if (i == LATE)
			fill(i);
	}
	return unused;
}
static void *takes(void *unused)
{
	int sum = 0;
	for (int i = 0; i < BOXES; i++) {
		pthread_mutex_lock(&m);
		int *got = handed[i];
		pthread_mutex_unlock(&m);
		if (got)
			sum += *got; /*@B*/
	}
	return sum < 0 ? NULL : unused;
}
int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], NULL, gives, NULL);
	pthread_create(&t[1], NULL, takes, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	puts("done");
	return 0;
}
