/* State of every kind, each changed by every run and printed: whatever one run left behind would be seen by the next.  Statics, heap,
 * thread-local variables, keys, errno, strtok's place, rand's, stdio's buffer, handlers of signals, functions to be called at exit. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count, table[2000];
static atomic_int handled;
static __thread int own = 7;
static pthread_key_t key;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static char text[] = "one two three";
static char *list;

static void ends(void)
{
	printf("ends %d %d\n", count, table[1999]);
}

static void destroy(void *value)
{
	pthread_mutex_lock(&lock);
	count += *(int *)value;
	pthread_mutex_unlock(&lock);
	free(value);
}

static void handle(int number)
{
	handled += number;
}

static void *work(void *unused)
{
	int *value = malloc(sizeof *value);
	*value = ++own;
	pthread_setspecific(key, value);
	pthread_mutex_lock(&lock);
	table[1999 - count++]++;
	list = realloc(list, (size_t)(100 * count));
	list[100 * count - 1] = 1;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t threads[3];
	struct sigaction before, action = { .sa_handler = handle };
	sigaction(SIGUSR1, &action, &before);
	printf("first %d, errno %d, token %s, rand %d, ", before.sa_handler == SIG_DFL, errno, strtok(text, " "), rand());
	atexit(ends);
	raise(SIGUSR1);
	pthread_key_create(&key, destroy);
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	pthread_mutex_lock(&lock);
	while (count < 2)
		pthread_cond_wait(&changed, &lock);
	int seen = count;
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	errno = ERANGE;
	printf("seen %d, own %d, handled %d, last %d\n", seen, own, handled, list[299]);
	return 0;
}
