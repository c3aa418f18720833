/* 600 threads one after another, three at a time: libc uses a pthread_t again, JOIN must still name the right one. */
#include "../check.h"

static void *returns(void *value)
{
	return value;
}

int main(void)
{
	for (long i = 0; i < 200; i++) {
		pthread_t t[3];
		void *value;
		for (long k = 0; k < 3; k++)
			IS(pthread_create(&t[k], NULL, returns, (void *)(i * 3 + k)), 0);
		for (long k = 2; k >= 0; k--) {
			IS(pthread_join(t[k], &value), 0);
			CHECK(value == (void *)(i * 3 + k));
		}
	}
	return done();
}
