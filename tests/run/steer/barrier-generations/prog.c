/* The same barrier twice: nobody of the second round leaves before everybody has come to it, so after round r each
 * has seen at least 2r marks; the other may be one round ahead with its mark but not further. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_barrier_t barrier;
static atomic_int marks, wrong;

static void *arrive(void *unused)
{
	for (int round = 1; round <= 2; round++) {
		marks++;
		pthread_barrier_wait(&barrier);
		int seen = marks;
		if (seen < 2 * round || seen > 2 * round + 1)
			wrong++;
	}
	return unused;
}

int main(void)
{
	pthread_t t;
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&t, NULL, arrive, NULL);
	arrive(NULL);
	pthread_join(t, NULL);
	puts(wrong ? "out of step" : "in step");
}
