/* Files in every state a copy of the run must have of its own: read half, written half with bytes still in memory, two descriptors of one place, one without a
 * name, opened and closed again; and threads that hand a value on. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn, total;

static void *adder(void *arg)
{
	int me = (int)(long)arg;
	for (int i = 0; i < 4; i++) {
		pthread_mutex_lock(&lock);
		while (turn % 2 != me)
			pthread_cond_wait(&changed, &lock);
		total = total * 3 + me + i;
		turn++;
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

static void two(void)
{
	pthread_t t[2];
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, adder, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
}

int main(int argc, char **argv)
{
	char line[64];
	int ends[2];
	FILE *own = fopen("own.txt", "w+"), *none = tmpfile();
	int same = dup(1);
	if (argc > 1 && pipe(ends) < 0)
		return 3;
	fprintf(none, "%d", 17);
	fprintf(own, "first\n");
	fflush(own);
	fprintf(own, "kept back\n");
	if (fgets(line, sizeof line, stdin))
		printf("read %s", line);
	fflush(stdout);
	dprintf(same, "by another descriptor\n");
	two();
	fprintf(own, "total %d\n", total);
	rewind(none);
	if (fscanf(none, "%d", &turn) == 1)
		total += turn - 17;
	if (fgets(line, sizeof line, stdin))
		printf("then %s", line);
	fclose(none);
	int fd = open("other.txt", O_RDWR | O_CREAT, 0600);
	if (write(fd, "x", 1) != 1 || close(fd) < 0)
		return 2;
	turn = 0;
	two();
	fprintf(own, "total %d\n", total);
	rewind(own);
	while (fgets(line, sizeof line, own))
		fputs(line, stdout);
	if (access("other.txt", F_OK) == 0 && argc > 1)
		puts(argv[1]);
	fclose(own);
	return 0;
}
