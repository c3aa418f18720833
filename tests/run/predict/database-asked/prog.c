/* SQLite: one comes through the connection to the pages, the other from a page back to the connection. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t connection = PTHREAD_MUTEX_INITIALIZER, pages = PTHREAD_MUTEX_INITIALIZER;
static int reads, busy;

static void *query(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&connection);
	pthread_mutex_lock(&pages);             /*@A*/
	reads++;
	pthread_mutex_unlock(&pages);
	pthread_mutex_unlock(&connection);
	return NULL;
}

static void *shrink(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&pages);
	pthread_mutex_lock(&connection);        /*@B*/
	busy = reads;
	pthread_mutex_unlock(&connection);
	pthread_mutex_unlock(&pages);
	return NULL;
}

int main(void)
{
	pthread_t one, two;
	pthread_create(&one, NULL, query, NULL);
	pthread_create(&two, NULL, shrink, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	printf("%d\n", busy >= 0);
	return 0;
}
