#include "../two.h"

static int ready, right, wrong;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *a(void *x)
{
	pthread_mutex_lock(&m);
	while (!ready)
		pthread_cond_wait(&c, &m);
	right++;
	pthread_mutex_unlock(&m);
	wrong++;
	return x;
}

static void *b(void *x)
{
	right = 1;
	pthread_mutex_lock(&m);
	ready = 1;
	pthread_mutex_unlock(&m);
	wrong = 1;
	pthread_cond_signal(&c);
	return x;
}

int main(void)
{
	two(a, b);
	return right + wrong - 4;
}
