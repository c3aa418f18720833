#include "../two.h"

static int wrong;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *b(void *x)
{
	if (pthread_mutex_trylock(&m) != 0)
		wrong++;
	return x;
}

static void *a(void *x)
{
	pthread_t t;
	wrong++;
	pthread_mutex_lock(&m);
	pthread_create(&t, NULL, b, NULL);
	wrong++;
	pthread_join(t, NULL);
	pthread_mutex_unlock(&m);
	return x;
}

int main(void)
{
	a(NULL);
	return wrong - 3;
}
