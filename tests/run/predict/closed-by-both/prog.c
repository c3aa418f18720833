/* Both threads close the stream when they find it open, and say so only afterwards. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static FILE *in;
static atomic_int closed;

static void *ends(void *unused)
{
	if (!closed) {
		fclose(in); /*@B*/
		closed = 1;
	}
	return unused;
}

static void *also_ends(void *unused)
{
	if (!closed) {
		fclose(in); /*@C*/
		closed = 1;
	}
	return unused;
}

int main(void)
{
	pthread_t one, other;
	in = fopen("/dev/null", "r");
	pthread_create(&one, NULL, ends, NULL);
	pthread_create(&other, NULL, also_ends, NULL);
	pthread_join(one, NULL);
	pthread_join(other, NULL);
	return 0;
}
