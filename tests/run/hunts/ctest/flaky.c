/* Fails with 4 when the second thread runs between the first one's read and write; says what it was given. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_int count;

static void *worker(void *x)
{
	int seen = count;
	count = seen + 1;
	return x;
}

int main(int arguments, char **argument)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	const char *mode = getenv("MODE");
	printf("mode %s, argument %s, settings %s\n", mode ? mode : "none", arguments > 1 ? argument[1] : "none",
		access("CMakeLists.txt", R_OK) == 0 ? "there" : "missing");
	return count == 2 ? 0 : 4;
}
