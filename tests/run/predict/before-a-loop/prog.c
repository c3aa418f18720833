/* The branch is taken only if nothing of a loop was done yet: what comes before its last round alone sees what it saw. */
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static int begun, note, sum;
static void *rounds(void *unused)
{
	for (int i = 0; i < 4; i++) {
		if (sum == 9) /*@D*/
			return NULL;
		pthread_mutex_lock(&m);
		begun = 1;
		pthread_mutex_unlock(&m);
	}
	return unused;
}
static void *early(void *unused)
{
	pthread_mutex_lock(&m);
	int late = begun;
	pthread_mutex_unlock(&m);
	if (!late)
		note = 1; /*@A*/
	pthread_mutex_lock(&other);
	sum = 8; /*@C*/
	pthread_mutex_unlock(&other);
	return unused;
}
static void *notes(void *unused)
{
	pthread_mutex_lock(&other);
	note = 2; /*@B*/
	pthread_mutex_unlock(&other);
	return unused;
}
int main(void)
{
	static void *(*const tasks[3])(void *) = { rounds, notes, early };
	pthread_t t[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, tasks[i], NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	printf("%s\n", note ? "noted" : "lost");
	return 0;
}
