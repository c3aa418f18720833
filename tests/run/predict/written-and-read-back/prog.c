/* What was just written is read back for the answer; another one wrote in between. */
#include <assert.h>
#include <pthread.h>

static int last;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *ask(void *number)
{
	int mine = *(int *)number;
	pthread_mutex_lock(&m);
	last = mine;                            /*@A*/
	pthread_mutex_unlock(&m);
	pthread_mutex_lock(&m);
	assert(last == mine);                   /*@B*/
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t one, two;
	int numbers[2] = { 1, 2 };
	pthread_create(&one, NULL, ask, &numbers[0]);
	pthread_create(&two, NULL, ask, &numbers[1]);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
