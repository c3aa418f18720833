/* The program of the manual's examples: two tellers and a balance. */
#include <pthread.h>
#include <stdio.h>

static int balance = 100;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *teller(void *unused)
{
	for (int i = 0; i < 10; i++) {
		pthread_mutex_lock(&m);
		balance++;
		pthread_mutex_unlock(&m);
	}
	return unused;
}

int main(void)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, teller, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("%d\n", balance);
	return 0;
}
