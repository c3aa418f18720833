/* Four threads write more than the ring holds, again after the recorder was killed.  What they count is right all the same. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#define THREADS 4
#define ROUNDS  60000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile long sum;

static void *count(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&lock);
		sum++;
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

static void stage(void)
{
	pthread_t t[THREADS];
	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, count, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
}

static void await(const char *file)
{
	while (access(file, F_OK) < 0)
		usleep(1000);
}

int main(void)
{
	char line[] = "ready\n";
	FILE *out;
	if (write(1, line, sizeof line - 1) < 0)
		return 2;
	await("stopped");
	stage();
	await("killed");
	stage();
	out = fopen("unfinished", "w");
	if (!out)
		return 2;
	fprintf(out, "counted %ld\n", sum);
	fclose(out);
	return rename("unfinished", "finished") != 0;
}
