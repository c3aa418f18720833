/* The answer is waited for, but not for ever: whoever asked frees it when the time is over, done or not.  In the recorded run it was done. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct request { int done, answer; };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;

static void *serve(void *x)
{
	struct request *r = x;
	pthread_mutex_lock(&m);
	r->answer = 7;
	r->done = 1;
	pthread_cond_signal(&done);
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(int argc, char **argv)
{
	struct request *r = calloc((size_t)argc, sizeof *r);
	struct timespec until;
	pthread_t t;
	int gave_up = 0, answer;
	(void)argv;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 1;
	pthread_create(&t, NULL, serve, r);
	pthread_mutex_lock(&m);
	while (!r->done && !gave_up)
		gave_up = pthread_cond_timedwait(&done, &m, &until);
	answer = r->answer;
	pthread_mutex_unlock(&m);
	free(r);
	pthread_join(t, NULL);
	return answer != 7 && !gave_up;
}
