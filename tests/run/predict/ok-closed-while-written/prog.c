/* Asked and written in one section, closed in another; two threads write to one stream, each with libc's lock, and it is closed when both have ended. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *log_to, *common;
static int closed;

static void *writes(void *unused)
{
	pthread_mutex_lock(&lock);
	if (!closed)
		fputs("one line\n", log_to);
	pthread_mutex_unlock(&lock);
	fprintf(common, "%d\n", 1);
	fflush(common);
	return unused;
}

static void *closes(void *unused)
{
	pthread_mutex_lock(&lock);
	closed = 1;
	fclose(log_to);
	pthread_mutex_unlock(&lock);
	fputs("two\n", common);
	return unused;
}

int main(void)
{
	pthread_t writing, closing;
	log_to = fopen("/dev/null", "w");
	common = fopen("/dev/null", "w");
	pthread_create(&writing, NULL, writes, NULL);
	pthread_create(&closing, NULL, closes, NULL);
	pthread_join(writing, NULL);
	pthread_join(closing, NULL);
	fclose(common);
	return 0;
}
