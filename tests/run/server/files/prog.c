/* Counts its runs in a file of its working directory and one in /tmp: each run is the first. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int count(const char *path)
{
	int n = 0;
	FILE *f = fopen(path, "r");
	if (f && fscanf(f, "%d", &n) != 1)
		n = -1;
	if (f)
		fclose(f);
	f = fopen(path, "w");
	fprintf(f, "%d\n", n + 1);
	fclose(f);
	return n + 1;
}

static void *work(void *path)
{
	return (void *)(long)count(path);
}

int main(int words, char **word)
{
	pthread_t t;
	void *second;
	struct stat about;
	pthread_create(&t, NULL, work, "runs");
	pthread_join(t, &second);
	int here = open(".", O_RDONLY | O_DIRECTORY), made = mkdirat(here, "folder", 0777);
	int moved = rename("given", "folder/given"), gone = unlink("away");
	int outside = words > 1 ? count(word[1]) : 0;
	printf("%ld %d %d %d %d %d %d\n", (long)second, count("/tmp/raddle-test-of-private-files"), made, moved, gone,
		stat("given", &about), outside);
	return 0;
}
