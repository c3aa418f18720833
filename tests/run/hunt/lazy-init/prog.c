/* Created when first needed, without a lock.  Depth 2: one user is stopped between seeing nothing and saying it is there, while the
 * other goes through both.  Switches: main to one, to the other, back, to main: 4. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int there, made;

static void *user(void *x)
{
	if (!there) {
		made++;
		there = 1;
	}
	return x;
}

int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], NULL, user, NULL);
	pthread_create(&t[1], NULL, user, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(made == 1);
	return 0;
}
