/* Three accesses nobody else may come between. */
#include <pthread.h>
#include <stdio.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int x, y;

static void *work(void *unused)
{
	__VERIFIER_atomic_begin();
	x++;
	y++;
	x--;
	__VERIFIER_atomic_end();
	return unused;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, work, NULL);
	work(NULL);
	pthread_join(t, NULL);
	printf("%d %d\n", x, y);
}
