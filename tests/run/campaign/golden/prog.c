/* Its output hangs on its environment, on a file nobody names, and on how it was told to wait: only the first two make another run of it. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *add(void *by)
{
	for (int i = 0; i < 200; i++) {
		pthread_mutex_lock(&lock);              /* waited for or not: no event of the canonical form */
		pthread_mutex_unlock(&lock);
	}
	return by;
}

int main(int argc, char **argv)
{
	const char *mode = getenv("MODE");
	char line[32] = "";
	FILE *in = argc > 1 ? fopen(argv[1], "r") : NULL;
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, add, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	if (in && fgets(line, sizeof line, in))
		fputs(line, stdout);
	sum = mode ? atoi(mode) : 0;
	printf("%d\n", sum);
	return 0;
}
