#include "../two.h"

static int right;
static pthread_mutex_t m;

static void *a(void *x)
{
	pthread_mutex_lock(&m);
	right = 1;
	return x;
}

static void *b(void *x)
{
	pthread_mutex_lock(&m);
	pthread_mutex_consistent(&m);
	right++;
	pthread_mutex_unlock(&m);
	return x;
}

int main(void)
{
	pthread_mutexattr_t how;
	pthread_mutexattr_init(&how);
	pthread_mutexattr_setrobust(&how, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&m, &how);
	two(a, b);
	return right - 2;
}
