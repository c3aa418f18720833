/* The cleaner sleeps before it throws the paper away, so the reader has always signed the book first, and its lock orders the two.  A sleep
 * may be over before anybody else has done anything. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char *paper;
static pthread_mutex_t book = PTHREAD_MUTEX_INITIALIZER;
static int visitors;

static void sign(void)
{
	pthread_mutex_lock(&book);
	visitors++;
	pthread_mutex_unlock(&book);
}

static void *reader(void *letters)
{
	while (paper[*(int *)letters])          /*@A*/
		++*(int *)letters;
	sign();
	return NULL;
}

static void *cleaner(void *unused)
{
	(void)unused;
	usleep(100000);
	nanosleep(&(struct timespec){ .tv_nsec = 1000 }, NULL);
	sign();
	free(paper);                            /*@B*/
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	int letters = 0;
	paper = strdup("No news");
	pthread_create(&threads[0], NULL, reader, &letters);
	pthread_create(&threads[1], NULL, cleaner, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
