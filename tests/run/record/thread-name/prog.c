/* Names: one's own, another's, one that is too long. */
#include "../check.h"
#include <semaphore.h>
#include <string.h>

static sem_t s, named;

static void *stays(void *unused)
{
	IS(pthread_setname_np(pthread_self(), "worker"), 0);
	sem_post(&named);
	sem_wait(&s);
	return unused;
}

int main(void)
{
	pthread_t t;
	char name[16];
	sem_init(&s, 0, 0);
	sem_init(&named, 0, 0);
	IS(pthread_setname_np(pthread_self(), "a name too long!"), ERANGE);
	IS(pthread_setname_np(pthread_self(), "fifteen letters"), 0);
	IS(pthread_create(&t, NULL, stays, NULL), 0);
	sem_wait(&named);
	IS(pthread_getname_np(t, name, sizeof name), 0);
	CHECK(strcmp(name, "worker") == 0);
	IS(pthread_setname_np(t, "renamed"), 0);
	sem_post(&s);
	IS(pthread_join(t, NULL), 0);
	return done();
}
