/* tryjoin: EBUSY while the thread lives, its value when it has ended; then a timed join of a live one is late or in time. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static void *thread(void *unused)
{
	(void)unused;
	return (void *)5;
}

int main(void)
{
	pthread_t t;
	void *value = NULL;
	struct timespec soon = { .tv_sec = 4000000000 };
	pthread_create(&t, NULL, thread, NULL);
	int tried = pthread_tryjoin_np(t, &value);
	if (tried == 0) {
		printf("0 %ld, none\n", (long)value);
		return 0;
	}
	int timed = pthread_timedjoin_np(t, &value, &soon);
	if (timed == 0)
		printf("%s, 0 %ld\n", tried == EBUSY ? "EBUSY" : "?", (long)value);
	else
		printf("%s, %s\n", tried == EBUSY ? "EBUSY" : "?", timed == ETIMEDOUT ? "ETIMEDOUT" : "?");
}
