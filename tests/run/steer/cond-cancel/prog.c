/* A thread cancelled in a wait has the lock again when its cleanup handler runs: main cannot be inside (it would say so).
 * Cancelled before it waits, it acts on it in the wait; it never ends normally, since nobody sets the flag. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int flag, handled, inside;

static void handler(void *unused)
{
	(void)unused;
	if (inside)
		puts("not alone");
	handled++;
	pthread_mutex_unlock(&m);
}

static void *waiter(void *unused)
{
	pthread_mutex_lock(&m);
	pthread_cleanup_push(handler, NULL);
	while (!flag)
		pthread_cond_wait(&c, &m);
	pthread_cleanup_pop(1);
	return unused;
}

int main(void)
{
	pthread_t a;
	void *value;
	pthread_create(&a, NULL, waiter, NULL);
	pthread_cancel(a);
	pthread_mutex_lock(&m);
	inside = 1;
	inside = 0;
	pthread_mutex_unlock(&m);
	pthread_join(a, &value);
	printf("%s, handler %d\n", value == PTHREAD_CANCELED ? "cancelled" : "returned", handled);
}
