/* Reads from a file it was given open and writes to another: each run finds the first where it was, and what it writes is its own. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *nothing(void *unused)
{
	return unused;
}

int main(void)
{
	pthread_t thread;
	char got[4] = "";
	pthread_create(&thread, NULL, nothing, NULL);
	pthread_join(thread, NULL);
	if (read(3, got, 3) != 3 || write(4, got, 3) != 3)
		return 1;
	printf("%s %ld\n", got, (long)lseek(3, 0, SEEK_CUR));
	return 0;
}
