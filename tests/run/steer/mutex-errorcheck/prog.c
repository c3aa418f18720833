/* An errorcheck mutex: its owner is told EDEADLK, whoever does not hold it EPERM.  Which of the two attempts to unlock it from
 * outside happens while it is held makes no difference. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static int again, wrong, late;

static void *stranger(void *unused)
{
	wrong = pthread_mutex_unlock(&m);
	return unused;
}

int main(void)
{
	pthread_t a;
	pthread_create(&a, NULL, stranger, NULL);
	pthread_mutex_lock(&m);
	again = pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	pthread_join(a, NULL);
	late = pthread_mutex_unlock(&m);
	printf("%s %s %s\n", again == EDEADLK ? "EDEADLK" : "?", wrong == EPERM ? "EPERM" : "?", late == EPERM ? "EPERM" : "?");
}
