/* examples/newspaper.c -- the paper is thrown away while somebody reads it, if the cleaner is quick for once.
 *   newspaper
 * The reader reads, then signs the visitors' book.  The cleaner sweeps, signs the book, then throws the paper away.  Sweeping takes
 * so much longer than reading that the reader has always signed first, and the lock of the book then puts reading before throwing
 * away: a race detector, which believes in the order it saw, has nothing to say.  Nothing makes the reader sign first. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
	for (int i = 0; paper[i]; i++)
		++*(int *)letters;
	sign();
	return NULL;
}

static void *cleaner(void *unused)
{
	(void)unused;
	usleep(100000);                         /* sweeps */
	sign();
	free(paper);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	int letters = 0;

	paper = strdup("No news today");
	pthread_create(&threads[0], NULL, reader, &letters);
	pthread_create(&threads[1], NULL, cleaner, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("%d letters read, %d visitors\n", letters, visitors);
	return 0;
}
