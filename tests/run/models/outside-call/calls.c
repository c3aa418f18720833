/* Stores that wait, and then calls of all kinds: those that lead to code not built with raddle empty the buffer and are named, the
 * others are not.  With an argument: message passing, where the call of such code stands between the two stores. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

int other(int x);                       /* other.c, built with raddle */
int plain(int x);                       /* plain.c, not */

static volatile int here, ready, seen;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int own(int x) { return x + here; }
__attribute__((no_sanitize("thread"), noinline)) static int unwatched(int x) { return x + here; }
static int (*volatile call)(int);
static int (*volatile call_lock)(pthread_mutex_t *);

static void *calls(void *unused)
{
	int sum = 0;
	call_lock = pthread_mutex_trylock;
	call = own;
	here = 1, sum += other(1);
	here = 2, sum += call(1);               /* own */
	call = other;
	here = 3, sum += call(1);               /* other */
	here = 4, sum += call_lock(&lock);
	here = 5, sum += plain(1);              /* PLAIN */
	call = plain;
	here = 6, sum += call(1);               /* PLAIN */
	here = 7, sum += unwatched(1);          /* PLAIN */
	here = 8, sum += abs(sum);
	here = 9, free(malloc(10));
	here = 10, puts("said");                /* PLAIN */
	here = 11, pthread_mutex_unlock(&lock);
	seen = sum;
	return unused;
}

static void *publish(void *with)
{
	here = 1;
	if (with)
		plain(1);
	ready = 1;
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	pthread_create(&thread, NULL, argc > 1 ? publish : calls, argc > 2 ? argv[2] : NULL);
	int late = ready && !here;
	pthread_join(thread, NULL);
	return argc > 1 && late;
}
