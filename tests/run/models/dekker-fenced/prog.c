/* Store buffering with a fence between: right under every model. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static volatile int here[2], saw[2];

static void *look(void *which)
{
	int self = which != NULL;
	here[self] = 1;
	atomic_thread_fence(memory_order_seq_cst);
	saw[self] = here[!self];
	return NULL;
}

int main(void)
{
	pthread_t other;
	pthread_create(&other, NULL, look, (void *)here);
	look(NULL);
	pthread_join(other, NULL);
	return !saw[0] && !saw[1];
}
