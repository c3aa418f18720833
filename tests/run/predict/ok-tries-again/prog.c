/* Who finds that somebody else was faster says so, reads again and adds to that: nothing is lost. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int version, value;

static void *adds(void *number)
{
	for (;;) {
		pthread_mutex_lock(&lock);
		int seen = version, sum = value;
		pthread_mutex_unlock(&lock);
		sum += *(int *)number;
		pthread_mutex_lock(&lock);
		if (version == seen) {
			value = sum;
			version++;
			pthread_mutex_unlock(&lock);
			return NULL;
		}
		pthread_mutex_unlock(&lock);
		puts("once more");
	}
}

int main(void)
{
	pthread_t adding[2];
	int number[2] = { 1, 2 };
	for (int i = 0; i < 2; i++)
		pthread_create(&adding[i], NULL, adds, &number[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(adding[i], NULL);
	printf("%d\n", value);
	return 0;
}
