/* Lines come from outside while another thread works. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int ticks;

static void *ticker(void *x)
{
	for (int i = 0; i < 5; i++) {
		usleep(1000);
		ticks++;
	}
	return x;
}

int main(void)
{
	char line[100];
	pthread_t t;
	pthread_create(&t, NULL, ticker, NULL);
	while (fgets(line, sizeof line, stdin))
		printf("got %s", line);
	pthread_join(t, NULL);
	printf("ticks %d\n", ticks);
	return 0;
}
