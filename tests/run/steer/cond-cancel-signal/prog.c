/* Two wait, one is cancelled, one signal is sent after both came to wait: a cancelled thread takes no signal away, so the other wakes.
 * If the cancelled one was signalled first, it goes on and acts at its next cancellation point; then the other waits for ever, which
 * is the program's fault: it may signal before it cancels only here, where main does so. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waiting, go;

static void unlock(void *unused)
{
	(void)unused;
	pthread_mutex_unlock(&m);
}

static void *waiter(void *unused)
{
	pthread_mutex_lock(&m);
	pthread_cleanup_push(unlock, NULL);
	waiting++;
	while (!go)
		pthread_cond_wait(&c, &m);
	pthread_cleanup_pop(1);
	return unused;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, waiter, NULL);
	pthread_create(&b, NULL, waiter, NULL);
	pthread_cancel(a);
	pthread_mutex_lock(&m);
	go = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	puts("woken");
}
