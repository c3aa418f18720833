/* Each thread is given the address of the loop's own variable, which goes on counting. */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *adds(void *number)
{
	int mine = *(int *)number;              /*@R*/
	pthread_mutex_lock(&m);
	sum += mine;
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	int i;
	for (i = 0; i < 2; i++) {               /*@W*/
		pthread_create(&t[i], NULL, adds, &i);
		usleep(1000);
	}
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return sum != 1;
}
