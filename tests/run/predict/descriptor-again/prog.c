/* The second thread got the number the first one had closed, by chance: nothing keeps it from opening its file before that. */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static volatile int opened;

static void *first(void *u)
{
	(void)u;
	int fd = open("/dev/null", O_RDONLY);
	opened++;		/*@A*/
	close(fd);
	return NULL;
}

static void *second(void *u)
{
	(void)u;
	int fd = open("/dev/null", O_RDONLY);
	opened++;		/*@B*/
	close(fd);
	return NULL;
}

int main(void)
{
	pthread_t one, two;
	pthread_create(&one, NULL, first, NULL);
	pthread_create(&two, NULL, second, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
