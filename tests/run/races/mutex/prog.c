#include "../two.h"

static int wrong, right;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;

static void *a(void *x)
{
	pthread_mutex_lock(&m);
	right++;
	wrong++;
	pthread_mutex_unlock(&m);
	return x;
}

static void *b(void *x)
{
	pthread_mutex_lock(&other);
	wrong++;
	pthread_mutex_unlock(&other);
	pthread_mutex_lock(&m);
	right++;
	pthread_mutex_unlock(&m);
	return x;
}

int main(void)
{
	two(a, b);
	return right + wrong - 4;
}
