/* Whether the log is closed is asked under the lock, and it is written outside: meanwhile it may be closed. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *log_to;
static int closed;

static void *writes(void *unused)
{
	pthread_mutex_lock(&lock);
	int over = closed;
	pthread_mutex_unlock(&lock);
	if (!over)
		fprintf(log_to, "one line\n"); /*@A*/
	return unused;
}

static void *closes(void *unused)
{
	pthread_mutex_lock(&lock);
	closed = 1;
	pthread_mutex_unlock(&lock);
	fclose(log_to); /*@B*/
	return unused;
}

int main(void)
{
	pthread_t writing, closing;
	log_to = fopen("/dev/null", "w");
	pthread_create(&writing, NULL, writes, NULL);
	pthread_create(&closing, NULL, closes, NULL);
	pthread_join(writing, NULL);
	pthread_join(closing, NULL);
	return 0;
}
