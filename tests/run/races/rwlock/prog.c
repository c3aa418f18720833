#include "../two.h"

static int wrong, right, shared;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *a(void *x)
{
	pthread_rwlock_wrlock(&l);
	right++;
	pthread_rwlock_unlock(&l);
	pthread_rwlock_rdlock(&l);
	wrong++;
	pthread_rwlock_unlock(&l);
	return x;
}

static void *b(void *x)
{
	pthread_rwlock_rdlock(&l);
	wrong++;
	shared = right;
	pthread_rwlock_unlock(&l);
	pthread_rwlock_wrlock(&l);
	right++;
	pthread_rwlock_unlock(&l);
	return x;
}

int main(void)
{
	two(a, b);
	return right + wrong + shared - 5;
}
