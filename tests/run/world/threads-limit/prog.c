/* prog N: N threads one after the other beside the first. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int ended;

static void *once(void *unused)
{
	ended++;
	return unused;
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 0;
	for (int i = 0; i < count; i++) {
		pthread_t t;
		if (pthread_create(&t, NULL, once, NULL) || pthread_join(t, NULL))
			return 1;
	}
	printf("%d ended\n", ended);
	return 0;
}
