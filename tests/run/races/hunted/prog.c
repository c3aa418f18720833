#include "../two.h"

static int wrong;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void pass(void)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
}

/* When a comes first the lock, by chance, orders the two. */
static void *a(void *x)
{
	wrong = 1;
	pass();
	return x;
}

static void *b(void *x)
{
	pass();
	return (void *)(long)wrong;
}

int main(void)
{
	two(a, b);
	return wrong - 1;
}
