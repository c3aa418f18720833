/* snprintf writes past the buffer, so a store that waits is taken to memory there, and the run says where. */
#include <pthread.h>
#include <stdio.h>

static volatile int here, seen;
static char text[32];

static void *say(void *unused)
{
	here = 1;
	snprintf(text, sizeof text, "%d", 5);
	return unused;
}

int main(void)
{
	pthread_t other;
	pthread_create(&other, NULL, say, NULL);
	seen = here;
	pthread_join(other, NULL);
	return 0;
}
