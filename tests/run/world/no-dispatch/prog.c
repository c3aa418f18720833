#include <pthread.h>
#include <stdio.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

static int to[2];

static void *reads(void *x)
{
	char b[8];
	printf("read %zd\n", read(to[0], b, sizeof b));
	return x;
}

int main(void)
{
	pthread_t t;
	char line[64];
	unsigned r;
	if (pipe(to))
		return 1;
	pthread_create(&t, NULL, reads, NULL);
	usleep(10000);
	ssize_t n = read(0, line, sizeof line);
	if (write(to[1], line, (size_t)n) != n || getrandom(&r, sizeof r, 0) != sizeof r)
		return 1;
	pthread_join(t, NULL);
	printf("%.*s%u %ld\n", (int)n, line, r, (long)time(NULL));
	return 0;
}
