/* A lock is destroyed by one thread: while another may hold it (answer 0 or EBUSY), behind its end, or each its own in the same memory. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER;
static int answer;

static void *uses(void *unused)
{
	pthread_mutex_lock(&shared);
	pthread_mutex_unlock(&shared);
	return unused;
}

static void *destroys(void *unused)
{
	answer = pthread_mutex_destroy(&shared);
	return unused;
}

static void *has_its_own(void *unused)
{
	pthread_mutex_t *own = malloc(sizeof *own);
	pthread_mutex_init(own, NULL);
	pthread_mutex_lock(own);
	pthread_mutex_unlock(own);
	pthread_mutex_destroy(own);
	free(own);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t a, b;
	const char *how = argc > 1 ? argv[1] : "";
	int beside = !strcmp(how, "beside");
	int own = !strcmp(how, "own");
	pthread_create(&a, NULL, own ? has_its_own : uses, NULL);
	if (!beside && !own)
		pthread_join(a, NULL);
	pthread_create(&b, NULL, own ? has_its_own : destroys, NULL);
	if (beside || own)
		pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%d\n", answer);
	return 0;
}
