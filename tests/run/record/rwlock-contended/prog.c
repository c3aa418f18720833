/* Readers and writers for real: no recorded write section may overlap another section. */
#include "../check.h"

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int a, b;

static void *works(void *number)
{
	for (int i = 0; i < 500; i++)
		if ((i + (long)number) % 4) {
			pthread_rwlock_rdlock(&l);
			CHECK(a == b);
			pthread_rwlock_unlock(&l);
		} else {
			pthread_rwlock_wrlock(&l);
			a++, b++;
			pthread_rwlock_unlock(&l);
		}
	return NULL;
}

int main(void)
{
	pthread_t t[4];
	for (long i = 0; i < 4; i++)
		IS(pthread_create(&t[i], NULL, works, (void *)i), 0);
	for (int i = 0; i < 4; i++)
		IS(pthread_join(t[i], NULL), 0);
	CHECK(a == 500 && b == 500);
	return done();
}
