/* The name is asked for under the lock and copied under it later: meanwhile it may be gone.  No access is outside of the lock: it is no race. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *name;
static char shown[16];

static void *shows(void *unused)
{
	pthread_mutex_lock(&lock);
	char *found = name;
	pthread_mutex_unlock(&lock);
	if (!found)
		return unused;
	pthread_mutex_lock(&lock);
	strncpy(shown, found, sizeof shown - 1); /*@A*/
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *forgets(void *unused)
{
	pthread_mutex_lock(&lock);
	char *old = name;
	name = NULL;
	free(old); /*@B*/
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t showing, forgetting;
	name = strdup("somebody");
	pthread_create(&showing, NULL, shows, NULL);
	pthread_create(&forgetting, NULL, forgets, NULL);
	pthread_join(showing, NULL);
	pthread_join(forgetting, NULL);
	puts(*shown ? "seen" : "gone");
	return 0;
}
