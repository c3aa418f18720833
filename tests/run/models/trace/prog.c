/* Dekker's core: each thread says it is there, then looks whether the other is.  Neither sees the other only if both stores wait. */
#include <pthread.h>
#include <stdio.h>

static int here[2], saw[2];

static void *look(void *which)
{
	int self = which != NULL;
	here[self] = 1;
	saw[self] = here[!self];
	return NULL;
}

int main(void)
{
	pthread_t other;
	pthread_create(&other, NULL, look, here);
	look(NULL);
	pthread_join(other, NULL);
	printf("%d%d\n", saw[0], saw[1]);
	return !saw[0] && !saw[1];
}
